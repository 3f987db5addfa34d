import { ApiError } from '@muster/contract/errors'
import { canonicalPattern, publicSuffixMistake } from './blocked-urls.rules.ts'

/** A pattern that is wrong, and what it must be. */
export interface RefusedPattern {
  readonly index: number
  readonly pattern: string
  readonly message: string
  /** It would be added with `allowPublicSuffix`. */
  readonly publicSuffix: boolean
}

/** Parts patterns into those that can be blocked, in their one form, and those that are wrong. */
export function judgedPatterns(
  patterns: readonly string[],
  allowPublicSuffix: boolean,
): { good: string[]; refused: RefusedPattern[] } {
  const good: string[] = []
  const refused: RefusedPattern[] = []
  for (const [index, pattern] of patterns.entries()) {
    try {
      const canonical = canonicalPattern(pattern)
      const message = allowPublicSuffix ? undefined : publicSuffixMistake(canonical)
      if (message === undefined) good.push(canonical)
      else refused.push({ index, pattern, message, publicSuffix: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const message = error.mistakes.map((mistake) => mistake.message).join('; ')
      refused.push({ index, pattern, message, publicSuffix: false })
    }
  }
  return { good, refused }
}
