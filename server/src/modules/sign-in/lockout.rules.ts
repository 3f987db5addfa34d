/** Limits for failed attempts that share a counter. */
export interface LockoutLimits {
  /** Number of failures in a row that cause no lock. */
  readonly free: number
  /** Duration of the first lock. Each further failure doubles it. */
  readonly firstLockSeconds: number
  readonly longestLockSeconds: number
  /** All failures are forgotten after this time without an attempt. */
  readonly quietSeconds: number
  /** One failure is forgotten per this interval, even while attempts continue. Without it failures do not fade. */
  readonly fadeSeconds?: number
}

/** Limits per account. Failures do not fade because a successful attempt clears them. */
export const accountLimits: LockoutLimits = {
  free: 5,
  firstLockSeconds: 30,
  longestLockSeconds: 15 * 60,
  quietSeconds: 24 * 60 * 60,
}

/**
 * Limits per source address. Many people may share one, so it is rarely quiet and failures must fade. An hour of fading
 * allows as many attempts as an hour of quiet, so an attacker gains nothing from waiting.
 */
export const addressLimits: LockoutLimits = {
  free: 50,
  firstLockSeconds: 10,
  longestLockSeconds: 15 * 60,
  quietSeconds: 60 * 60,
  fadeSeconds: (60 * 60) / 50,
}

/** State of a counter, in UNIX seconds. */
export interface AttemptState {
  failures: number
  /** Time of the last attempt; with fading, the time from which the next failure fades. */
  lastTimestamp: number
  lockedUntilTimestamp: number
}

/** Shifts a state into the present after the clock was set back, so a lock never lasts longer than originally. */
function correctClockStep(known: AttemptState, nowSeconds: number): AttemptState {
  const stepSeconds = Math.max(0, known.lastTimestamp - nowSeconds)
  return {
    failures: known.failures,
    lastTimestamp: known.lastTimestamp - stepSeconds,
    lockedUntilTimestamp: known.lockedUntilTimestamp - stepSeconds,
  }
}

/**
 * Decides whether an attempt may be made. It is counted as failed right away, so concurrent attempts cannot exceed the
 * limit; the caller uncounts it after a success.
 *
 * @returns the seconds to wait (0: allowed), and the new state of the counter
 */
export function evaluateAttempt(
  before: AttemptState,
  nowSeconds: number,
  limits: LockoutLimits,
): { waitSeconds: number; next: AttemptState } {
  const known = correctClockStep(before, nowSeconds)
  if (known.lockedUntilTimestamp > nowSeconds)
    return { waitSeconds: known.lockedUntilTimestamp - nowSeconds, next: known }
  const { quietSeconds, fadeSeconds } = limits
  const elapsed = nowSeconds - known.lastTimestamp
  const faded = fadeSeconds === undefined ? 0 : Math.floor(elapsed / fadeSeconds)
  const left = elapsed > quietSeconds ? 0 : Math.max(0, known.failures - faded)
  const failures = left + 1
  const beyond = failures - limits.free
  // The exponent is bounded: 2 ** failures overflows to Infinity.
  const lockSeconds =
    beyond < 0 ? 0 : Math.min(limits.firstLockSeconds * 2 ** Math.min(beyond, 20), limits.longestLockSeconds)
  // Carry over the remainder; otherwise attempts more frequent than the fade interval would prevent all fading.
  const rest = fadeSeconds === undefined || left === 0 ? 0 : elapsed % fadeSeconds
  const lockedUntilTimestamp = nowSeconds + lockSeconds
  return { waitSeconds: 0, next: { failures, lastTimestamp: nowSeconds - rest, lockedUntilTimestamp } }
}
