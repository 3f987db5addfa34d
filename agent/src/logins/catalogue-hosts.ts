import type { Catalogue } from '@muster/contract/catalogue/catalogue'
import type { HostFacts } from './federation.ts'

/** What the flows need to know of hosts, from a catalogue. */
export const catalogueHosts = (catalogue: Catalogue): HostFacts => ({
  providerByHost: (host) => catalogue.providerByHost(host),
  appTypeByHost: (host) => catalogue.byHost(host)?.appType,
})
