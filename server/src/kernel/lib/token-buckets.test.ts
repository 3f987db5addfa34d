import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { fakeClock } from './clock.ts'
import { tokenBuckets } from './token-buckets.ts'

const capacity = 20
const perSecond = 10

function takeMany(count: number, take: () => { allowed: boolean }): number {
  return Array.from({ length: count }, take).filter((decision) => decision.allowed).length
}

describe('one bucket of 20, refilled at 10 a second', () => {
  test('grants 20 at once, then refuses with the wait', () => {
    const buckets = tokenBuckets({ capacity, perSecond, clock: fakeClock() })
    expect(buckets.take('ada')).toEqual({ allowed: true, remaining: 19, retryAfterMs: 0 })
    expect(takeMany(18, () => buckets.take('ada'))).toBe(18)
    expect(buckets.take('ada')).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0 })
    expect(buckets.take('ada')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 100 })
  })

  test('grants one more after 100 ms, not after 99', () => {
    const clock = fakeClock()
    const buckets = tokenBuckets({ capacity, perSecond, clock })
    takeMany(20, () => buckets.take('ada'))
    clock.advanceMs(99)
    expect(buckets.take('ada')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1 })
    clock.advanceMs(1)
    expect(buckets.take('ada').allowed).toBe(true)
    expect(buckets.take('ada').allowed).toBe(false)
  })

  test('is full after 2 seconds, and has no more tokens after an hour', () => {
    const clock = fakeClock()
    const buckets = tokenBuckets({ capacity, perSecond, clock })
    for (const pauseMs of [0, 2_000, 3_600_000]) {
      clock.advanceMs(pauseMs)
      expect(takeMany(50, () => buckets.take('ada'))).toBe(20)
    }
  })

  test('counts keys separately', () => {
    const buckets = tokenBuckets({ capacity, perSecond, clock: fakeClock() })
    takeMany(30, () => buckets.take('ada'))
    expect(buckets.take('grace').remaining).toBe(19)
  })

  test('does not wait longer when the clock steps back', () => {
    const clock = fakeClock()
    const buckets = tokenBuckets({ capacity, perSecond, clock })
    takeMany(15, () => buckets.take('ada'))
    clock.advanceMs(-3_600_000)
    expect(takeMany(10, () => buckets.take('ada'))).toBe(5)
    expect(buckets.take('ada').retryAfterMs).toBe(100)
    clock.advanceMs(100)
    expect(buckets.take('ada').allowed).toBe(true)
  })
})

describe('memory', () => {
  test('full buckets are dropped', () => {
    const clock = fakeClock()
    const buckets = tokenBuckets({ capacity, perSecond, clock })
    for (let index = 0; index < 1_000; index += 1) buckets.take(`key ${index}`)
    expect(buckets.size).toBe(1_000)
    for (let turn = 0; turn < 2; turn += 1) {
      clock.advanceMs(2_000)
      buckets.take('ada')
    }
    expect(buckets.size).toBe(1)
  })

  test('evicts the least recently used keys beyond the maximum', () => {
    const clock = fakeClock()
    const buckets = tokenBuckets({ capacity, perSecond, clock, maxKeys: 100 })
    for (let index = 0; index < 10_000; index += 1) {
      buckets.take(`key ${index}`)
      expect(buckets.size).toBeLessThanOrEqual(101)
    }
  })
})

describe('over any schedule', () => {
  const figures = fc.record({
    capacity: fc.integer({ min: 1, max: 40 }),
    perSecond: fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 3_000 })),
  })
  const pausesMs = fc.array(fc.oneof(fc.constant(0), fc.nat(150), fc.nat(5_000)), { maxLength: 300 })

  test('no time span gets more than the capacity plus the tokens added in it', () => {
    fc.assert(
      fc.property(pausesMs, (pauses) => {
        const clock = fakeClock()
        const buckets = tokenBuckets({ capacity, perSecond, clock })
        const grantedMs: number[] = []
        for (const pauseMs of pauses) {
          clock.advanceMs(pauseMs)
          if (buckets.take('ada').allowed) grantedMs.push(clock.nowMs())
        }
        for (const [first, fromMs] of grantedMs.entries()) {
          for (const [last, toMs] of grantedMs.entries()) {
            const spanSeconds = (toMs - fromMs) / 1000
            expect(last - first + 1).toBeLessThanOrEqual(capacity + perSecond * Math.max(0, spanSeconds))
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  test('grants every token that is due, with a wait exact to the millisecond', () => {
    fc.assert(
      fc.property(figures, pausesMs, (size, pauses) => {
        const clock = fakeClock()
        const buckets = tokenBuckets({ ...size, clock })
        // The plain definition of a token bucket, in thousandths of a token, which are whole numbers.
        let level = size.capacity * 1000
        for (const pauseMs of pauses) {
          clock.advanceMs(pauseMs)
          level = Math.min(size.capacity * 1000, level + pauseMs * size.perSecond)
          const allowed = level >= 1000
          if (allowed) level -= 1000
          expect(buckets.take('ada')).toEqual({
            allowed,
            remaining: Math.floor(level / 1000),
            retryAfterMs: allowed ? 0 : Math.ceil((1000 - level) / size.perSecond),
          })
        }
      }),
    )
  })
})
