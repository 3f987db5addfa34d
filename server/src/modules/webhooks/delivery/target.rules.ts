import type { AddressClass } from '../../../kernel/lib/net/address-class.ts'

/** What of the settings says where webhooks may go. */
export interface TargetTerms {
  /** `MUSTER_WEBHOOKS_ALLOW_PRIVATE`: loopback and private addresses are allowed, and http to loopback. */
  readonly allowPrivate: boolean
}

/** How long an address may be, in characters. */
const addressLengthMaximum = 2048

/** The names by which a machine calls itself, as they stand in a URL. */
const isLoopbackName = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(host)

/**
 * Whether events may be sent to an address, as far as it can be told without asking for its host.
 *
 * @returns what would be right, to follow "must"; undefined if it is right
 */
export function targetMistake(text: string, { allowPrivate }: TargetTerms): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^\s*https?:\/\//i.test(text)) return 'be an address such as https://siem.example.com/muster'
  if (text.length > addressLengthMaximum) return `have at most ${addressLengthMaximum} characters`
  if (url.username !== '' || url.password !== '')
    return 'have no user and password: give them as a header, such as Authorization'
  // Node takes it for none given, and events would go to the usual port.
  if (url.port === '0') return 'have a port from 1 to 65535'
  if (url.hash !== '') return 'have no part behind #: it would not be sent'
  if (/[\s\p{Cc}]/u.test(text)) return 'have no blanks and no control characters'
  if (url.protocol === 'https:') return undefined
  if (!isLoopbackName(url.hostname)) return 'begin with https://'
  return allowPrivate
    ? undefined
    : 'begin with https://; MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows http://127.0.0.1'
}

/**
 * Whether a connection may be made to an address of this class (events contract, section 1, rule 6).
 *
 * @param secure whether it is by TLS
 * @returns why not, in words; undefined if it may
 */
export function addressRefusal(
  found: AddressClass,
  secure: boolean,
  { allowPrivate }: TargetTerms,
): string | undefined {
  if (found === 'FORBIDDEN')
    return 'the host is at an address that webhooks never go to (link-local, metadata, multicast or reserved)'
  if (found !== 'PUBLIC' && !allowPrivate)
    return `the host is at a ${found === 'LOOPBACK' ? 'loopback' : 'private'} address; MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows it`
  if (!secure && found !== 'LOOPBACK') return 'the address must begin with https://'
  return undefined
}

/** Names of headers that are ours, or that belong to the connection. */
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

/** A header as it is sent: its name and its value. */
export type StaticHeader = readonly [name: string, value: string]

export const headerLimits = { count: 20, nameLength: 128, valueLength: 2048 } as const

/** What is wrong with the static headers of an endpoint, to follow "must"; undefined if nothing is. */
export function headersMistake(headers: readonly StaticHeader[]): string | undefined {
  if (headers.length > headerLimits.count) return `be at most ${headerLimits.count}`
  const seen = new Set<string>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || name.length > headerLimits.nameLength)
      return `have names of letters, digits and dashes, which ${JSON.stringify(name.slice(0, 100))} is not`
    if (reservedHeaders.has(lower) || lower.startsWith('proxy-'))
      return `not be ${name}, which Muster or the connection sets`
    if (seen.has(lower)) return `have each name once, and ${name} is there twice`
    if (!/^[\t\x20-\x7e]*$/.test(value) || value.length > headerLimits.valueLength)
      return `have values of at most ${headerLimits.valueLength} printable ASCII characters, which that of ${name} is not`
    seen.add(lower)
  }
  return undefined
}
