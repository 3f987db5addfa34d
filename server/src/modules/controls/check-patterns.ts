import { ApiError } from '@muster/contract/api/errors'
import { canonicalPattern, publicSuffixMistake } from './blocked-urls.rules.ts'

/** Invalid pattern, with the reason. */
export interface InvalidPattern {
  readonly index: number
  readonly pattern: string
  readonly message: string
  /** True if it would be valid with `allowPublicSuffix`. */
  readonly publicSuffix: boolean
}

/** Splits patterns into valid ones, in canonical form, and invalid ones. */
export function checkPatterns(
  patterns: readonly string[],
  allowPublicSuffix: boolean,
): { valid: string[]; invalid: InvalidPattern[] } {
  const valid: string[] = []
  const invalid: InvalidPattern[] = []
  for (const [index, pattern] of patterns.entries()) {
    try {
      const canonical = canonicalPattern(pattern)
      const message = allowPublicSuffix ? undefined : publicSuffixMistake(canonical)
      if (message === undefined) valid.push(canonical)
      else invalid.push({ index, pattern, message, publicSuffix: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const message = error.mistakes.map((mistake) => mistake.message).join('; ')
      invalid.push({ index, pattern, message, publicSuffix: false })
    }
  }
  return { valid, invalid }
}
