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

/** Rate limit headers; `retry-after` only for rejected requests. */
export type RateLimitHeaders = {
  readonly 'ratelimit-policy': string
  readonly ratelimit: string
  readonly 'retry-after'?: string
}

const cachedHeaders = 1024

/**
 * Creates the rate limit headers of authenticated responses (REST contract, Rate limit):
 * `RateLimit-Policy: "user";q=10;w=1;burst=10`, `RateLimit: "user";r=<tokens left>;t=<seconds until the next>`, and
 * `Retry-After` for rejected requests, in whole seconds, rounded up. `t` is always 1, because every second adds a token.
 *
 * @returns a function from a decision to its headers. The objects are shared and must not be changed.
 */
export function rateLimitHeaders(figures: RateLimitFigures): (decision: Decision) => RateLimitHeaders {
  const policy = `"user";q=${figures.sustained};w=1;burst=${figures.burst}`
  const known: RateLimitHeaders[] = []

  function headersWithRemaining(remaining: number): RateLimitHeaders {
    const cached = known[remaining]
    if (cached !== undefined) return cached
    const headers = { 'ratelimit-policy': policy, ratelimit: `"user";r=${remaining};t=1` }
    if (remaining < cachedHeaders) known[remaining] = Object.freeze(headers)
    return headers
  }

  return ({ allowed, remaining, retryAfterMs }) => {
    if (allowed) return headersWithRemaining(remaining)
    return { ...headersWithRemaining(0), 'retry-after': String(retryAfterSeconds(retryAfterMs)) }
  }
}

/** Returns the value of `Retry-After`: seconds, rounded up, at least 1. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000))
}
