const shownLength = 80

/** Returns the host of a URL, or its beginning if it has no host. */
export function pageHost(url: string | null): string {
  if (url === null) return ''
  return URL.parse(url)?.host || (url.length > shownLength ? `${url.slice(0, shownLength)}…` : url)
}
