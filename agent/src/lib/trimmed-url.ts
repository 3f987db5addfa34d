/** Maximum length of an address in a report (contract: `url` fields). */
const lengthMaximum = 8192

/**
 * Returns the address of a page in the form used in reports: without user, query and fragment, which may contain
 * secrets.
 *
 * @returns null unless it is an http or https address of allowed length
 */
export function trimmedUrl(address: string | null | undefined): string | null {
  const url = address ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const trimmed = `${url.origin}${url.pathname}`
  return trimmed.length <= lengthMaximum ? trimmed : null
}
