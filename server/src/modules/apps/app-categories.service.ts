import type { Product } from '@muster/contract/catalog/product'
import type { ProductCategoryId } from '@muster/contract/catalog/product-categories'
import { products } from '@muster/contract/catalog/products'
import type { Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'

const categoryOf = ({ categories = [] }: Product): ProductCategoryId | undefined => categories[0]

const known = new Map(products.map((product) => [product.appType, categoryOf(product)]))

/** Returns the main category of each app type in the catalog of an organization. Some custom apps have none. */
export async function mainCategories(
  db: Reader,
  org: number,
): Promise<ReadonlyMap<string, ProductCategoryId | undefined>> {
  const added = await listCatalogProducts(db, org)
  if (added.length === 0) return known
  return new Map([...known, ...added.map((product) => [product.appType, categoryOf(product)] as const)])
}

/** Returns the types of the apps in use, by main category. Types without a category are under `undefined`. */
export async function usedTypesByCategory(
  db: Reader,
  org: number,
): Promise<ReadonlyMap<ProductCategoryId | undefined, readonly string[]>> {
  const categories = await mainCategories(db, org)
  const used = await db.all<{ type: string }>('SELECT DISTINCT type FROM apps WHERE org = ?', [org])
  return Map.groupBy(
    used.map(({ type }) => type),
    (type) => categories.get(type),
  )
}

/** Returns the types of the apps in use with one of the main categories. */
export async function appTypesIn(
  db: Reader,
  org: number,
  categories: readonly ProductCategoryId[],
): Promise<string[]> {
  const types = await usedTypesByCategory(db, org)
  return categories.flatMap((category) => types.get(category) ?? [])
}
