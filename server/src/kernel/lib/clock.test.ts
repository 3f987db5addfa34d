import { expect, test } from 'vitest'
import { fakeClock, systemClock, unixSeconds } from './clock.ts'

test('a fake clock stands still until it is advanced', () => {
  const clock = fakeClock(5_000)
  expect(clock.nowMs()).toBe(5_000)
  expect(clock.nowMs()).toBe(5_000)
  clock.advanceMs(1_250)
  expect(clock.nowMs()).toBe(6_250)
})

test('UNIX seconds are whole and never run ahead of the clock', () => {
  const clock = fakeClock(1_999)
  expect(unixSeconds(clock)).toBe(1)
  clock.advanceMs(1)
  expect(unixSeconds(clock)).toBe(2)
})

test('the system clock tells the time of the machine', () => {
  const before = Date.now()
  expect(systemClock.nowMs()).toBeGreaterThanOrEqual(before)
})
