import type { Catalog } from '@muster/contract/catalog/catalog'
import type { HostFacts } from './federation.ts'

/** Returns the host facts that sign-in flows need, read from a catalog. */
export const catalogHosts = (catalog: Catalog): HostFacts => ({
  providerByHost: (host) => catalog.providerByHost(host),
  appTypeByHost: (host) => catalog.byHost(host)?.appType,
})
