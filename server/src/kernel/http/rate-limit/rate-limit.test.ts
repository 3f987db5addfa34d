import { expect, test } from 'vitest'
import { fakeClock } from '../../lib/clock.ts'
import { memoryRateLimiter } from './rate-limit.ts'

test('a holder gets sustained + burst requests at once, then the sustained rate', () => {
  const clock = fakeClock()
  const limiter = memoryRateLimiter({ sustained: 10, burst: 10, clock })
  const granted = () =>
    Array.from({ length: 100 }, () => limiter.take('holder')).filter((one) => one.allowed).length
  expect(granted()).toBe(20)
  let later = 0
  for (let passedMs = 0; passedMs < 10_000; passedMs += 50) {
    clock.advanceMs(50)
    later += granted()
  }
  expect(later).toBe(100)
})

test('an in-memory limiter is always healthy and drops inactive holders', async () => {
  const clock = fakeClock()
  const limiter = memoryRateLimiter({ sustained: 10, burst: 10, clock })
  limiter.take('quiet')
  for (let second = 0; second < 5; second += 1) {
    clock.advanceMs(1_000)
    limiter.take('busy')
  }
  expect(limiter.size).toBe(1)
  expect(limiter.healthy()).toBe(true)
  await limiter.close()
})
