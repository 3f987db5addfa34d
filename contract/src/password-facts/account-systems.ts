import type { Catalogue } from '../catalogue/catalogue.ts'
import { hostAndParents } from '../catalogue/host-name.ts'
import type { Product } from '../catalogue/product.ts'
import { accountSystems } from './password-facts.ts'
import type { AccountSystem } from './password-facts-schema.ts'

/** What a host is to its account system. */
interface Member {
  readonly system: AccountSystem
  /** True if its accounts work at the system's domains. */
  readonly gives: boolean
  /** True if accounts of the system work at it. */
  readonly takes: boolean
}

const members: ReadonlyMap<string, Member> = new Map(
  accountSystems.flatMap((system) => {
    const { domains, from = [], former = [] } = system
    return [
      ...former.map((host) => [host, { system, gives: false, takes: false }] as const),
      ...from.map((host) => [host, { system, gives: true, takes: false }] as const),
      ...domains.map((host) => [host, { system, gives: true, takes: true }] as const),
    ]
  }),
)

const memberAt = (host: string): Member | undefined => {
  for (const name of hostAndParents(host)) {
    const member = members.get(name)
    if (member) return member
  }
  return undefined
}

/** Returns the members among the names of a product: its system may know one of its domains only. */
const membersOf = ({ domains, loginHosts }: Product): Member[] =>
  [...domains, ...loginHosts].flatMap((name) => memberAt(name) ?? [])

/** Returns an app's members. An app is a token of the catalog or a registrable domain. */
function membersOfApp(catalogue: Catalogue, app: string): Member[] {
  const product = productOf(catalogue, app)
  return product ? membersOf(product) : [memberAt(app) ?? []].flat()
}

const productOf = (catalogue: Catalogue, app: string) => catalogue.byType(app) ?? catalogue.byHost(app)

/**
 * Returns the name of the place where the accounts of an app are. Apps with the same place share their accounts, now or in
 * the past: the same password there is one password, not a reused one.
 *
 * @param app a token of the catalog, or a registrable domain
 */
export function placeOf(catalogue: Catalogue, app: string): string {
  const [member] = membersOfApp(catalogue, app)
  if (member) return placeName(member.system)
  return productOf(catalogue, app)?.appType ?? app
}

const placeName = ({ domains, former = [] }: AccountSystem): string => domains[0] ?? former[0] ?? ''

/** Returns true if an app may have the same place as another. */
export const sharesAccounts = (catalogue: Catalogue, app: string): boolean =>
  membersOfApp(catalogue, app).length > 0

/**
 * Returns true if a page takes the accounts of an app: its password belongs there. Narrower than `placeOf`: a domain that was
 * given up, or shared accounts only in the past, may have another owner by now.
 *
 * @param host the host of the page
 * @param app a token of the catalog, or a registrable domain
 */
export function takesAccountsOf(catalogue: Catalogue, host: string, app: string): boolean {
  const product = catalogue.byHost(host)
  const page = [memberAt(host) ?? [], product ? membersOf(product) : []].flat()
  return membersOfApp(catalogue, app).some(
    ({ gives, system }) => gives && page.some((member) => member.takes && member.system === system),
  )
}
