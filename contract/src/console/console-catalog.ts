import type { Static } from 'typebox'
import { closed, exact, listOf } from '../api/fields.ts'
import { ProductSchema } from '../catalog/product-schema.ts'
import { consoleOperation } from './console-operation.ts'

const Products = closed(
  { products: listOf(ProductSchema, 'The products, by token.', [], 1000) },
  { description: 'The products that the organization added to the catalog.' },
)

/** A product in the console API. */
export type OwnProduct = Static<typeof ProductSchema>

/** Operations on the custom apps and identity providers of the organization. */
export const catalogOperations = {
  listOwnProducts: consoleOperation({
    method: 'GET',
    path: '/console/api/catalog',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the products that the organization added to the catalog.',
    response: Products,
  }),
  saveOwnProduct: consoleOperation({
    method: 'POST',
    path: '/console/api/catalog',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Add a product to the catalog, or replace the one with its token.',
    body: ProductSchema,
    response: Products,
  }),
  removeOwnProduct: consoleOperation({
    method: 'POST',
    path: '/console/api/catalog/remove',
    access: 'FULL_ACCESS',
    sensitive: false,
    summary: 'Remove a product that the organization added. Its apps and accounts stay.',
    body: closed(
      { appType: exact('The token of the product.', 'INTRANET', 64, 1) },
      { description: 'The product to remove.' },
    ),
    response: Products,
  }),
} as const
