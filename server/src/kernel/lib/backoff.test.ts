import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { backoffDelayMs } from './backoff.ts'

const limits = { baseMs: 100, capMs: 5_000 }

test.each([
  [1, 100],
  [2, 200],
  [6, 3_200],
  [7, 5_000],
  [2_000, 5_000],
])('after %i failures the wait is at most %i ms', (attempt, longestMs) => {
  expect(backoffDelayMs(attempt, 0, limits)).toBe(0)
  expect(backoffDelayMs(attempt, 1 - Number.EPSILON, limits)).toBe(longestMs)
})

test('a wait is a whole number of milliseconds within the limits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const delayMs = backoffDelayMs(attempt, random, limits)
        expect(Number.isInteger(delayMs)).toBe(true)
        expect(delayMs).toBeGreaterThanOrEqual(0)
        expect(delayMs).toBeLessThanOrEqual(limits.capMs)
      },
    ),
  )
})
