import type { Clock } from '../../lib/clock.ts'
import { type Decision, tokenBuckets } from '../../lib/token-buckets.ts'

/** How many requests a holder may make (REST contract, Rate limit). */
export interface RateLimitFigures {
  /** Requests per second that may go on for ever; a whole number from 1. */
  readonly sustained: number
  /** Requests on top of that which may come at once after a pause; a whole number from 0. */
  readonly burst: number
}

/** Counts the requests of key holders, in this process or together with others. */
export interface RateLimiter {
  /** Takes one token of the holder's, and says whether there was one. Never fails. */
  take(holder: string): Decision | Promise<Decision>
  /** Ends connections; the limiter must not be used after. */
  close(): Promise<void>
  /** False while a count that should be shared is kept by this process alone. */
  healthy(): boolean
}

/** What {@link memoryRateLimiter} makes: it answers at once. */
export interface MemoryRateLimiter extends RateLimiter {
  take(holder: string): Decision
  /** Holders that are remembered now: those who asked within the last few seconds. */
  readonly size: number
}

/**
 * Limits holders within this process: a token bucket of `sustained + burst` tokens, refilled at `sustained` a second,
 * exact to the millisecond.
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
