import type { Decision } from '../../lib/token-buckets.ts'
import type { RateLimitFigures } from './rate-limit.ts'

/** Header fields that tell a client where it stands; `retry-after` only when it has to wait. */
export type RateLimitHeaders = {
  readonly 'ratelimit-policy': string
  readonly ratelimit: string
  readonly 'retry-after'?: string
}

const cachedHeaders = 1024

/**
 * Prepares the header fields of every authenticated response (REST contract, Rate limit):
 * `RateLimit-Policy: "user";q=10;w=1;burst=10`, `RateLimit: "user";r=<tokens left>;t=<seconds until one more>`, and after
 * a refusal `Retry-After`, all in whole seconds, rounded up. As at least one token flows in every second, `t` is 1.
 *
 * @returns a function from a decision to its fields: objects that are made once and shared, not to be changed
 */
export function rateLimitHeaders(figures: RateLimitFigures): (decision: Decision) => RateLimitHeaders {
  const policy = `"user";q=${figures.sustained};w=1;burst=${figures.burst}`
  const known: RateLimitHeaders[] = []

  function whenGranted(remaining: number): RateLimitHeaders {
    const cached = known[remaining]
    if (cached !== undefined) return cached
    const headers = { 'ratelimit-policy': policy, ratelimit: `"user";r=${remaining};t=1` }
    if (remaining < cachedHeaders) known[remaining] = Object.freeze(headers)
    return headers
  }

  return ({ allowed, remaining, retryAfterMs }) => {
    if (allowed) return whenGranted(remaining)
    return { ...whenGranted(0), 'retry-after': String(retryAfterSeconds(retryAfterMs)) }
  }
}

/** Whole seconds to wait, rounded up, at least 1: what `Retry-After` says. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000))
}
