import type { App } from '@muster/contract/app'
import type { Catalog } from '@muster/contract/catalog/catalog'
import type { PasswordPage } from '@muster/contract/console/console-inventory'
import { changePasswordUrl } from '@muster/contract/password-facts/password-sites'

/**
 * Returns where the password of an app is changed: its own page for that, else its web site. `/.well-known/change-password` is
 * not guessed: whether a site has it can only be found out by asking the site.
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
