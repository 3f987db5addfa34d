const shownLength = 80

/** The host of an address, or the beginning of one that has none. */
export function hostOf(url: string | null): string {
  if (url === null) return ''
  return URL.parse(url)?.host || (url.length > shownLength ? `${url.slice(0, shownLength)}…` : url)
}
