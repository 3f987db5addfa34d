import type { AddressClass } from '../../../kernel/lib/net/address-class.ts'

/** Settings that restrict the targets of webhooks. */
export interface TargetPolicy {
  /** `MUSTER_WEBHOOKS_ALLOW_PRIVATE`: allows loopback and private addresses, and http to loopback. */
  readonly allowPrivate: boolean
}

const maxUrlLength = 2048

/** True for a URL host that names the local machine. */
const isLoopbackName = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(host)

/**
 * Validates the URL of an endpoint without resolving its host.
 *
 * @returns the violated requirement, worded to follow "must"; undefined if the URL is valid
 */
export function targetMistake(text: string, { allowPrivate }: TargetPolicy): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^\s*https?:\/\//i.test(text)) return 'be a URL such as https://siem.example.com/muster'
  if (text.length > maxUrlLength) return `have at most ${maxUrlLength} characters`
  if (url.username !== '' || url.password !== '')
    return 'not contain a user name or password; use an Authorization header instead'
  // Node treats port 0 as missing, and events would go to the default port.
  if (url.port === '0') return 'have a port from 1 to 65535'
  if (url.hash !== '') return 'not contain a fragment (#)'
  if (/[\s\p{Cc}]/u.test(text)) return 'not contain spaces or control characters'
  if (url.protocol === 'https:') return undefined
  if (!isLoopbackName(url.hostname)) return 'start with https://'
  return allowPrivate
    ? undefined
    : 'start with https://; MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows http://127.0.0.1'
}

/**
 * Decides if a connection to an address of this class is allowed (events contract, section 1, rule 6).
 *
 * @param secure true for TLS
 * @returns the reason for the refusal; undefined if the connection is allowed
 */
export function addressRefusal(
  found: AddressClass,
  secure: boolean,
  { allowPrivate }: TargetPolicy,
): string | undefined {
  if (found === 'FORBIDDEN')
    return 'the host has a forbidden address (link-local, metadata, multicast or reserved)'
  if (found !== 'PUBLIC' && !allowPrivate)
    return `the host has a ${found === 'LOOPBACK' ? 'loopback' : 'private'} address; MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows it`
  if (!secure && found !== 'LOOPBACK') return 'the URL must start with https://'
  return undefined
}

/** Headers that Muster or the HTTP connection sets. */
const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-signature',
])

export type StaticHeader = readonly [name: string, value: string]

const headerLimits = { count: 20, nameLength: 128, valueLength: 2048 } as const

/**
 * Validates the static headers of an endpoint.
 *
 * @returns the violated requirement, worded to follow "must"; undefined if the headers are valid
 */
export function headersMistake(headers: readonly StaticHeader[]): string | undefined {
  if (headers.length > headerLimits.count) return `be at most ${headerLimits.count}`
  const seen = new Set<string>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name.length > headerLimits.nameLength)
      return `have valid names: ${JSON.stringify(name.slice(0, 100))} is not a header name`
    if (reservedHeaders.has(lower) || lower.startsWith('proxy-'))
      return `not include ${name}, which Muster or the HTTP connection sets`
    if (seen.has(lower)) return `have unique names: ${name} occurs twice`
    if (!/^[\t\x20-\x7e]*$/.test(value) || value.length > headerLimits.valueLength)
      return `have values of at most ${headerLimits.valueLength} printable ASCII characters: the value of ${name} is invalid`
    seen.add(lower)
  }
  return undefined
}
