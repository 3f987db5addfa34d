import { expect, test } from 'vitest'
import { rateLimitHeaders } from './rate-limit.ts'

const headersOf = rateLimitHeaders({ sustained: 10, burst: 10 })

test('an allowed request has the policy and the remaining tokens', () => {
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
])('a rejected request with %i ms to wait has Retry-After %s', (retryAfterMs, seconds) => {
  expect(headersOf({ allowed: false, remaining: 0, retryAfterMs })).toEqual({
    'ratelimit-policy': '"user";q=10;w=1;burst=10',
    ratelimit: '"user";r=0;t=1',
    'retry-after': seconds,
  })
})

test('equal decisions share their headers', () => {
  const decision = { allowed: true, remaining: 7, retryAfterMs: 0 }
  expect(headersOf(decision)).toBe(headersOf({ ...decision }))
})
