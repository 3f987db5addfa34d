import { getDomain } from 'tldts'
import { canonicalHost } from './host-name.ts'
import type { IdentityProviderToken, Product } from './product.ts'
import { aiProducts } from './products-ai.ts'
import { automationProducts } from './products-automation.ts'
import { cloudProducts } from './products-cloud.ts'
import { collaborationProducts } from './products-collaboration.ts'
import { commerceProducts } from './products-commerce.ts'
import { dataProducts } from './products-data.ts'
import { designProducts } from './products-design.ts'
import { developmentProducts } from './products-development.ts'
import { filesProducts } from './products-files.ts'
import { financeProducts } from './products-finance.ts'
import { googleProducts } from './products-google.ts'
import { identityProducts } from './products-identity.ts'
import { knowledgeProducts } from './products-knowledge.ts'
import { learningProducts } from './products-learning.ts'
import { marketingProducts } from './products-marketing.ts'
import { microsoftProducts } from './products-microsoft.ts'
import { operationsProducts } from './products-operations.ts'
import { peopleProducts } from './products-people.ts'
import { salesProducts } from './products-sales.ts'
import { securityProducts } from './products-security.ts'
import { socialProducts } from './products-social.ts'
import { supportProducts } from './products-support.ts'

const byToken = (a: Product, b: Product) => (a.appType < b.appType ? -1 : 1)

/** The products that Muster knows out of the box, by their tokens. */
export const products: readonly Product[] = [
  ...aiProducts,
  ...automationProducts,
  ...cloudProducts,
  ...collaborationProducts,
  ...commerceProducts,
  ...dataProducts,
  ...designProducts,
  ...developmentProducts,
  ...filesProducts,
  ...financeProducts,
  ...googleProducts,
  ...identityProducts,
  ...knowledgeProducts,
  ...learningProducts,
  ...marketingProducts,
  ...microsoftProducts,
  ...operationsProducts,
  ...peopleProducts,
  ...salesProducts,
  ...securityProducts,
  ...socialProducts,
  ...supportProducts,
].sort(byToken)

/** Finds products. A look-up costs one map access for each label of a host, however many products there are. */
export interface Catalogue {
  /** All products, by their tokens. */
  readonly all: readonly Product[]
  byType(appType: string): Product | undefined
  /** The product of a host: of the sign-in page there, or of the longest of its names. Undefined for other hosts. */
  byHost(host: string): Product | undefined
  /** The provider whose sign-in page a host shows; undefined where people sign in to the app itself. */
  providerByHost(host: string): IdentityProviderToken | undefined
}

/**
 * A catalogue of the products. Where two share a token, a name or a host (`catalogueProblems` tells), the later one
 * has it, so that what an operator adds stands after the products of Muster and holds whatever they come to be.
 */
export function createCatalogue(list: readonly Product[]): Catalogue {
  const types = new Map(list.map((product) => [product.appType, product]))
  const all = [...types.values()].sort(byToken)
  const inOrder = list.filter((product) => types.get(product.appType) === product)
  const signIns = hostMap(inOrder, ({ loginHosts }) => loginHosts)
  const domains = hostMap(inOrder, (product) => product.domains)
  const providers = inOrder.filter(({ identityProvider }) => identityProvider !== undefined)
  const providerHosts = hostMap(providers, ({ loginHosts }) => loginHosts)
  const providerSuffixes = hostMap(providers, ({ hostPatterns = [] }) =>
    hostPatterns.map((pattern) => pattern.replace(/^\*\./, '')),
  )
  return {
    all,
    byType: (appType) => types.get(appType),
    byHost: (host) => find(signIns, domains, host),
    providerByHost: (host) => find(providerHosts, providerSuffixes, host)?.identityProvider,
  }
}

/**
 * The name by which an app outside the catalogue is known: the registrable domain of its host by the public suffix
 * list, where the sites of a host's customers (`ada.github.io`) are apart. Addresses, single labels and public
 * suffixes answer themselves, in the form of `canonicalHost`. Undefined for what is not a host.
 */
export function registrableHost(host: string): string | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return undefined
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false }) ?? name
}

type HostMap = ReadonlyMap<string, Product>

const hostMap = (list: readonly Product[], hostsOf: (product: Product) => readonly string[]): HostMap =>
  new Map(list.flatMap((product) => hostsOf(product).map((host) => [host, product] as const)))

/** The product that has the host itself, or else the longest of its suffixes. */
function find(exact: HostMap, suffixes: HostMap, host: string): Product | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return undefined
  const found = exact.get(name)
  if (found) return found
  for (let start = 0; start >= 0; ) {
    const product = suffixes.get(name.slice(start))
    if (product) return product
    const dot = name.indexOf('.', start)
    start = dot < 0 ? -1 : dot + 1
  }
  return undefined
}
