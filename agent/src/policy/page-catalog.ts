import type { AgentPolicy, PolicyProduct } from '@muster/contract/agent/agent-policy'
import { type Catalog, createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'

let known: { readonly added: readonly PolicyProduct[]; readonly catalog: Catalog } | null = null

const noProducts: readonly PolicyProduct[] = []

/** Returns the catalog including the organization's own products. */
export function catalogOf(policy: Pick<AgentPolicy, 'products'> | null): Catalog {
  const added = policy?.products ?? noProducts
  if (known?.added !== added) {
    const more = added.map((product) => ({ ...product, website: '', description: '' }))
    known = { added, catalog: createCatalog(products, more) }
  }
  return known.catalog
}
