/** How failed attempts of a name are answered. */
export interface LockoutLimits {
  /** So many attempts may fail in a row before the name is locked. */
  readonly free: number
  /** How long the first lock lasts; each further failure doubles it. */
  readonly firstLockSeconds: number
  readonly longestLockSeconds: number
  /** After so long without an attempt all is forgotten. */
  readonly quietSeconds: number
}

/** For an account: a person mistypes a few times, a machine goes on. */
export const accountLimits: LockoutLimits = {
  free: 5,
  firstLockSeconds: 30,
  longestLockSeconds: 15 * 60,
  quietSeconds: 24 * 60 * 60,
}

/** For an address that attempts come from: a whole office may be behind it. */
export const addressLimits: LockoutLimits = {
  free: 50,
  firstLockSeconds: 10,
  longestLockSeconds: 15 * 60,
  quietSeconds: 60 * 60,
}

/** What is known of a name, in UNIX seconds. */
export interface AttemptState {
  failures: number
  lastTimestamp: number
  lockedUntilTimestamp: number
}

/**
 * Decides about one more attempt. It counts as failed from the beginning, so that attempts at the same time cannot get
 * past the count; one that succeeds is taken back.
 *
 * @returns the seconds to wait, or what is known of the name from now on
 */
export function judgeAttempt(
  known: AttemptState,
  nowSeconds: number,
  limits: LockoutLimits,
): { waitSeconds: number } | { next: AttemptState } {
  if (known.lockedUntilTimestamp > nowSeconds) return { waitSeconds: known.lockedUntilTimestamp - nowSeconds }
  const quiet = nowSeconds - known.lastTimestamp > limits.quietSeconds
  const failures = (quiet ? 0 : known.failures) + 1
  const beyond = failures - limits.free
  // Bounded, because two to the power of many failures is no number of seconds.
  const lockSeconds =
    beyond < 0 ? 0 : Math.min(limits.firstLockSeconds * 2 ** Math.min(beyond, 20), limits.longestLockSeconds)
  return { next: { failures, lastTimestamp: nowSeconds, lockedUntilTimestamp: nowSeconds + lockSeconds } }
}
