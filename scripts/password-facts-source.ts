import { canonicalHost } from '../contract/src/catalog/host-name.ts'
import type { Product } from '../contract/src/catalog/product.ts'
import type { AccountSystem, PasswordSite } from '../contract/src/password-facts/password-facts-schema.ts'
import { publicSuffixKind } from '../contract/src/text/public-suffix.ts'

/** Parsed files of the folder `quirks` of github.com/apple/password-manager-resources. */
export interface PasswordQuirks {
  readonly shared: readonly CredentialGroup[]
  readonly historical: readonly CredentialGroup[]
  readonly changeUrls: Readonly<Record<string, string>>
  readonly appendCode: readonly string[]
  readonly askForOthers: readonly string[]
}

/** Sites that share credentials: all with each other, or `from` with `to`. */
export type CredentialGroup =
  | { readonly shared: readonly string[] }
  | { readonly from: readonly string[]; readonly to: readonly string[] }

/** Hosts of a system while it is built. A host in several sets belongs to the least trusted one. */
interface Draft {
  readonly domains: Set<string>
  readonly from: Set<string>
  readonly former: Set<string>
}

/**
 * Returns the account systems of the groups. Groups that share a host, or have hosts of the same catalog product, are merged
 * into one system.
 */
export function accountSystemsFrom(
  { shared, historical }: Pick<PasswordQuirks, 'shared' | 'historical'>,
  products: readonly Product[],
): AccountSystem[] {
  const tokens = new Map(
    products.flatMap(({ appType, domains, loginHosts }) =>
      [...domains, ...loginHosts].map((host) => [host, appType] as const),
    ),
  )
  const drafts: Draft[] = []
  const owners = new Map<string, Draft>()
  for (const found of [...shared.map(currentDraft), ...historical.map(formerDraft)]) {
    const keys = hostsOf(found).flatMap((host) => [host, tokens.get(host) ?? host])
    const known = new Set(keys.flatMap((key) => owners.get(key) ?? []))
    const draft = [...known].reduce(joined, found)
    for (const old of known) drafts.splice(drafts.indexOf(old), 1)
    drafts.push(draft)
    for (const host of hostsOf(draft))
      for (const key of [host, tokens.get(host) ?? host]) owners.set(key, draft)
  }
  return drafts.map(systemOf).filter((system) => Object.values(system).flat().length > 1)
}

const draftOf = (domains: readonly string[], from: readonly string[], former: readonly string[]): Draft => ({
  domains: new Set(domains.flatMap(siteHosts)),
  from: new Set(from.flatMap(siteHosts)),
  former: new Set(former.flatMap(siteHosts)),
})

const currentDraft = (group: CredentialGroup): Draft =>
  'shared' in group ? draftOf(group.shared, [], []) : draftOf(group.to, group.from, [])

const formerDraft = (group: CredentialGroup): Draft =>
  draftOf([], [], 'shared' in group ? group.shared : [...group.from, ...group.to])

const hostsOf = ({ domains, from, former }: Draft) => [...domains, ...from, ...former]

const joined = (one: Draft, other: Draft): Draft => ({
  domains: one.domains.union(other.domains),
  from: one.from.union(other.from),
  former: one.former.union(other.former),
})

function systemOf(draft: Draft): AccountSystem {
  const domains = draft.domains.difference(draft.from)
  const former = draft.former.difference(draft.domains).difference(draft.from)
  return {
    domains: [...domains],
    ...(draft.from.size > 0 && { from: [...draft.from] }),
    ...(former.size > 0 && { former: [...former] }),
  }
}

/** Returns the facts about single sites. */
export function passwordSitesFrom({ changeUrls, appendCode, askForOthers }: PasswordQuirks): PasswordSite[] {
  const sites = new Map<string, PasswordSite>()
  const add = (host: string, fact: Omit<PasswordSite, 'host'>) => {
    for (const name of siteHosts(host)) sites.set(name, { ...(sites.get(name) ?? { host: name }), ...fact })
  }
  for (const [host, changeUrl] of Object.entries(changeUrls))
    if (URL.parse(changeUrl)?.protocol === 'https:') add(host, { changeUrl })
  for (const host of appendCode) add(host, { appendsCode: true })
  for (const host of askForOthers) add(host, { asksForOthers: true })
  return [...sites.values()]
}

/** Returns a name as a host, or nothing for a public suffix, whose sites have many owners. */
function siteHosts(name: string): string[] {
  const host = canonicalHost(name)
  if (host === undefined) throw new Error(`${name} is not a host name`)
  return publicSuffixKind(host) === undefined ? [host] : []
}
