import type { PolicyBanner, PolicyProduct, PolicyProtection } from '@muster/contract/agent/agent-policy'
import type { Product } from '@muster/contract/catalog/product'
import type { App } from '@muster/contract/records/app'
import type { Banner, Controls } from '@muster/contract/records/controls'

/** Members of an employee that rules match. */
export interface ScopedEmployee {
  readonly id: string
  readonly groups: readonly string[]
}

/** Members of an app that banners match; null if not rated. */
export type BannerApp = Pick<App, 'type' | 'approvalStatus' | 'sensitivityLevel' | 'labels'>

/** Facts for banners that all employees of an organization share. */
export interface BannerFacts {
  /** Apps of the organization and apps that banners name. */
  readonly apps: readonly BannerApp[]
  /** Registrable domains of the apps (other). */
  readonly otherDomains: readonly string[]
}

type Protection = Controls['clonedLoginPages']
type Rule = Protection['rules'][number]

/** Returns true for a list that restricts a scope. An empty or missing list matches everything. */
const isRestricted = <T>(list: readonly T[] | undefined): list is readonly T[] =>
  list !== undefined && list.length > 0

const matchesEmployee = (
  { employeeIds, groups }: Pick<Rule, 'employeeIds' | 'groups'>,
  employee: ScopedEmployee,
): boolean =>
  (!isRestricted(employeeIds) || employeeIds.includes(employee.id)) &&
  (!isRestricted(groups) || groups.some((group) => employee.groups.includes(group)))

/** Returns a protection for an employee: the first matching rule applies (domain contract, section 7). */
export function protectionFor({ mode, rules }: Protection, employee: ScopedEmployee): PolicyProtection {
  const matching = rules.filter((rule) => matchesEmployee(rule, employee))
  const modeOf = (appType?: string) =>
    matching.find(
      ({ appTypes }) => !isRestricted(appTypes) || (appType !== undefined && appTypes.includes(appType)),
    )?.mode ?? mode
  const defaultMode = modeOf()
  const appTypesInRules = [...new Set(matching.flatMap(({ appTypes }) => appTypes ?? []))].sort()
  const byApp = appTypesInRules.map((appType) => [appType, modeOf(appType)] as const)
  return { mode: defaultMode, byApp: Object.fromEntries(byApp.filter(([, own]) => own !== defaultMode)) }
}

/** Returns true for a banner that matches every app, including apps outside the catalog. */
export const matchesEveryApp = (banner: Banner): boolean =>
  !isRestricted(banner.appTypes) &&
  !isRestricted(banner.approvalStatuses) &&
  !isRestricted(banner.sensitivityLevels) &&
  !isRestricted(banner.labels)

function matchesApp(banner: Banner, app: BannerApp): boolean {
  const { appTypes, approvalStatuses, sensitivityLevels, labels } = banner
  const appLabels = app.labels.map((label) => label.toLowerCase())
  return (
    (!isRestricted(appTypes) || appTypes.includes(app.type)) &&
    (!isRestricted(approvalStatuses) || approvalStatuses.some((status) => status === app.approvalStatus)) &&
    (!isRestricted(sensitivityLevels) || sensitivityLevels.some((level) => level === app.sensitivityLevel)) &&
    (!isRestricted(labels) || labels.some((label) => appLabels.includes(label.toLowerCase())))
  )
}

/** Returns the banners that an employee may see. */
export const bannersOf = (banners: readonly Banner[], employee: ScopedEmployee): Banner[] =>
  banners.filter((banner) => matchesEmployee(banner, employee))

/**
 * Returns the first matching banner of each app for an employee. Apps without a banner are left out. Apps
 * that are not rated and not named by a banner share one entry without app and domain; otherwise the policy
 * would list the whole catalog.
 */
export const bannersFor = (
  banners: readonly Banner[],
  facts: BannerFacts,
  employee: ScopedEmployee,
): PolicyBanner[] => bannersByApp(bannersOf(banners, employee), facts)

/** Returns the first matching banner of each app, as `bannersFor` does, among the banners of an employee. */
export function bannersByApp(own: readonly Banner[], { apps, otherDomains }: BannerFacts): PolicyBanner[] {
  if (own.length === 0) return []
  const everywhere = own.find(matchesEveryApp)
  return [
    ...apps.flatMap((app) => {
      const banner = own.find((one) => matchesApp(one, app))
      return banner ? [policyBanner(banner, app.type, null)] : []
    }),
    ...(everywhere ? otherDomains.map((domain) => policyBanner(everywhere, null, domain)) : []),
    ...(everywhere ? [policyBanner(everywhere, null, null)] : []),
  ]
}

const policyBanner = (
  { id, mode, title, subtext, buttonText }: Banner,
  appType: string | null,
  domain: string | null,
): PolicyBanner => ({ id, appType, domain, mode, title, subtext, buttonText })

/**
 * Returns the apps whose banner may differ from the default: apps of the organization, and apps that a banner
 * names.
 */
export function bannerApps(apps: readonly BannerApp[], banners: readonly Banner[]): BannerApp[] {
  const rated = new Map(apps.map((app) => [app.type, app]))
  const appTypesInBanners = banners.flatMap(({ appTypes }) => appTypes ?? [])
  const types = new Set([...rated.keys(), ...appTypesInBanners])
  return [...types]
    .sort()
    .map((type) => rated.get(type) ?? { type, approvalStatus: null, sensitivityLevel: null, labels: [] })
}

/**
 * Returns the apps whose passwords are protected: the configured ones, or all identity providers of the
 * catalog.
 */
export const protectedAppTypesOf = (
  { protectedAppTypes }: Controls,
  products: readonly Product[],
): readonly string[] =>
  protectedAppTypes ??
  products.flatMap(({ appType, identityProvider }) => (identityProvider === undefined ? [] : [appType]))

/** Returns the members of a product that browsers need to recognize its hosts and sign-in pages. */
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
