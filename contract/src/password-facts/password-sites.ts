import { canonicalHost, hostAndParents } from '../catalog/host-name.ts'
import type { Product } from '../catalog/product.ts'
import { passwordSites } from './password-facts.ts'
import type { PasswordSite } from './password-facts-schema.ts'

const sites: ReadonlyMap<string, PasswordSite> = new Map(passwordSites.map((site) => [site.host, site]))

const hasFact = (host: string, fact: 'appendsCode' | 'asksForOthers'): boolean =>
  hostAndParents(canonicalHost(host) ?? '').some((name) => sites.get(name)?.[fact] === true)

/**
 * Returns true if the password field of a host may hold a one-time code after the password. What is typed there is then a
 * new text at each login: nothing can be said of the password.
 */
export const appendsCode = (host: string): boolean => hasFact(host, 'appendsCode')

/** Returns true if a host asks for credentials of other services when a page of another site embeds it. */
export const asksForOthers = (host: string): boolean => hasFact(host, 'asksForOthers')

/** Returns the address where a password of a product is changed; null if it is not known. */
export function changePasswordUrl({ website, domains, loginHosts }: Product): string | null {
  const home = new URL(website).hostname
  const names = [home, home.replace(/^www\./, ''), ...domains, ...loginHosts]
  return names.map((name) => sites.get(name)?.changeUrl).find((url) => url !== undefined) ?? null
}
