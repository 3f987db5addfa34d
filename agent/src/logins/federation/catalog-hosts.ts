import type { Catalog } from '@muster/contract/catalog/catalog'
import type { HostFacts } from './federation.ts'

/** What the flows need to know of hosts, from a catalog. */
export const catalogHosts = (catalog: Catalog): HostFacts => ({
  providerByHost: (host) => catalog.providerByHost(host),
  appTypeByHost: (host) => catalog.byHost(host)?.appType,
})
