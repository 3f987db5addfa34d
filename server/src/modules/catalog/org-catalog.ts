import { type Catalogue, createCatalogue } from '@muster/contract/catalogue/catalogue'
import { products } from '@muster/contract/catalogue/products'
import type { Reader } from '../../kernel/store/sql.ts'
import { listCatalogueProducts } from './catalog-products.service.ts'

const ours = createCatalogue(products)

/** Returns the catalog of an organization: Muster's products and those that it added. */
export async function orgCatalogue(reader: Reader, org: number): Promise<Catalogue> {
  const added = await listCatalogueProducts(reader, org)
  return added.length === 0 ? ours : createCatalogue(products, added)
}
