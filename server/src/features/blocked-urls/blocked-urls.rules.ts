import { patternLengthMaximum } from '@muster/contract/blocked-url'
import { invalidRequest } from '@muster/contract/errors'
import { readPattern } from '../../lib/canonical-pattern.ts'

/**
 * The pattern in the one form that it is kept in: scheme and host in lower case, names in punycode.
 *
 * @throws ApiError invalid_request that says what the pattern must be
 */
export function canonicalPattern(text: string): string {
  const read = readPattern(text, patternLengthMaximum)
  if ('pattern' in read) return read.pattern
  throw invalidRequest([{ in: 'body', name: 'url', message: read.mistake }])
}
