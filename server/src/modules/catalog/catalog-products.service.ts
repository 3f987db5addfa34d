import type { Product } from '@muster/contract/catalog/product'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Lists the products that an organization added to the catalog, sorted by token. */
export async function listCatalogProducts(db: Reader, org: number): Promise<Product[]> {
  const sql = 'SELECT product FROM catalog_products WHERE org = ? ORDER BY app_type'
  return (await db.all<{ product: string }>(sql, [org])).map(({ product }) => JSON.parse(product) as Product)
}

/** Adds validated products, or replaces those with the same token, and updates the policy. */
export async function upsertCatalogProducts(
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

/** Removes a product; false if unknown. */
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
