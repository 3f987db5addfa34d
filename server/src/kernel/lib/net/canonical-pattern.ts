import { characterCount } from '../text.ts'
import { canonicalAddress, canonicalHostName } from './canonical-host.ts'

/** `[scheme://]host[:port][/path]`, in its parts (REST contract, Blocked URL). */
const shape =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\[[^\]]*\]|[^/:?#@\s\\[\]]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/i

/** A pattern in its one form, or what it must be. */
export type ReadPattern = { readonly pattern: string } | { readonly mistake: string }

/**
 * Reads a pattern of URLs into the one form that it is kept in: scheme and host in lower case, names in punycode.
 *
 * @param lengthMaximum so many characters it may have in that form
 */
export function readPattern(text: string, lengthMaximum: number): ReadPattern {
  const parts = shape.exec(text.trim())
  if (!parts) {
    return {
      mistake:
        'must be [scheme://]host[:port][/path], with *. in front of the host for all below it and * in the path for any run of characters',
    }
  }
  const [, scheme, below = '', host = '', port, path = ''] = parts
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return { mistake: 'must have the scheme http or https, or none for both' }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return { mistake: 'must have a port between 1 and 65535' }
  // Control characters would never meet a URL that a browser asks for; text-direction controls would garble lists.
  if (/[\p{Cc}\p{Bidi_Control}\s]/u.test(path))
    return { mistake: 'must not have control characters or spaces in its path' }
  const name = canonicalHostName(host) ?? (below === '' ? canonicalAddress(host) : undefined)
  if (name === undefined) {
    return {
      mistake:
        'must have a host name or an address in front of the path; a * alone, or within a name, is none',
    }
  }
  const pattern = `${scheme ? `${scheme.toLowerCase()}://` : ''}${below}${name}${port === undefined ? '' : `:${Number(port)}`}${path}`
  // Punycode is longer than the name that was given.
  if (characterCount(pattern) > lengthMaximum)
    return { mistake: `must have at most ${lengthMaximum} characters, its host in punycode` }
  return { pattern }
}
