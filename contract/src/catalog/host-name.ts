const hostLengthMaximum = 253
/** Labels of letters, digits, hyphens and underscores. */
const labels = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/
/** Labels whose last one starts with a letter, so browsers do not parse them as an IP address. */
const plainName = /^(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9-]{0,62}$/
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/
/** Characters that end a host in a URL, or that a URL parser would silently drop or decode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be rejected
const notOfAHost = /[\u0000-\u0020\u007f/\\?#@%]/

/**
 * Returns the canonical form of a host: lower case, without trailing dot, internationalized names in punycode, addresses
 * as in URLs (`[::1]`). Undefined if the text is not just a host, for example a URL or a host with a port.
 */
export function canonicalHost(host: string): string | undefined {
  if (host.length > hostLengthMaximum + 1) return undefined
  const name = withoutTrailingDot(host.toLowerCase())
  if (name.length > hostLengthMaximum) return undefined
  return plainName.test(name) ? name : parsedHost(name)
}

/** Returns a host and all its parent names, longest first: `a.b.c`, `b.c`, `c`. */
export const hostAndParents = (host: string): string[] =>
  host.split('.').map((_, index, labels) => labels.slice(index).join('.'))

/** True if a canonical host is an IPv4 or IPv6 address. */
export const isAddress = (canonical: string): boolean => address.test(canonical)

/** Slow path for internationalized names and addresses: parses them like browsers. */
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
