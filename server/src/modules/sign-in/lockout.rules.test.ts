import { expect, test } from 'vitest'
import { type AttemptState, accountLimits, addressLimits, evaluateAttempt } from './lockout.rules.ts'

const untouched: AttemptState = { failures: 0, lastTimestamp: 0, lockedUntilTimestamp: 0 }

/** Attempts one after the other, each as soon as it is allowed; gives the seconds that each lock lasts. */
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

test('a few failures lock nothing; then each doubles the time to wait, up to a quarter of an hour', () => {
  expect(locksOf(12)).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
})

test('however many failures there were, the time to wait stays a number of seconds', () => {
  expect(locksOf(3000).at(-1)).toBe(900)
})

test('while it is locked nothing counts, and the seconds that are left are told', () => {
  const locked = { failures: 5, lastTimestamp: 100, lockedUntilTimestamp: 130 }
  expect(evaluateAttempt(locked, 110, accountLimits)).toEqual({ waitSeconds: 20, next: locked })
  expect(evaluateAttempt(locked, 130, accountLimits)).toMatchObject({ waitSeconds: 0, next: { failures: 6 } })
})

test('a lock from a time that is still to come lasts as long as it did when it began', () => {
  const ahead = { failures: 5, lastTimestamp: 3700, lockedUntilTimestamp: 3730 }
  const moved = { failures: 5, lastTimestamp: 100, lockedUntilTimestamp: 130 }
  expect(evaluateAttempt(ahead, 100, accountLimits)).toEqual({ waitSeconds: 30, next: moved })
})

test('after a quiet day it begins anew', () => {
  const before = { failures: 9, lastTimestamp: 100, lockedUntilTimestamp: 1000 }
  expect(evaluateAttempt(before, 101 + 86_400, accountLimits)).toMatchObject({ next: { failures: 1 } })
})

test('the failures of an account do not fade: whoever guesses slowly must not get more guesses', () => {
  const before = { failures: 4, lastTimestamp: 100, lockedUntilTimestamp: 0 }
  expect(evaluateAttempt(before, 100 + 86_400, accountLimits)).toMatchObject({ next: { failures: 5 } })
})

test('the failures of an address fade one by one, whoever else is behind it goes on', () => {
  let state: AttemptState = { failures: 40, lastTimestamp: 1000, lockedUntilTimestamp: 0 }
  // Somebody signs in each half minute, which is an attempt that is taken back.
  for (let now = 1000; now <= 1000 + 1800; now += 30) {
    const decision = evaluateAttempt(state, now, addressLimits)
    expect(decision.waitSeconds).toBe(0)
    state = { ...decision.next, failures: decision.next.failures - 1 }
  }
  expect(state.failures).toBe(15)
})

test('an address that goes on failing gets no more than fades', () => {
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
