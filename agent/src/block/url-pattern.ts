/** Parsed address pattern (REST contract, Blocked URL). */
export interface UrlPattern {
  /** Null: http and https. */
  readonly scheme: 'http' | 'https' | null
  /** True if subdomains match too. */
  readonly below: boolean
  /** Host in URL form: lower case, punycode, IPv6 in brackets. */
  readonly host: string
  /** Null: any port. */
  readonly port: number | null
  /** Path with `*` for any characters; null for every path. Without `?`, any query matches. */
  readonly path: string | null
}

const shape = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-f:.]+\]|[^/:?#@\s\\[\]*]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/

/**
 * Parses a pattern in the form that the API stores.
 *
 * @returns null if the text is not a pattern
 */
export function parseUrlPattern(text: string): UrlPattern | null {
  const [, scheme, below, host, port, path] = shape.exec(text) ?? []
  if (host === undefined) return null
  const known = URL.parse(`http://${host}`)?.hostname === host
  if (!known) return null
  return {
    scheme: scheme === 'http' || scheme === 'https' ? scheme : null,
    below: below !== undefined,
    host,
    port: port === undefined ? null : Number(port),
    path: path === undefined ? null : asInUrl(path),
  }
}

/** Returns a path in URL form: percent-encoded, without dot segments. */
function asInUrl(path: string): string {
  const url = new URL(`http://host${path}`)
  return url.href.slice(url.origin.length)
}

/** Parts of an address that patterns match. */
interface Address {
  readonly scheme: string
  readonly host: string
  readonly port: number
  /** Path and query. */
  readonly path: string
}

const defaultPorts = { http: 80, https: 443 } as const

function addressOf(text: string): Address | null {
  const url = URL.parse(text)
  const scheme = url?.protocol.slice(0, -1)
  if (!url || (scheme !== 'http' && scheme !== 'https')) return null
  return {
    scheme,
    host: url.hostname.replace(/\.$/, ''),
    port: url.port === '' ? defaultPorts[scheme] : Number(url.port),
    path: url.pathname + url.search,
  }
}

/**
 * Returns the schemes and ports that a pattern matches. The port has the form used in URLs: empty if it is the scheme's
 * default.
 */
export function schemesAndPorts({ scheme, port }: UrlPattern): { scheme: string; port: string | null }[] {
  const schemes = scheme === null ? (['http', 'https'] as const) : [scheme]
  return schemes.map((each) => ({
    scheme: each,
    port: port === null ? null : port === defaultPorts[each] ? '' : `:${port}`,
  }))
}

function patternMatches(pattern: UrlPattern, address: Address): boolean {
  return (
    (pattern.scheme === null || pattern.scheme === address.scheme) &&
    (pattern.port === null || pattern.port === address.port) &&
    (pattern.host === address.host || (pattern.below && address.host.endsWith(`.${pattern.host}`))) &&
    (pattern.path === null || pathMatches(pattern.path, address.path))
  )
}

function pathMatches(pattern: string, path: string): boolean {
  return globMatches(pattern, path) || (!pattern.includes('?') && globMatches(`${pattern}?*`, path))
}

/**
 * Returns true if a text matches a pattern with `*` for any characters. Backtracks only to the last `*`, so no pattern
 * is slow.
 */
export function globMatches(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let starText = 0
  for (let place = 0; place < text.length; ) {
    if (pattern[at] === '*') {
      star = at
      at += 1
      starText = place
    } else if (pattern[at] === text[place]) {
      at += 1
      place += 1
    } else if (star >= 0) {
      at = star + 1
      starText += 1
      place = starText
    } else return false
  }
  return /^\**$/.test(pattern.slice(at))
}

/** Pattern with its ID. */
interface NamedPattern {
  readonly id: string
  readonly url: string
}

/**
 * Creates a function that finds the pattern for an address. The most specific host wins.
 *
 * @param patterns patterns of the policy; invalid ones are ignored
 */
export function urlMatcher<T extends NamedPattern>(patterns: readonly T[]): (address: string) => T | null {
  const parsed = patterns.flatMap((named) => {
    const pattern = parseUrlPattern(named.url)
    return pattern ? [{ named, pattern }] : []
  })
  const byHost = Map.groupBy(parsed, ({ pattern }) => pattern.host)
  return (text) => {
    const address = addressOf(text)
    if (!address) return null
    for (const host of hostsAbove(address.host)) {
      const found = byHost.get(host)?.find(({ pattern }) => patternMatches(pattern, address))
      if (found) return found.named
    }
    return null
  }
}

/** Returns the host and its parent domains. */
function hostsAbove(host: string): string[] {
  const hosts = [host]
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    hosts.push(host.slice(dot + 1))
  return hosts
}
