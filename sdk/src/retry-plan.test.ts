import { describe, expect, test } from 'vitest'
import { type Failure, readRetryAfter, retryBoundsDefault, retryDelayMs } from './retry-plan.ts'

const failure = (more: Partial<Failure>): Failure => ({
  status: 503,
  retryAfterSeconds: undefined,
  repeatable: true,
  attempts: 1,
  patienceMs: 10_000,
  ...more,
})

const delayMs = (more: Partial<Failure>, random = 1) =>
  retryDelayMs(failure(more), retryBoundsDefault, random)

describe('after', () => {
  test.each([
    [{ status: undefined }, 250],
    [{ status: 502 }, 250],
    [{ status: 503 }, 250],
    [{ status: 504 }, 250],
    [{ status: 429 }, 250],
    [{ status: 429, repeatable: false }, 250],
    [{ status: 429, repeatable: false, retryAfterSeconds: 2 }, 2000],
    [{ status: 409, retryAfterSeconds: 1 }, 1000],
    [{ status: 409, retryAfterSeconds: 0 }, 1000],
    [{ status: 409, retryAfterSeconds: 10, attempts: 100 }, 10_000],
    [{ status: 503, retryAfterSeconds: 11 }, 11_000],
    [{ retryAfterSeconds: 0 }, 0],
    [{ retryAfterSeconds: 60 }, 60_000],
  ])('%j the next attempt follows in %i ms', (more, expected) => {
    expect(delayMs(more)).toBe(expected)
  })

  test.each([
    { status: undefined, repeatable: false },
    { status: 503, repeatable: false },
    { status: 503, repeatable: false, retryAfterSeconds: 1 },
    { status: 409 },
    { status: 409, repeatable: false, retryAfterSeconds: 1 },
    { status: 409, retryAfterSeconds: 11 },
    { status: 400 },
    { status: 500 },
    { status: 500, retryAfterSeconds: 1 },
    { status: 429, attempts: 6 },
    { status: undefined, attempts: 6 },
    { retryAfterSeconds: 61 },
  ])('%j there is no further attempt', (more) => {
    expect(delayMs(more)).toBeUndefined()
  })
})

test('waits double, with jitter in the upper half', () => {
  expect([1, 2, 3, 4, 5].map((attempts) => delayMs({ attempts }))).toEqual([250, 500, 1000, 2000, 4000])
  expect([1, 2, 3, 4, 5].map((attempts) => delayMs({ attempts }, 0))).toEqual([125, 250, 500, 1000, 2000])
})

test('waits are limited to 15 s', () => {
  const many = { attemptsMaximum: 100, waitMaximumSeconds: 60 }
  expect(retryDelayMs(failure({ attempts: 99 }), many, 1)).toBe(15_000)
})

test.each([
  ['0', 0],
  ['17', 17],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  ['99999999999', undefined],
])('Retry-After: %j means %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(seconds)
})
