import { getDomain } from 'tldts'
import { canonicalHost } from './host-name.ts'
import type { IdentityProviderToken, Product } from './product.ts'

const byToken = (a: Product, b: Product) => (a.appType < b.appType ? -1 : 1)

/** Finds products. A lookup costs one map access per label of a host, independent of the number of products. */
export interface Catalog {
  /** All products by app type. */
  readonly all: readonly Product[]
  byType(appType: string): Product | undefined
  /** Returns the product of a host: by sign-in page, or by the longest matching domain. Undefined for other hosts. */
  byHost(host: string): Product | undefined
  /** Returns the provider whose sign-in page a host shows; undefined for other hosts. */
  providerByHost(host: string): IdentityProviderToken | undefined
}

/** Maps of one list of products, by app type and host. */
interface Layer {
  readonly types: ReadonlyMap<string, Product>
  readonly signIns: HostMap
  readonly domains: HostMap
  readonly providerHosts: HostMap
  readonly providerSuffixes: HostMap
}

/** Layers by their lists: the maps of the shipped products are built once per process, not once per organization. */
const layers = new WeakMap<readonly Product[], Layer>()

function layerOf(list: readonly Product[]): Layer {
  const known = layers.get(list)
  if (known) return known
  const types = new Map(list.map((product) => [product.appType, product]))
  const current = list.filter((product) => types.get(product.appType) === product)
  const providers = current.filter(({ identityProvider }) => identityProvider !== undefined)
  const layer = {
    types,
    signIns: hostMap(current, ({ loginHosts }) => loginHosts),
    domains: hostMap(current, (product) => product.domains),
    providerHosts: hostMap(providers, ({ loginHosts }) => loginHosts),
    providerSuffixes: hostMap(providers, ({ hostPatterns = [] }) =>
      hostPatterns.map((pattern) => pattern.replace(/^\*\./, '')),
    ),
  }
  layers.set(list, layer)
  return layer
}

/**
 * Creates a catalog from lists of products that do not change. Where two products share a token, a name or a host
 * (`catalogProblems` reports it), the later one wins: pass the products of an operator after those of Muster.
 */
export function createCatalog(...lists: readonly (readonly Product[])[]): Catalog {
  const newestFirst = lists.map(layerOf).reverse()
  const byType = (appType: string) => {
    for (const { types } of newestFirst) {
      const product = types.get(appType)
      if (product) return product
    }
    return undefined
  }
  const find = (exact: HostKey, suffixes: HostKey, host: string) =>
    findByHost(newestFirst, exact, suffixes, host, (product) => byType(product.appType) === product)
  let all: readonly Product[] | undefined
  return {
    get all() {
      all ??= [...new Map(lists.flat().map((product) => [product.appType, product])).values()].sort(byToken)
      return all
    },
    byType,
    byHost: (host) => find('signIns', 'domains', host),
    providerByHost: (host) => find('providerHosts', 'providerSuffixes', host)?.identityProvider,
  }
}

/**
 * Returns the domain that identifies an app outside the catalog: the registrable domain by the public suffix list, so
 * customer sites (`ada.github.io`) are separate apps. IP addresses, single labels and public suffixes are returned in
 * canonical form. Undefined if the text is not a host.
 */
export function registrableHost(host: string): string | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return undefined
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name
}

type HostMap = ReadonlyMap<string, Product>
type HostKey = 'signIns' | 'domains' | 'providerHosts' | 'providerSuffixes'

const hostMap = (list: readonly Product[], hostsOf: (product: Product) => readonly string[]): HostMap =>
  new Map(list.flatMap((product) => hostsOf(product).map((host) => [host, product] as const)))

/** Returns the product of the host or of its longest suffix. */
function findByHost(
  newestFirst: readonly Layer[],
  exact: HostKey,
  suffixes: HostKey,
  host: string,
  isCurrent: (product: Product) => boolean,
): Product | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return undefined
  const lookUp = (key: HostKey, part: string) => {
    for (const layer of newestFirst) {
      const product = layer[key].get(part)
      if (product && isCurrent(product)) return product
    }
    return undefined
  }
  const found = lookUp(exact, name)
  if (found) return found
  for (let start = 0; start >= 0; ) {
    const product = lookUp(suffixes, name.slice(start))
    if (product) return product
    const dot = name.indexOf('.', start)
    start = dot < 0 ? -1 : dot + 1
  }
  return undefined
}
