import { characterCount } from '../text.ts'
import { canonicalAddress, canonicalHostName } from './canonical-host.ts'

/** Parts of `[scheme://]host[:port][/path]` (REST contract, Blocked URL). */
const shape =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?(\[[^\]]*\]|[^/:?#@\s\\[\]]+)(?::(\d{1,5}))?(\/[^#\s\\]*)?$/i

/** Canonical pattern, or the mistake in it. */
export type ReadPattern = { readonly pattern: string } | { readonly mistake: string }

/**
 * Parses a URL pattern into its canonical form: scheme and host in lower case, host name in punycode.
 *
 * @param lengthMaximum maximum length of the canonical form, in characters
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
  // No URL contains control characters, and text-direction controls would garble lists.
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
  // Punycode may be longer than the given name.
  if (characterCount(pattern) > lengthMaximum)
    return { mistake: `must have at most ${lengthMaximum} characters, its host in punycode` }
  return { pattern }
}
