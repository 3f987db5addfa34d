/** How failed attempts of a name are answered. */
export interface LockoutLimits {
  /** So many attempts may fail in a row before the name is locked. */
  readonly free: number
  /** How long the first lock lasts; each further failure doubles it. */
  readonly firstLockSeconds: number
  readonly longestLockSeconds: number
  /** After so long without an attempt all is forgotten. */
  readonly quietSeconds: number
  /** So often one failure is forgotten, whatever else is tried; none if it is left out. */
  readonly fadeSeconds?: number
}

/** For an account: a person mistypes a few times, a machine goes on. Nothing fades, as a right proof clears it anyway. */
export const accountLimits: LockoutLimits = {
  free: 5,
  firstLockSeconds: 30,
  longestLockSeconds: 15 * 60,
  quietSeconds: 24 * 60 * 60,
}

/**
 * For an address that attempts come from: a whole office may be behind it, which is never quiet. What fades in an hour is
 * what an hour of quiet would give anew, so that whoever guesses gains nothing.
 */
export const addressLimits: LockoutLimits = {
  free: 50,
  firstLockSeconds: 10,
  longestLockSeconds: 15 * 60,
  quietSeconds: 60 * 60,
  fadeSeconds: (60 * 60) / 50,
}

/** What is known of a name, in UNIX seconds. */
export interface AttemptState {
  failures: number
  /** When the last attempt was; where failures fade, when the last one did that. */
  lastTimestamp: number
  lockedUntilTimestamp: number
}

/**
 * Moves what is known of a name to the time of a clock that was set back, as if the last attempt was just now: a lock
 * never lasts longer than it did when it began.
 */
function stepBack(known: AttemptState, nowSeconds: number): AttemptState {
  const stepSeconds = Math.max(0, known.lastTimestamp - nowSeconds)
  return {
    failures: known.failures,
    lastTimestamp: known.lastTimestamp - stepSeconds,
    lockedUntilTimestamp: known.lockedUntilTimestamp - stepSeconds,
  }
}

/**
 * Decides about one more attempt. It counts as failed from the beginning, so that attempts at the same time cannot get
 * past the count; one that succeeds is taken back.
 *
 * @returns the seconds to wait, 0 if the attempt may be made, and what is known of the name from now on
 */
export function judgeAttempt(
  before: AttemptState,
  nowSeconds: number,
  limits: LockoutLimits,
): { waitSeconds: number; next: AttemptState } {
  const known = stepBack(before, nowSeconds)
  if (known.lockedUntilTimestamp > nowSeconds)
    return { waitSeconds: known.lockedUntilTimestamp - nowSeconds, next: known }
  const { quietSeconds, fadeSeconds } = limits
  const passed = nowSeconds - known.lastTimestamp
  const faded = fadeSeconds === undefined ? 0 : Math.floor(passed / fadeSeconds)
  const left = passed > quietSeconds ? 0 : Math.max(0, known.failures - faded)
  const failures = left + 1
  const beyond = failures - limits.free
  // Bounded, because two to the power of many failures is no number of seconds.
  const lockSeconds =
    beyond < 0 ? 0 : Math.min(limits.firstLockSeconds * 2 ** Math.min(beyond, 20), limits.longestLockSeconds)
  // The time that was too short for one more to fade counts on: attempts may come more often than failures fade.
  const rest = fadeSeconds === undefined || left === 0 ? 0 : passed % fadeSeconds
  const lockedUntilTimestamp = nowSeconds + lockSeconds
  return { waitSeconds: 0, next: { failures, lastTimestamp: nowSeconds - rest, lockedUntilTimestamp } }
}
