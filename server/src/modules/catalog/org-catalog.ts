import { type Catalog, createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import type { Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from './catalog-products.service.ts'

const baseCatalog = createCatalog(products)

/** Returns the catalog of an organization: Muster's products and those that it added. */
export async function orgCatalog(reader: Reader, org: number): Promise<Catalog> {
  const added = await listCatalogProducts(reader, org)
  return added.length === 0 ? baseCatalog : createCatalog(products, added)
}
