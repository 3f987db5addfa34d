import { ApiError, invalidRequest, type Mistake } from '@muster/contract/api/errors'
import { catalogProblems } from '@muster/contract/catalog/catalog-check'
import type { Product } from '@muster/contract/catalog/product'
import { ProductSchema } from '@muster/contract/catalog/product-schema'
import { products } from '@muster/contract/catalog/products'
import { bodyReader } from '../../kernel/http/body.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { controlsMistakes } from '../controls/controls.rules.ts'
import {
  listCatalogProducts,
  removeCatalogProduct,
  upsertCatalogProducts,
} from './catalog-products.service.ts'

/**
 * Maximum number of products that an organization can add. All of them are part of the policy of every
 * browser.
 */
const ownProductsMaximum = 1000

const readProduct = bodyReader(ProductSchema)

/**
 * Adds products to an organization's catalog, with the same checks as Muster's products. Added products with
 * the same token are replaced; existing apps (other) on their domains are not changed.
 *
 * @param added one product or a list of them, as JSON
 * @returns the added products
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
  const given = list.flatMap((value: unknown, index) => checkProduct(value, index, mistakes))
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  await tx.lock(`catalog ${org}`)
  const tokens = new Set(given.map(({ appType }) => appType))
  const others = (await listCatalogProducts(tx, org)).filter(({ appType }) => !tokens.has(appType))
  // Existing products first: conflicts are reported for the later product.
  const problems = catalogProblems([...products, ...others, ...given])
  if (others.length + given.length > ownProductsMaximum)
    problems.push(`an organization can add at most ${ownProductsMaximum} products`)
  if (problems.length > 0)
    throw invalidRequest(problems.map((message) => ({ in: 'body', name: 'products', message })))
  await upsertCatalogProducts(tx, org, given, nowSeconds)
  return given
}

/** Result of a removal, with the members of the controls that prevent it. */
export interface RemovalOutcome {
  readonly isRemoved: boolean
  readonly namedAt: readonly string[]
}

/**
 * Removes an added product unless the controls name it. Controls with an unknown product could no longer be
 * changed.
 */
export async function removeUnreferencedProduct(
  tx: Tx,
  org: number,
  appType: string,
  nowSeconds: number,
): Promise<RemovalOutcome> {
  await tx.lock(`controls ${org}`)
  const controls = await readControls(tx, org)
  const own = await listCatalogProducts(tx, org)
  const mistakesWith = (added: readonly Product[]) => {
    const appTypes = new Set([...products, ...added].map((product) => product.appType))
    return new Set(controlsMistakes(controls, appTypes).map(({ name }) => name))
  }
  const others = own.filter((product) => product.appType !== appType)
  const namedAt = [...mistakesWith(others).difference(mistakesWith(own))]
  const isRemoved = namedAt.length === 0 && (await removeCatalogProduct(tx, org, appType, nowSeconds))
  return { isRemoved, namedAt }
}

function checkProduct(value: unknown, index: number, mistakes: Mistake[]): Product[] {
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
