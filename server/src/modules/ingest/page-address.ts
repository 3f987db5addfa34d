import { canonicalHost } from '@muster/contract/catalog/host-name'
import { meetsFormat, textFormats } from '@muster/contract/text-format'

/** The address of a page without user, query and fragment; undefined for what is no http or https address. */
export function plainUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  // The usual one is as it should be already, and is kept as it was written.
  const isPlain = !/[?#@]/.test(text) && url.username === '' && url.password === ''
  if (isPlain && meetsFormat(textFormats.exact, text)) return text.trim()
  return `${url.origin}${url.pathname}`
}

/** The host of an address, in the form in which hosts are compared; undefined if it names none. */
export function hostOfUrl(address: string): string | undefined {
  const url = URL.parse(address)
  return url === null ? undefined : canonicalHost(url.hostname)
}
