import { getDomain } from 'tldts'
import { type Catalog, createCatalog } from './catalog.ts'
import { canonicalHost } from './host-name.ts'
import { appTypePattern, type Product } from './product.ts'

const sentence = /^\P{Ll}[^\n]*[^.\s]\.$/u
const betweenSentences = /[.!?]\s+\p{Lu}/u

/**
 * Returns the problems of a catalog as sentences that begin with the app type; empty if there are none. Expects products
 * that match `ProductSchema`. An added product must be checked together with the existing ones.
 */
export function catalogProblems(list: readonly Product[]): string[] {
  const bySuffix = createCatalog(list.map((product) => ({ ...product, loginHosts: [] })))
  return [
    ...list.flatMap((product) =>
      [...textProblems(product), ...hostProblems(product, bySuffix), ...providerProblems(product)].map(
        (problem) => `${product.appType}: ${problem}`,
      ),
    ),
    ...sharedProblems(list),
  ]
}

/** Returns the messages whose condition is true. */
const messages = (...checks: readonly (readonly [wrong: boolean, message: string])[]): string[] =>
  checks.filter(([wrong]) => wrong).map(([, message]) => message)

const textProblems = ({ appType, website, description }: Product): string[] =>
  messages(
    [!new RegExp(appTypePattern).test(appType), 'the token must be UPPER_SNAKE'],
    [!isHttps(website), `the website must be an https URL, not ${website}`],
    [
      !sentence.test(description) || betweenSentences.test(description) || description.length > 200,
      'the description must be one sentence of at most 200 characters, with its full stop',
    ],
  )

const isHttps = (website: string) =>
  URL.canParse(website) && new URL(website).protocol === 'https:' && website === website.trim()

function hostProblems(
  { appType, domains, loginHosts, hostPatterns = [] }: Product,
  bySuffix: Catalog,
): string[] {
  const patternHosts = hostPatterns.map((pattern) => pattern.replace(/^\*\./, ''))
  const isOwn = (host: string) => bySuffix.byHost(host)?.appType === appType
  // A product that hosts customer sites signs in at the parent and owns only some hosts below it.
  const isSharedParent = (host: string) =>
    !bySuffix.byHost(host) &&
    loginHosts.includes(host) &&
    domains.some((domain) => domain.endsWith(`.${host}`))
  return [
    ...messages([domains.length === 0, 'it must have a domain']),
    ...domains.flatMap((domain) =>
      messages([
        domains.some((other) => domain.endsWith(`.${other}`)),
        `the domain ${domain} is below another of its domains: leave it out`,
      ]),
    ),
    ...[...new Set([...domains, ...loginHosts, ...patternHosts])].flatMap((host) =>
      messages([
        canonicalHost(host) !== host || getDomain(host) === null,
        `${host} must be a host name in lower case, under a registrable domain`,
      ]),
    ),
    ...[...loginHosts, ...patternHosts].flatMap((host) =>
      messages([
        !isOwn(host) && !isSharedParent(host),
        `${host} must be in its domains, and in no deeper one of another product`,
      ]),
    ),
    ...hostPatterns.flatMap((pattern) =>
      messages([!pattern.startsWith('*.'), `the pattern ${pattern} must begin with *.`]),
    ),
  ]
}

function providerProblems(product: Product): string[] {
  const { appType, identityProvider, brandWords = [], hostPatterns = [], loginHosts } = product
  if (identityProvider === undefined) {
    return messages([
      brandWords.length + hostPatterns.length > 0,
      'brand words and host patterns are for identity providers',
    ])
  }
  return messages(
    [identityProvider !== appType, `the identity provider must be its own token, not ${identityProvider}`],
    [brandWords.length === 0, 'an identity provider must have brand words'],
    [
      loginHosts.length + hostPatterns.length === 0,
      'an identity provider must have a host where one signs in',
    ],
  )
}

/** Unique facts of a product, by their name in messages. */
const unique: Readonly<Record<string, (product: Product) => readonly string[]>> = {
  token: ({ appType }) => [appType],
  name: ({ friendlyName }) => [friendlyName.toLowerCase()],
  domain: ({ domains }) => domains,
  'login host': ({ loginHosts }) => loginHosts,
}

function sharedProblems(list: readonly Product[]): string[] {
  return Object.entries(unique).flatMap(([name, factsOf]) => {
    const owners = new Map<string, string[]>()
    for (const product of list) {
      for (const fact of factsOf(product)) owners.set(fact, [...(owners.get(fact) ?? []), product.appType])
    }
    return [...owners]
      .filter(([, tokens]) => tokens.length > 1)
      .map(([fact, tokens]) => `${tokens.at(-1)}: the ${name} ${fact} is there already, of ${tokens[0]}`)
  })
}
