import type { Clock } from '../../lib/clock.ts'
import { type Decision, tokenBuckets } from '../../lib/token-buckets.ts'

/** Rate limit of a key holder (REST contract, Rate limit). */
export interface RateLimitFigures {
  /** Sustained requests per second; an integer from 1. */
  readonly sustained: number
  /** Additional requests in a burst; an integer from 0. */
  readonly burst: number
}

/** Rate limiter of key holders, for this process or shared with others. */
export interface RateLimiter {
  /** Takes a token of the holder. Never rejects. */
  take(holder: string): Decision | Promise<Decision>
  /** Closes connections. The limiter must not be used afterwards. */
  close(): Promise<void>
  /** Returns false while a shared count is unavailable and this process counts alone. */
  healthy(): boolean
}

/** Synchronous rate limiter of {@link memoryRateLimiter}. */
export interface MemoryRateLimiter extends RateLimiter {
  take(holder: string): Decision
  /** Number of holders in memory: those with requests in the last few seconds. */
  readonly size: number
}

/**
 * Creates a rate limiter for this process: token buckets of `sustained + burst` tokens, refilled with `sustained` tokens per
 * second, exact to the millisecond.
 */
export function memoryRateLimiter(options: RateLimitFigures & { readonly clock: Clock }): MemoryRateLimiter {
  const { sustained, burst, clock } = options
  const buckets = tokenBuckets({ capacity: sustained + burst, perSecond: sustained, clock })
  return {
    take: (holder) => buckets.take(holder),
    close: async () => {},
    healthy: () => true,
    get size() {
      return buckets.size
    },
  }
}
