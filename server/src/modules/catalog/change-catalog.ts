import { catalogProblems } from '@muster/contract/catalog/catalog-check'
import type { Product } from '@muster/contract/catalog/product'
import { ProductSchema } from '@muster/contract/catalog/product-schema'
import { products } from '@muster/contract/catalog/products'
import { ApiError, invalidRequest, type Mistake } from '@muster/contract/errors'
import { bodyReader } from '../../kernel/http/body.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { controlsMistakes } from '../controls/controls.rules.ts'
import { listCatalogProducts, putCatalogProducts, removeCatalogProduct } from './catalog-products.service.ts'

/** How many products an organization can add: each is in the policy of each of its browsers. */
export const ownProductsMaximum = 1000

const readProduct = bodyReader(ProductSchema)

/**
 * Adds products to an organization's catalog, checked like those that came with it; one whose token it added before is
 * replaced. The apps (other) that its domains had stay as they are.
 *
 * @param added one product or a list of them, as JSON has them
 * @returns the products that were added
 * @throws ApiError invalid_request with all mistakes
 */
export async function addCatalogProducts(
  tx: Tx,
  org: number,
  added: unknown,
  nowSeconds: number,
): Promise<readonly Product[]> {
  const list = Array.isArray(added) ? added : [added]
  if (list.length === 0)
    throw invalidRequest([{ in: 'body', name: 'products', message: 'must have at least one product' }])
  const mistakes: Mistake[] = []
  const given = list.flatMap((value: unknown, index) => readOne(value, index, mistakes))
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  await tx.lock(`catalog ${org}`)
  const tokens = new Set(given.map(({ appType }) => appType))
  const others = (await listCatalogProducts(tx, org)).filter(({ appType }) => !tokens.has(appType))
  // What was there is listed first: a product that shares something with another is blamed if it came later.
  const problems = catalogProblems([...products, ...others, ...given])
  if (others.length + given.length > ownProductsMaximum)
    problems.push(`an organization can add at most ${ownProductsMaximum} products`)
  if (problems.length > 0)
    throw invalidRequest(problems.map((message) => ({ in: 'body', name: 'products', message })))
  await putCatalogProducts(tx, org, given, nowSeconds)
  return given
}

/** What became of a product that was to be removed, and the places of the controls that keep it. */
export interface RemovalOutcome {
  readonly isRemoved: boolean
  readonly namedAt: readonly string[]
}

/** Removes a product that an organization added, unless its controls name it: they could not be changed any more. */
export async function removeUnnamedProduct(
  tx: Tx,
  org: number,
  appType: string,
  nowSeconds: number,
): Promise<RemovalOutcome> {
  await tx.lock(`controls ${org}`)
  const controls = await readControls(tx, org)
  const own = await listCatalogProducts(tx, org)
  const mistakenWith = (added: readonly Product[]) => {
    const appTypes = new Set([...products, ...added].map((product) => product.appType))
    return new Set(controlsMistakes(controls, appTypes).map(({ name }) => name))
  }
  const others = own.filter((product) => product.appType !== appType)
  const namedAt = [...mistakenWith(others).difference(mistakenWith(own))]
  const isRemoved = namedAt.length === 0 && (await removeCatalogProduct(tx, org, appType, nowSeconds))
  return { isRemoved, namedAt }
}

function readOne(value: unknown, index: number, mistakes: Mistake[]): Product[] {
  try {
    return [readProduct(Buffer.from(JSON.stringify(value) ?? '')) as Product]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    mistakes.push(
      ...error.mistakes.map((mistake) => ({ ...mistake, name: `products[${index}].${mistake.name}` })),
    )
    return []
  }
}
