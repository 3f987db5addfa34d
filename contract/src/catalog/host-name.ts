const hostLengthMaximum = 253
/** Labels of letters, digits, hyphens and underscores. */
const labels = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/
/** Such labels of which the last starts with a letter, so that no browser takes them for an address. */
const plainName = /^(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9-]{0,62}$/
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/
/** What separates a host from the other parts of a URL, and what a URL parser would silently drop or decode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not pass
const notOfAHost = /[\u0000-\u0020\u007f/\\?#@%]/

/**
 * A host as it is compared: lower case, without a trailing dot, an internationalized name in punycode, an address as
 * URLs write it (`[::1]`). Undefined for what is not a host alone: a URL, a host with a port, an empty label.
 */
export function canonicalHost(host: string): string | undefined {
  if (host.length > hostLengthMaximum + 1) return undefined
  const name = withoutTrailingDot(host.toLowerCase())
  if (name.length > hostLengthMaximum) return undefined
  return plainName.test(name) ? name : parsedHost(name)
}

/** Returns a host and all names above it, the longest first: `a.b.c`, `b.c`, `c`. */
export const hostAndParents = (host: string): string[] =>
  host.split('.').map((_, index, labels) => labels.slice(index).join('.'))

/** Whether a canonical host is an IPv4 or IPv6 address. */
export const isAddress = (canonical: string): boolean => address.test(canonical)

/** The slow way, for names with other letters and for addresses: as browsers read them. */
function parsedHost(name: string): string | undefined {
  if (notOfAHost.test(name) || name.startsWith('[') !== name.endsWith(']')) return undefined
  const bracketed = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
  const url = `https://${bracketed}/`
  if (!URL.canParse(url)) return undefined
  const found = withoutTrailingDot(new URL(url).hostname)
  if (found.length > hostLengthMaximum) return undefined
  return labels.test(found) || isAddress(found) ? found : undefined
}

const withoutTrailingDot = (name: string) => (name.endsWith('.') ? name.slice(0, -1) : name)
