/** How long the waits between attempts may get. */
export interface BackoffLimits {
  /** The longest wait after the first failure, in milliseconds. */
  readonly baseMs: number
  /** No wait is longer than this, in milliseconds. */
  readonly capMs: number
}

/**
 * How long to wait before trying again: exponential with full jitter, so that many who failed together do not come back
 * together.
 *
 * @param attempt how many attempts have failed so far, from 1
 * @param random a number from 0 (inclusive) to 1 (exclusive), as `Math.random` gives
 * @returns whole milliseconds from 0 to `min(capMs, baseMs × 2^(attempt − 1))`
 */
export function backoffDelayMs(attempt: number, random: number, limits: BackoffLimits): number {
  const longestMs = Math.min(limits.capMs, limits.baseMs * 2 ** (attempt - 1))
  return Math.floor(random * (longestMs + 1))
}
