import type { Product } from '@muster/contract/catalog/product'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** The products that an organization added to the catalog, by token. */
export async function listCatalogProducts(db: Reader, org: number): Promise<Product[]> {
  const sql = 'SELECT product FROM catalog_products WHERE org = ? ORDER BY app_type'
  return (await db.all<{ product: string }>(sql, [org])).map(({ product }) => JSON.parse(product) as Product)
}

/** Adds products, or puts them in the place of those with the same token, and tells browsers; they must be checked. */
export async function putCatalogProducts(
  tx: Tx,
  org: number,
  products: readonly Product[],
  nowSeconds: number,
): Promise<void> {
  await tx.insert(
    'catalog_products',
    ['org', 'app_type', 'product'],
    products.map((product) => [org, product.appType, JSON.stringify(product)]),
    'ON CONFLICT (org, app_type) DO UPDATE SET product = excluded.product',
  )
  await bumpPolicyRevision(tx, org, nowSeconds)
}

/** Removes a product; false if there is none. */
export async function removeCatalogProduct(
  tx: Tx,
  org: number,
  appType: string,
  nowSeconds: number,
): Promise<boolean> {
  const sql = 'DELETE FROM catalog_products WHERE org = ? AND app_type = ?'
  const removed = (await tx.run(sql, [org, appType])) > 0
  if (removed) await bumpPolicyRevision(tx, org, nowSeconds)
  return removed
}
