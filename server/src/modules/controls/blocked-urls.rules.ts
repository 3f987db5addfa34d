import { patternLengthMaximum } from '@muster/contract/blocked-url'
import { invalidRequest } from '@muster/contract/errors'
import { publicSuffixKind } from '@muster/contract/public-suffix'
import { readPattern } from '../../kernel/lib/net/canonical-pattern.ts'

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

/** The host of a canonical pattern, if it has no path or one that any path meets. */
const wholeHost = /^(?:https?:\/\/)?(\*\.)?([^/:[\]]+)(?::\d+)?(?:\/\**)?$/

/**
 * Returns why a pattern needs `allowPublicSuffix`; undefined if it does not. A name of a registry is never a site. A domain of
 * a hosting company is one; only all sites below it are more than anybody is likely to mean.
 *
 * @param pattern in canonical form
 */
export function publicSuffixMistake(pattern: string): string | undefined {
  const [, below, host] = wholeHost.exec(pattern) ?? []
  const kind = host === undefined ? undefined : publicSuffixKind(host)
  if (kind === undefined || (kind === 'HOSTING' && below === undefined)) return undefined
  return below === undefined
    ? `must not be the public suffix ${host}, which is no site, unless allowPublicSuffix is true`
    : `must not block every site under .${host}, unless allowPublicSuffix is true`
}
