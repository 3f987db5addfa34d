import { patternLengthMaximum } from '@muster/contract/blocked-url'
import { invalidRequest } from '@muster/contract/errors'
import { canonicalAddress, canonicalHostName } from '../../lib/canonical-host.ts'

/** `[scheme://]host[:port][/path]`, in its parts (REST contract, Blocked URL). */
const shape =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\[[^\]]*\]|[^/:?#@\s\\[\]]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/i

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
  const name = canonicalHostName(host) ?? (below === '' ? canonicalAddress(host) : undefined)
  if (name === undefined)
    throw wrong(
      'must have a host name or an address in front of the path; a * alone, or within a name, is none',
    )
  const kept = `${scheme ? `${scheme.toLowerCase()}://` : ''}${below}${name}${port === undefined ? '' : `:${Number(port)}`}${path}`
  // Punycode is longer than the name that was given.
  if (kept.length > patternLengthMaximum)
    throw wrong(`must have at most ${patternLengthMaximum} characters, its host in punycode`)
  return kept
}

const wrong = (message: string) => invalidRequest([{ in: 'body', name: 'url', message }])
