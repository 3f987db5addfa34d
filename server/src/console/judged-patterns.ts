import { ApiError } from '@muster/contract/errors'
import { canonicalPattern } from '../features/blocked-urls/blocked-urls.rules.ts'

/** A pattern that is wrong, and what it must be. */
export interface RefusedPattern {
  readonly index: number
  readonly pattern: string
  readonly message: string
}

/** Parts patterns into those that can be blocked, in their one form, and those that are wrong. */
export function judgedPatterns(patterns: readonly string[]): { good: string[]; refused: RefusedPattern[] } {
  const good: string[] = []
  const refused: RefusedPattern[] = []
  for (const [index, pattern] of patterns.entries()) {
    try {
      good.push(canonicalPattern(pattern))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused.push({ index, pattern, message: error.mistakes.map(({ message }) => message).join('; ') })
    }
  }
  return { good, refused }
}
