import type { AgentPolicy, PolicyProduct } from '@muster/contract/agent-policy'
import { type Catalogue, createCatalogue } from '@muster/contract/catalogue/catalogue'
import { products } from '@muster/contract/catalogue/products'

let known: { readonly added: readonly PolicyProduct[]; readonly catalogue: Catalogue } | null = null

const noProducts: readonly PolicyProduct[] = []

/** The catalogue with what the organisation added to it. */
export function catalogueOf(policy: Pick<AgentPolicy, 'products'> | null): Catalogue {
  const added = policy?.products ?? noProducts
  if (known?.added !== added) {
    const more = added.map((product) => ({ ...product, website: '', description: '' }))
    known = { added, catalogue: createCatalogue(products, more) }
  }
  return known.catalogue
}
