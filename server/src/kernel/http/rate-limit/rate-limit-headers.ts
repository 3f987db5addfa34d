import type { Decision } from '../../lib/token-buckets.ts'
import type { RateLimitFigures } from './rate-limit.ts'

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
