import type { Product } from './product.ts'
import { ProductSchema } from './product-schema.ts'

const members = Object.keys(ProductSchema.properties)

/** Returns products as the text of `products.jsonl`: one line each, sorted by token, members in the schema's order. */
export const catalogText = (products: readonly Product[]): string =>
  products
    .toSorted((a, b) => (a.appType < b.appType ? -1 : 1))
    .map((product) => {
      const known = members.filter((member) => member in product)
      const rest = Object.keys(product).filter((member) => !members.includes(member))
      return `${JSON.stringify(product, [...known, ...rest])}\n`
    })
    .join('')
