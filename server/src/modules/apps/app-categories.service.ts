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

/** Returns the app types with one of the main categories. */
export async function appTypesIn(
  db: Reader,
  org: number,
  categories: readonly ProductCategoryId[],
): Promise<string[]> {
  const wanted = new Set<ProductCategoryId | undefined>(categories)
  return [...(await mainCategories(db, org))]
    .filter(([, category]) => wanted.has(category))
    .map(([appType]) => appType)
}
