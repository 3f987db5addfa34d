import { registrableHost } from '@muster/contract/catalog/catalog'
import { asksForOthers } from '@muster/contract/password-facts/password-sites'

/**
 * Returns true for a form that asks for the credentials of another service: one of a site that is known for it, embedded in a
 * page of another site. What is typed there makes no account at the embedded site.
 *
 * @param topUrl the address of the page; null if unknown
 */
export function isForOtherService(frameUrl: string, topUrl: string | null): boolean {
  const { hostname } = new URL(frameUrl)
  if (topUrl === null || !asksForOthers(hostname)) return false
  return registrableHost(new URL(topUrl).hostname) !== registrableHost(hostname)
}
