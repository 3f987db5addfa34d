import { canonicalHost } from '@muster/contract/catalog/host-name'
import { meetsFormat, textFormats } from '@muster/contract/text/text-format'

/** Returns an http or https URL without user, query and fragment; undefined for any other text. */
export function stripUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  // Keep the spelling of a URL that has nothing to remove.
  const isStripped = !/[?#@]/.test(text) && url.username === '' && url.password === ''
  if (isStripped && meetsFormat(textFormats.exact, text)) return text.trim()
  return `${url.origin}${url.pathname}`
}

/** Returns the canonical host of a URL; undefined if it has none. */
export function hostOfUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url === null ? undefined : canonicalHost(url.hostname)
}
