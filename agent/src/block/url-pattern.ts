/** A pattern of addresses (REST contract, Blocked URL), in its parts. */
export interface UrlPattern {
  /** Null: http and https. */
  readonly scheme: 'http' | 'https' | null
  /** Whether all hosts below the host are meant too. */
  readonly below: boolean
  /** As URLs show it: lower case, punycode, IPv6 in brackets. */
  readonly host: string
  /** Null: any port. */
  readonly port: number | null
  /** With `*` for any run of characters; null: every path. One without `?` means the path with any query. */
  readonly path: string | null
}

const shape = /^(?:(https?):\/\/)?(\*\.)?(\[[0-9a-f:.]+\]|[^/:?#@\s\\[\]*]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/

/**
 * Reads a pattern in the form that the API keeps it in.
 *
 * @returns null for a text that is no such pattern
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

/** A path as browsers write it into URLs: percent-encoded, without dot segments. */
function asInUrl(path: string): string {
  const url = new URL(`http://host${path}`)
  return url.href.slice(url.origin.length)
}

/** The parts of an address that patterns speak of. */
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

/** Scheme and port of the addresses that a pattern means, the port as URLs show it: not where it is the scheme's own. */
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
 * Whether a text is what a pattern with `*` for any run of characters says. Steps back to the last `*` only, so
 * that no pattern can make it slow.
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

/** What was blocked: the id and the text of the pattern. */
interface NamedPattern {
  readonly id: string
  readonly url: string
}

/**
 * Makes a function that finds the pattern that an address falls under, the most specific host first.
 *
 * @param patterns as the policy has them; what is no pattern is left aside
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

/** The host, and each host that it is below. */
function hostsAbove(host: string): string[] {
  const hosts = [host]
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
    hosts.push(host.slice(dot + 1))
  return hosts
}
