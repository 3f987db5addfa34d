import { expect, test } from 'vitest'
import { rateLimitHeaders } from './rate-limit-headers.ts'

const headersOf = rateLimitHeaders({ sustained: 10, burst: 10 })

test('a granted request tells the policy and what is left', () => {
  expect(headersOf({ allowed: true, remaining: 19, retryAfterMs: 0 })).toEqual({
    'ratelimit-policy': '"user";q=10;w=1;burst=10',
    ratelimit: '"user";r=19;t=1',
  })
})

test.each([
  [1, '1'],
  [100, '1'],
  [1_000, '1'],
  [1_001, '2'],
])('a refused request with %i ms to wait is told to come back after %s s', (retryAfterMs, seconds) => {
  expect(headersOf({ allowed: false, remaining: 0, retryAfterMs })).toEqual({
    'ratelimit-policy': '"user";q=10;w=1;burst=10',
    ratelimit: '"user";r=0;t=1',
    'retry-after': seconds,
  })
})

test('the fields of equal decisions are made once', () => {
  const decision = { allowed: true, remaining: 7, retryAfterMs: 0 }
  expect(headersOf(decision)).toBe(headersOf({ ...decision }))
})
