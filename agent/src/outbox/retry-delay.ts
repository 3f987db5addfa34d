/** The longest wait after the first failure, and the longest of all, in milliseconds. */
const baseMs = 2000
const capMs = 10 * 60_000

/** A server may ask for a longer wait than ours, but not for more than this, in seconds. */
const retryAfterMaximumSeconds = 3600

/**
 * How long to wait before reporting again: exponential with jitter over the upper half, so that browsers that
 * failed together do not come back together, and never sooner than the server asked for.
 *
 * @param failures how many attempts have failed in a row, from 1
 * @param random from 0 (inclusive) to 1 (exclusive)
 * @param retryAfterSeconds what the server asked for; null if nothing
 * @returns milliseconds
 */
export function retryDelayMs(failures: number, random: number, retryAfterSeconds: number | null): number {
  const longestMs = Math.min(capMs, baseMs * 2 ** (failures - 1))
  const askedMs = Math.min(retryAfterSeconds ?? 0, retryAfterMaximumSeconds) * 1000
  const jittered = longestMs * (0.5 + random / 2)
  return Math.round(Math.max(jittered, askedMs + (askedMs > 0 ? random * 1000 : 0)))
}

/** No wait is longer than this. */
export const longestDelayMs = Math.max(capMs, (retryAfterMaximumSeconds + 1) * 1000)

/**
 * What is left of a wait, in milliseconds; 0 if it is over. More than the longest wait there is means that the clock
 * was set back, and is no reason to wait until it has caught up.
 *
 * @param notBeforeMs the end of the wait
 */
export function restOfWaitMs(notBeforeMs: number, nowMs: number, longestMs: number): number {
  const restMs = notBeforeMs - nowMs
  return restMs <= 0 || restMs > longestMs ? 0 : restMs
}

/**
 * Reads a Retry-After field: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @returns seconds from now, or null if there is none that can be read
 */
export function retryAfterSeconds(field: string | null, nowMs: number): number | null {
  if (field === null) return null
  if (/^\d{1,9}$/.test(field.trim())) return Number(field)
  const dateMs = /[a-z]/i.test(field) ? Date.parse(field) : Number.NaN
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}
