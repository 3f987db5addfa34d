/** No address in a report is longer (contract: `url` fields). */
const lengthMaximum = 8192

/**
 * The address of a page as reports carry it: without user, query and fragment, which may hold secrets.
 *
 * @returns null for what is no http or https address, and for one that is too long
 */
export function trimmedUrl(address: string | null | undefined): string | null {
  const url = address ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const trimmed = `${url.origin}${url.pathname}`
  return trimmed.length <= lengthMaximum ? trimmed : null
}
