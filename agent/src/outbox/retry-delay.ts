/** Longest delay after the first failure, and the overall maximum, in milliseconds. */
const baseMs = 2000
const capMs = 10 * 60_000

/** Maximum delay accepted from the server, in seconds. */
const retryAfterMaximumSeconds = 3600

/**
 * Returns the delay before the next attempt. Exponential with jitter over the upper half, so browsers that failed
 * together do not retry together, and never shorter than the server asked for.
 *
 * @param failures number of consecutive failures, from 1
 * @param random from 0 (inclusive) to 1 (exclusive)
 * @param retryAfterSeconds delay requested by the server; null if none
 * @returns milliseconds
 */
export function retryDelayMs(failures: number, random: number, retryAfterSeconds: number | null): number {
  const longestMs = Math.min(capMs, baseMs * 2 ** (failures - 1))
  const askedMs = Math.min(retryAfterSeconds ?? 0, retryAfterMaximumSeconds) * 1000
  const jittered = longestMs * (0.5 + random / 2)
  return Math.round(Math.max(jittered, askedMs + (askedMs > 0 ? random * 1000 : 0)))
}

/** Maximum of all delays. */
export const longestDelayMs = Math.max(capMs, (retryAfterMaximumSeconds + 1) * 1000)

/**
 * Returns the remaining wait in milliseconds; 0 if it is over. A rest longer than the longest delay means that the
 * clock was set back and counts as over.
 *
 * @param notBeforeMs end of the wait
 */
export function remainingWaitMs(notBeforeMs: number, nowMs: number, longestMs: number): number {
  const restMs = notBeforeMs - nowMs
  return restMs <= 0 || restMs > longestMs ? 0 : restMs
}

/**
 * Parses a Retry-After field: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @returns seconds from now; null if missing or invalid
 */
export function retryAfterSeconds(field: string | null, nowMs: number): number | null {
  if (field === null) return null
  if (/^\d{1,9}$/.test(field.trim())) return Number(field)
  const dateMs = /[a-z]/i.test(field) ? Date.parse(field) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}
