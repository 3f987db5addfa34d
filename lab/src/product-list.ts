import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Product } from './lab-product.ts'

const folder = join(dirname(import.meta.dirname), 'products')

/** Loads every product, or those with the given names. @throws for an unknown name */
export async function loadProducts(names: readonly string[] = []): Promise<Product[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  const unknown = names.filter((name) => !files.includes(name))
  if (unknown.length > 0) throw new Error(`no product ${unknown.join(', ')}; there are ${files.join(', ')}`)
  const wanted = names.length === 0 ? files : names
  return Promise.all(
    wanted.map(async (name) => {
      const { product } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as {
        product: Product
      }
      return product
    }),
  )
}
