import { expect, test } from 'vitest'
import { type AttemptState, accountLimits, addressLimits, evaluateAttempt } from './lockout.rules.ts'

const untouched: AttemptState = { failures: 0, lastTimestamp: 0, lockedUntilTimestamp: 0 }

/**
 * Makes attempts as soon as each is allowed. @returns the duration of each lock in seconds
 */
function locksOf(attempts: number): number[] {
  let state = untouched
  let now = 1_000_000
  return Array.from({ length: attempts }, () => {
    const decision = evaluateAttempt(state, now, accountLimits)
    state = decision.next
    const lock = state.lockedUntilTimestamp - now
    now = Math.max(now, state.lockedUntilTimestamp)
    return lock
  })
}

test('five failures cause the first lock, and each further one doubles it up to 15 minutes', () => {
  expect(locksOf(12)).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
})

test('the lock stays at its maximum for any number of failures', () => {
  expect(locksOf(3000).at(-1)).toBe(900)
})

test('an attempt during a lock is not counted and returns the remaining seconds', () => {
  const locked = { failures: 5, lastTimestamp: 100, lockedUntilTimestamp: 130 }
  expect(evaluateAttempt(locked, 110, accountLimits)).toEqual({ waitSeconds: 20, next: locked })
  expect(evaluateAttempt(locked, 130, accountLimits)).toMatchObject({ waitSeconds: 0, next: { failures: 6 } })
})

test('a lock that starts in the future, after the clock was set back, keeps its duration', () => {
  const ahead = { failures: 5, lastTimestamp: 3700, lockedUntilTimestamp: 3730 }
  const moved = { failures: 5, lastTimestamp: 100, lockedUntilTimestamp: 130 }
  expect(evaluateAttempt(ahead, 100, accountLimits)).toEqual({ waitSeconds: 30, next: moved })
})

test('failures are forgotten after a day without attempts', () => {
  const before = { failures: 9, lastTimestamp: 100, lockedUntilTimestamp: 1000 }
  expect(evaluateAttempt(before, 101 + 86_400, accountLimits)).toMatchObject({ next: { failures: 1 } })
})

test('failures of an account do not fade, so slow guessing gains nothing', () => {
  const before = { failures: 4, lastTimestamp: 100, lockedUntilTimestamp: 0 }
  expect(evaluateAttempt(before, 100 + 86_400, accountLimits)).toMatchObject({ next: { failures: 5 } })
})

test('failures of an address fade one by one while other attempts continue', () => {
  let state: AttemptState = { failures: 40, lastTimestamp: 1000, lockedUntilTimestamp: 0 }
  // A successful attempt every 30 seconds is counted and uncounted.
  for (let now = 1000; now <= 1000 + 1800; now += 30) {
    const decision = evaluateAttempt(state, now, addressLimits)
    expect(decision.waitSeconds).toBe(0)
    state = { ...decision.next, failures: decision.next.failures - 1 }
  }
  expect(state.failures).toBe(15)
})

test('an address that keeps failing gets only as many attempts as fade', () => {
  let state = untouched
  let now = 1_000_000
  let attempts = 0
  for (; now < 1_000_000 + 24 * 3600; attempts += 1) {
    const decision = evaluateAttempt(state, now, addressLimits)
    expect(decision.waitSeconds).toBe(0)
    state = decision.next
    now = Math.max(now, state.lockedUntilTimestamp)
  }
  expect(attempts).toBeLessThan(50 + 24 * 50 + 5)
})
