import type { Catalog } from '../catalog/catalog.ts'
import { canonicalHost, hostAndParents } from '../catalog/host-name.ts'
import type { Product } from '../catalog/product.ts'
import { accountSystems } from './password-facts.ts'
import type { AccountSystem } from './password-facts-schema.ts'

/** Role of a host in its account system. */
interface Member {
  readonly system: AccountSystem
  /** True if its accounts work at the system's domains. */
  readonly gives: boolean
  /** True if accounts of the system work at it. */
  readonly takes: boolean
}

const members: ReadonlyMap<string, Member> = new Map(
  accountSystems.flatMap((system) => [
    ...(system.former ?? []).map(member(system, false, false)),
    ...(system.from ?? []).map(member(system, true, false)),
    ...system.domains.map(member(system, true, true)),
  ]),
)

function member(system: AccountSystem, gives: boolean, takes: boolean): (host: string) => [string, Member] {
  return (host) => [host, { system, gives, takes }]
}

const memberAt = (host: string): Member | undefined => {
  for (const name of hostAndParents(canonicalHost(host) ?? '')) {
    const found = members.get(name)
    if (found) return found
  }
  return undefined
}

/** Returns the members among the names of a product: its system may know one of its domains only. */
const membersOf = ({ domains, loginHosts }: Product): Member[] =>
  [...domains, ...loginHosts].flatMap((name) => memberAt(name) ?? [])

/** Returns an app's members. An app is a token of the catalog or a registrable domain. */
function membersOfApp(catalog: Catalog, app: string): Member[] {
  const product = catalog.byType(app) ?? catalog.byHost(app)
  return product ? membersOf(product) : [memberAt(app) ?? []].flat()
}

/**
 * Returns the name of the account system of an app; undefined if it shares its accounts with no other. Apps of one system
 * share their accounts, now or in the past: the same password there is one password, not a reused one.
 *
 * @param app a token of the catalog, or a registrable domain
 */
export function accountSystemOf(catalog: Catalog, app: string): string | undefined {
  const system = membersOfApp(catalog, app)[0]?.system
  return system && (system.domains[0] ?? system.former?.[0])
}

/**
 * Returns true if a page takes the accounts of an app: its password belongs there. Narrower than `accountSystemOf`: a domain that was
 * given up, or shared accounts only in the past, may have another owner by now.
 *
 * @param host the host of the page
 * @param app a token of the catalog, or a registrable domain
 */
export function takesAccountsOf(catalog: Catalog, host: string, app: string): boolean {
  const product = catalog.byHost(host)
  const page = [memberAt(host) ?? [], product ? membersOf(product) : []].flat()
  return membersOfApp(catalog, app).some(
    ({ gives, system }) => gives && page.some((taker) => taker.takes && taker.system === system),
  )
}
