import { invalidRequest } from '@muster/contract/api/errors'
import { patternLengthMaximum } from '@muster/contract/records/blocked-url'
import { publicSuffixKind } from '@muster/contract/text/public-suffix'
import { readPattern } from '../../kernel/lib/net/canonical-pattern.ts'

/**
 * Returns the canonical form of a pattern: scheme and host in lower case, names in punycode.
 *
 * @throws ApiError invalid_request with a description of valid patterns
 */
export function canonicalPattern(text: string): string {
  const read = readPattern(text, patternLengthMaximum)
  if ('pattern' in read) return read.pattern
  throw invalidRequest([{ in: 'body', name: 'url', message: read.mistake }])
}

/** Matches canonical patterns without a path, or with a path that matches everything. */
const wholeHost = /^(?:https?:\/\/)?(\*\.)?([^/:[\]]+)(?::\d+)?(?:\/\**)?$/

/**
 * Returns why a pattern needs `allowPublicSuffix`; undefined if it does not. A registry suffix is never a
 * site. The domain of a hosting company is a site, but blocking all sites below it is rarely intended.
 *
 * @param pattern canonical pattern
 */
export function publicSuffixMistake(pattern: string): string | undefined {
  const [, below, host] = wholeHost.exec(pattern) ?? []
  const kind = host === undefined ? undefined : publicSuffixKind(host)
  if (kind === undefined || (kind === 'HOSTING' && below === undefined)) return undefined
  return below === undefined
    ? `must not be the public suffix ${host}, which is not a site, unless allowPublicSuffix is true`
    : `must not block every site under .${host}, unless allowPublicSuffix is true`
}
