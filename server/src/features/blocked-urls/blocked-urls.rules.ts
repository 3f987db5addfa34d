import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalidRequest } from '@muster/contract/errors'

/** `[scheme://]host[:port][/path]`, in its parts (REST contract, Blocked URL). */
const shape =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\[[^\]]*\]|[^/:?#@\s\\[\]]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/i

/** One label of a host name in its ASCII form. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * The pattern in the one form that it is kept in: scheme and host in lower case, names in punycode.
 *
 * @throws ApiError invalid_request that says what the pattern must be
 */
export function canonicalPattern(text: string): string {
  const parts = shape.exec(text.trim())
  if (!parts) {
    throw wrong(
      'must be [scheme://]host[:port][/path], with *. in front of the host for all below it and * in the path for any run of characters',
    )
  }
  const [, scheme, below = '', host = '', port, path = ''] = parts
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    throw wrong('must have the scheme http or https, or none for both')
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw wrong('must have a port between 1 and 65535')
  // Control characters would never meet a URL that a browser asks for.
  if (/[\p{Cc}\s]/u.test(path)) throw wrong('must not have control characters or spaces in its path')
  const name = canonicalHost(host, below !== '')
  if (name === undefined)
    throw wrong(
      'must have a host name or an address in front of the path; a * alone, or within a name, is none',
    )
  return `${scheme ? `${scheme.toLowerCase()}://` : ''}${below}${name}${port === undefined ? '' : `:${Number(port)}`}${path}`
}

const wrong = (message: string) => invalidRequest([{ in: 'body', name: 'url', message }])

function canonicalHost(host: string, below: boolean): string | undefined {
  if (host.startsWith('[')) {
    const address = host.slice(1, -1)
    return !below && isIPv6(address) ? new URL(`http://[${address}]`).hostname : undefined
  }
  const name = domainToASCII(host.replace(/\.$/, ''))
  if (name === '' || name.length > 253 || !name.split('.').every((part) => label.test(part))) return undefined
  // Browsers read hosts whose last label is a number as addresses: only the usual spelling is taken.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)) return !below && isIPv4(host) ? host : undefined
  return name
}
