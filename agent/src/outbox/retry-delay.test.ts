import { describe, expect, test } from 'vitest'
import { longestDelayMs, remainingWaitMs, retryAfterSeconds, retryDelayMs } from './retry-delay.ts'

describe('the wait before the next attempt', () => {
  test.each([
    [1, 1000, 2000],
    [2, 2000, 4000],
    [5, 16_000, 32_000],
    [10, 300_000, 600_000],
    [500, 300_000, 600_000],
  ])('after failure %i is between %i and %i ms', (failures, least, most) => {
    expect(retryDelayMs(failures, 0, null)).toBe(least)
    expect(retryDelayMs(failures, 0.999999, null)).toBe(most)
  })

  test('is never shorter than the server requested', () => {
    expect(retryDelayMs(1, 0, 30)).toBe(30_000)
    expect(retryDelayMs(1, 0.5, 30)).toBe(30_500)
    expect(retryDelayMs(10, 0, 30)).toBe(300_000)
  })

  test('is at most an hour plus jitter', () => {
    expect(retryDelayMs(1, 0, 999_999_999)).toBe(3_600_000)
  })
})

describe('the rest of a wait', () => {
  const hourMs = 3_600_000
  test.each([
    ['is the time until its end', 5000, 4000],
    ['is zero once it is over', 1000, 0],
    ['is zero if there was none', 0, 0],
    ['may be as long as the longest delay', 1000 + hourMs + 999, hourMs + 999],
    ['is zero if it is longer, because the clock was set back', 1000 + hourMs + 1001, 0],
  ])('%s', (_, notBeforeMs, rest) => {
    expect(remainingWaitMs(notBeforeMs, 1000, longestDelayMs)).toBe(rest)
  })

  test('never cuts a delay of retryDelayMs', () => {
    const longestMs = retryDelayMs(500, 0.999999, 999_999_999)
    expect(remainingWaitMs(longestMs, 0, longestDelayMs)).toBe(longestMs)
  })
})

test.each([
  ['120', 120],
  [' 5 ', 5],
  ['0', 0],
  ['Fri, 21 Nov 2025 08:00:30 GMT', 30],
  ['Fri, 21 Nov 2025 07:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  [null, null],
])('a Retry-After of %j is %j seconds', (field, seconds) => {
  expect(retryAfterSeconds(field, Date.parse('2025-11-21T08:00:00Z'))).toBe(seconds)
})
