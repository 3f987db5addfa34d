import { expect, test } from 'vitest'
import { type AttemptState, accountLimits, judgeAttempt } from './lockout.rules.ts'

const untouched: AttemptState = { failures: 0, lastTimestamp: 0, lockedUntilTimestamp: 0 }

/** Attempts one after the other, each as soon as it is allowed; gives the seconds that each lock lasts. */
function locksOf(attempts: number): number[] {
  let state = untouched
  let now = 1_000_000
  return Array.from({ length: attempts }, () => {
    const judged = judgeAttempt(state, now, accountLimits)
    state = 'next' in judged ? judged.next : state
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
  expect(judgeAttempt(locked, 110, accountLimits)).toEqual({ waitSeconds: 20 })
  expect(judgeAttempt(locked, 130, accountLimits)).toMatchObject({ next: { failures: 6 } })
})

test('after a quiet day it begins anew', () => {
  const before = { failures: 9, lastTimestamp: 100, lockedUntilTimestamp: 1000 }
  expect(judgeAttempt(before, 101 + 86_400, accountLimits)).toMatchObject({ next: { failures: 1 } })
})
