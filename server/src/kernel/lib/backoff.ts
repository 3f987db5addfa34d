/** Limits of the waits between attempts. */
export interface BackoffLimits {
  /** Maximum wait after the first failure, in milliseconds. */
  readonly baseMs: number
  /** Maximum of all waits, in milliseconds. */
  readonly capMs: number
}

/**
 * Returns the wait before the next attempt: exponential backoff with full jitter, so clients that failed at the same time
 * do not retry at the same time.
 *
 * @param attempt number of failed attempts, from 1
 * @param random number from 0 (inclusive) to 1 (exclusive), like that of `Math.random`
 * @returns whole milliseconds from 0 to `min(capMs, baseMs × 2^(attempt − 1))`
 */
export function backoffDelayMs(attempt: number, random: number, limits: BackoffLimits): number {
  const longestMs = Math.min(limits.capMs, limits.baseMs * 2 ** (attempt - 1))
  return Math.floor(random * (longestMs + 1))
}
