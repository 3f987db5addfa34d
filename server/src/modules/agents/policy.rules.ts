import type { PolicyBanner, PolicyProduct, PolicyProtection } from '@muster/contract/agent-policy'
import type { App } from '@muster/contract/app'
import type { Product } from '@muster/contract/catalog/product'
import type { Banner, Controls } from '@muster/contract/controls'

/** What rules look at of an employee. */
export interface ScopedEmployee {
  readonly id: string
  readonly groups: readonly string[]
}

/** What banners look at of an app; one that nobody has rated is there with nulls. */
export type BannerApp = Pick<App, 'type' | 'approvalStatus' | 'sensitivityLevel' | 'labels'>

/** What stands in a document for all employees of an organization alike. */
export interface BannerFacts {
  /** The apps that are known, and those that banners name: by the catalog's token. */
  readonly apps: readonly BannerApp[]
  /** The registrable domains of the apps (other). */
  readonly otherDomains: readonly string[]
}

type Protection = Controls['clonedLoginPages']
type Rule = Protection['rules'][number]

/** What names nothing fits everything. */
const names = <T>(list: readonly T[] | undefined): list is readonly T[] =>
  list !== undefined && list.length > 0

const fitsEmployee = (
  { employeeIds, groups }: Pick<Rule, 'employeeIds' | 'groups'>,
  employee: ScopedEmployee,
): boolean =>
  (!names(employeeIds) || employeeIds.includes(employee.id)) &&
  (!names(groups) || groups.some((group) => employee.groups.includes(group)))

/** A protection as it is for an employee: the first rule that fits decides (domain contract, section 7). */
export function protectionFor({ mode, rules }: Protection, employee: ScopedEmployee): PolicyProtection {
  const fitting = rules.filter((rule) => fitsEmployee(rule, employee))
  const modeOf = (appType?: string) =>
    fitting.find(({ appTypes }) => !names(appTypes) || (appType !== undefined && appTypes.includes(appType)))
      ?.mode ?? mode
  const usual = modeOf()
  const named = [...new Set(fitting.flatMap(({ appTypes }) => appTypes ?? []))].sort()
  const byApp = named.map((appType) => [appType, modeOf(appType)] as const)
  return { mode: usual, byApp: Object.fromEntries(byApp.filter(([, own]) => own !== usual)) }
}

/** Whether a banner looks at nothing of an app, and so fits also those outside the catalog. */
export const fitsEveryApp = (banner: Banner): boolean =>
  !names(banner.appTypes) &&
  !names(banner.approvalStatuses) &&
  !names(banner.sensitivityLevels) &&
  !names(banner.labels)

function fitsApp(banner: Banner, app: BannerApp): boolean {
  const { appTypes, approvalStatuses, sensitivityLevels, labels } = banner
  const carried = app.labels.map((label) => label.toLowerCase())
  return (
    (!names(appTypes) || appTypes.includes(app.type)) &&
    (!names(approvalStatuses) || approvalStatuses.some((status) => status === app.approvalStatus)) &&
    (!names(sensitivityLevels) || sensitivityLevels.some((level) => level === app.sensitivityLevel)) &&
    (!names(labels) || labels.some((label) => carried.includes(label.toLowerCase())))
  )
}

/**
 * Returns the banner of each app for an employee: the first that fits. Apps without one are left out. Apps that nobody
 * has rated and no banner names share one entry without app and domain, or the policy would list the whole catalog.
 */
export function bannersFor(
  banners: readonly Banner[],
  { apps, otherDomains }: BannerFacts,
  employee: ScopedEmployee,
): PolicyBanner[] {
  const own = banners.filter((banner) => fitsEmployee(banner, employee))
  if (own.length === 0) return []
  const everywhere = own.find(fitsEveryApp)
  return [
    ...apps.flatMap((app) => {
      const banner = own.find((one) => fitsApp(one, app))
      return banner ? [shownOn(banner, app.type, null)] : []
    }),
    ...(everywhere ? otherDomains.map((domain) => shownOn(everywhere, null, domain)) : []),
    ...(everywhere ? [shownOn(everywhere, null, null)] : []),
  ]
}

const shownOn = (
  { id, mode, title, subtext, buttonText }: Banner,
  appType: string | null,
  domain: string | null,
): PolicyBanner => ({ id, appType, domain, mode, title, subtext, buttonText })

/** Returns the apps whose banner may differ from that of all others: those of the organization, and those a banner names. */
export function bannerApps(apps: readonly BannerApp[], banners: readonly Banner[]): BannerApp[] {
  const rated = new Map(apps.map((app) => [app.type, app]))
  const named = banners.flatMap(({ appTypes }) => appTypes ?? [])
  const types = new Set([...rated.keys(), ...named])
  return [...types]
    .sort()
    .map((type) => rated.get(type) ?? { type, approvalStatus: null, sensitivityLevel: null, labels: [] })
}

/** The apps whose passwords are protected: those chosen, or all identity providers of the catalog. */
export const protectedAppTypesOf = (
  { protectedAppTypes }: Controls,
  products: readonly Product[],
): readonly string[] =>
  protectedAppTypes ??
  products.flatMap(({ appType, identityProvider }) => (identityProvider === undefined ? [] : [appType]))

/** Returns as much of a product as browsers need: how to know its hosts and, of a provider, its sign-in page. */
export function policyProduct(product: Product): PolicyProduct {
  const { appType, friendlyName, domains, loginHosts, identityProvider, brandWords, hostPatterns } = product
  return {
    appType,
    friendlyName,
    domains,
    loginHosts,
    ...(identityProvider !== undefined && { identityProvider }),
    ...(brandWords && { brandWords }),
    ...(hostPatterns && { hostPatterns }),
  }
}
