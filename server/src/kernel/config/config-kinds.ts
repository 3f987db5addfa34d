import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseMasterKey } from '../lib/secrets/secret.ts'

/** Type of a setting: description of the allowed values, and parser. */
export interface Kind<Value> {
  /** Description of the allowed values, to follow "must be": `a whole number from 1 to 65535`. */
  readonly allowed: string
  /** Value of the flag without a value; absent if the flag needs one. */
  readonly bare?: string
  /** Takes several comma-separated texts. In `muster.toml` they may be an array. */
  readonly many?: true
  /** All allowed words, if they are few or fixed. */
  readonly choices?: readonly string[]
  /** True if a value has several lines. */
  readonly lines?: true
  /**
   * @param text trimmed, not empty
   * @param folder base of relative paths
   * @returns undefined if the text is not allowed
   */
  parse(text: string, folder: string): Value | undefined
}

/** Integer within inclusive bounds. */
export function wholeNumber(minimum: number, maximum: number): Kind<number> {
  return {
    allowed: `a whole number from ${minimum} to ${maximum}`,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= minimum && value <= maximum ? value : undefined
    },
  }
}

/** Boolean; accepts 1 and 0, which are common in environment variables. */
export const trueOrFalse: Kind<boolean> = {
  allowed: 'true or false',
  bare: 'true',
  parse: (text) => ({ true: true, false: false, 1: true, 0: false })[text],
}

/** One of several words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    allowed: `one of ${words.join(', ')}`,
    choices: words,
    parse: (text) => words.find((word) => word === text),
  }
}

/** Comma-separated list of names. */
export function namesOf<const Name extends string>(
  what: string,
  names: readonly Name[],
): Kind<readonly Name[]> {
  const few = names.length > 8 ? `such as ${names.slice(0, 2).join(',')}` : `of ${names.join(', ')}`
  return {
    allowed: `${what}, separated by commas, ${few}`,
    many: true,
    choices: names,
    parse(text) {
      const given = text.split(',').map((part) => names.find((name) => name === part.trim()))
      return given.every((name) => name !== undefined) ? Object.freeze(given) : undefined
    },
  }
}

/** Mail server without password and options: some options would connect to a third server. */
export const mailServer: Kind<string> = {
  allowed:
    'smtp://host:port or smtps://host:port, with user@ before the host if the server needs a sign-in; characters such as @ in the user percent-encoded',
  parse(text) {
    const url = /^smtps?:\/\/[^\s\p{Cc}]+$/u.test(text) && isWellEncoded(text) ? URL.parse(text) : null
    const isBare = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
    return isBare && url.password === '' && url.hostname !== '' && url.port !== '0' ? text : undefined
  },
}

/** Issuer of OpenID Connect. */
export const issuerUrl: Kind<string> = {
  allowed: 'the URL before /.well-known/openid-configuration, such as https://login.example.com',
  parse(text) {
    const url = /^https?:\/\/[^\s\p{Cc}]+$/u.test(text) ? URL.parse(text) : null
    const isBare = url && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
    return isBare && url.hostname !== '' && url.port !== '0' ? text : undefined
  },
}

const pemLengthMaximum = 16_384

/**
 * PEM text.
 *
 * @param label end of the label that it must contain
 */
export function pemText(label: string): Kind<string> {
  return {
    allowed: `a PEM text that begins with -----BEGIN and contains a ${label}, at most 16,384 characters`,
    lines: true,
    parse: (text) =>
      text.length <= pemLengthMaximum &&
      isPemText(text) &&
      text.includes(`${label}-----`) &&
      !/[^\x20-\x7e\r\n\t]/.test(text)
        ? text
        : undefined,
  }
}

/** Returns true for a PEM text. Paths in settings are absolute and never begin like that. */
export const isPemText = (text: string): boolean => text.startsWith('-----BEGIN ')

/** Syslog receiver. */
export const syslogReceiver: Kind<string> = {
  allowed: 'tcp://host:port or tls://host:port',
  parse(text) {
    const url = /^(?:tcp|tls):\/\//.test(text) ? URL.parse(text) : null
    const isBare = url?.pathname === '' && url.search === '' && url.hash === '' && url.username === ''
    return isBare && url.hostname !== '' ? text : undefined
  },
}

/** HTTP receiver. A header has the credentials, so that they are not part of texts that are shown. */
export const receiverUrl: Kind<string> = {
  allowed: 'a URL such as https://siem.example.com:8088, without user, password and fragment',
  parse(text) {
    const url = /^https?:\/\/[^\s\p{Cc}]+$/u.test(text) && text.length <= 2048 ? URL.parse(text) : null
    const isBare = url && url.username === '' && url.password === '' && url.hash === ''
    return isBare && url.hostname !== '' && url.port !== '0' ? text : undefined
  },
}

/** Path; a relative one is made absolute. */
export const path: Kind<string> = { allowed: 'a path', parse: (text, folder) => resolve(folder, text) }

/** Host name or IP address to listen on. */
export const listenHost: Kind<string> = {
  allowed: 'a host name or an IP address, without port',
  // A numeric last label is an invalid IPv4 address, not a name: no top-level domain is a number.
  parse: (text) =>
    isIP(text) !== 0 || (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) && !/(^|\.)\d+$/.test(text))
      ? text
      : undefined,
}

const percentEncoded = 'with characters such as % in user, password and path percent-encoded'

/** URL with one of the schemes, unchanged. */
export function address(...schemes: readonly string[]): Kind<string> {
  const start = schemes.map((scheme) => `${scheme}://`).join(' or ')
  return {
    allowed: `a URL that starts with ${start}, ${percentEncoded}`,
    parse: (text) =>
      schemes.some((scheme) => text.startsWith(`${scheme}://`)) && isWellEncoded(text) ? text : undefined,
  }
}

/** Returns true if the percent-encoding is valid, so clients can parse the URL. */
function isWellEncoded(text: string): boolean {
  try {
    const { username, password, pathname } = new URL(text)
    decodeURIComponent(`${username}${password}${pathname}`)
    return true
  } catch {
    return false
  }
}

const redisAddress = address('redis', 'rediss')

/** Redis or Valkey server. A database that is not a number ends the process: ioredis selects it without handling the error. */
export const redisServer: Kind<string> = {
  allowed: `a URL that starts with redis:// or rediss://, such as redis://redis.example.com:6379/0 with the number of the database, ${percentEncoded}`,
  parse(text, folder) {
    const url = redisAddress.parse(text, folder) === undefined ? null : URL.parse(text)
    const isNumbered = url && /^\/?\d*$/.test(url.pathname) && /^\d*$/.test(url.searchParams.get('db') ?? '')
    return isNumbered ? text : undefined
  },
}

/** Origin: scheme, host and port. */
export const origin: Kind<string> = {
  allowed: 'a URL such as https://muster.example.com, without path',
  parse(text) {
    if (!URL.canParse(text)) return undefined
    const url = new URL(text)
    const bare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
    return bare && /^https?:$/.test(url.protocol) ? url.origin : undefined
  },
}

/** Contact: e-mail address, page or telephone number (RFC 9116, section 2.5.3). */
export const contactAddress: Kind<string> = {
  allowed: 'a URL such as mailto:security@example.com, https://example.com/security or tel:+1-201-555-0123',
  parse: (text) =>
    text.length <= 1000 && /^(?:mailto:[^\s@]+@|https:\/\/|tel:\+?\d)[!-~]+$/.test(text) && URL.canParse(text)
      ? text
      : undefined,
}

/** Short text in one line. */
export const plainText: Kind<string> = {
  allowed: 'a text of at most 1,000 characters, without control characters',
  parse: (text) => (text.length <= 1000 && !/\p{Cc}/u.test(text) ? text : undefined),
}

/** Value of an HTTP header, such as a token. JSON Web Tokens have about 2,000 characters. */
export const headerText: Kind<string> = {
  allowed: 'a text of at most 4,096 printable ASCII characters',
  parse: (text) => (/^[\x20-\x7e]{1,4096}$/.test(text) ? text : undefined),
}

/** Name of a time zone in the IANA database. Not an offset, which would have no daylight saving time. */
export const timeZone: Kind<string> = {
  allowed: 'a time zone such as Europe/Berlin or UTC',
  parse(text) {
    if (/^[+-]/.test(text)) return undefined
    try {
      void new Intl.DateTimeFormat('en', { timeZone: text })
      return text
    } catch {
      return undefined
    }
  },
}

/** E-mail address, optionally with a name: `Muster <muster@example.com>`. */
export const mailSender: Kind<string> = {
  allowed: 'an e-mail address, or a name and an address such as Muster <muster@example.com>',
  parse: (text) =>
    /^(?:[^<>\p{Cc}]{0,128}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text) ? text : undefined,
}

/** Name of a JSON member; `paging` is reserved. */
export const memberName: Kind<string> = {
  allowed: 'a name of 1 to 64 characters other than paging',
  parse: (text) => (text.length <= 64 && text !== 'paging' ? text : undefined),
}

/** Proxies whose forwarding headers are trusted: all, none, or those with the addresses. */
export type ProxyTrust = boolean | readonly string[]

/** See {@link ProxyTrust}. */
export const proxyTrust: Kind<ProxyTrust> = {
  allowed: 'true, false, or addresses and networks separated by commas, such as 10.0.0.0/8,192.0.2.1',
  bare: 'true',
  many: true,
  parse(text) {
    if (text === 'true' || text === 'false') return text === 'true'
    const networks = text.split(',').map((part) => part.trim())
    return networks.every(isNetwork) ? Object.freeze(networks) : undefined
  },
}

function isNetwork(text: string): boolean {
  const [host = '', bits, ...more] = text.split('/')
  const version = isIP(host)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Master key. */
export const masterKey: Kind<Buffer> = {
  allowed:
    '32 random bytes as 64 hexadecimal or 43 base64url characters (openssl rand -hex 32 generates one)',
  parse: parseMasterKey,
}
