import type { Catalog } from '@muster/contract/catalog/catalog'
import type { PasswordPage } from '@muster/contract/console/console-inventory'
import { changePasswordUrl } from '@muster/contract/password-facts/password-sites'
import type { App } from '@muster/contract/records/app'

/**
 * Returns the page on which the password of an app is changed, or else its website.
 * `/.well-known/change-password` is not guessed: only a request to the site could tell if it exists.
 */
export function passwordPage(
  { type, website }: Pick<App, 'type' | 'website'>,
  catalog: Catalog,
): PasswordPage {
  const product = catalog.byType(type)
  const url = product ? changePasswordUrl(product) : null
  if (url !== null) return { url, changesPassword: true }
  const isHttps = URL.parse(website)?.protocol === 'https:'
  return { url: isHttps ? website : null, changesPassword: false }
}
