/** The host of an address, or the address itself where it has none. */
export function hostOf(url: string | null): string {
  if (url === null) return ''
  return URL.parse(url)?.host || url
}
