import { registrableHost } from '@muster/contract/catalog/catalog'
import { asksForOthers } from '@muster/contract/password-facts/password-sites'

/**
 * Returns true for a form that asks for the credentials of another service: the frame belongs to a site known for such
 * forms and is embedded in a page of another site. What is typed there is no account of the embedded site.
 *
 * @param topUrl address of the page; null if unknown
 */
export function isForOtherService(frameUrl: string, topUrl: string | null): boolean {
  const { hostname } = new URL(frameUrl)
  if (topUrl === null || !asksForOthers(hostname)) return false
  return registrableHost(new URL(topUrl).hostname) !== registrableHost(hostname)
}
