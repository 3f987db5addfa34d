import type { Clock } from './clock.ts'

/** What a bucket answers to one who asks for a token. */
export interface Decision {
  readonly allowed: boolean
  /** Whole tokens left after this one. */
  readonly remaining: number
  /** Milliseconds until there is a token again, rounded up; 0 if this one was granted. */
  readonly retryAfterMs: number
}

/** Token buckets of one size, one per key. */
export interface TokenBuckets {
  take(key: string): Decision
  /** Buckets held in memory now. */
  readonly size: number
}

/** The size of the buckets. */
export interface TokenBucketOptions {
  /** Tokens in a full bucket. */
  readonly capacity: number
  /** Tokens that flow into a bucket in one second; a whole number. */
  readonly perSecond: number
  readonly clock: Clock
  /** At most about this many buckets are held; when more are in use, those used least recently are forgotten. */
  readonly maxKeys?: number
}

/** A bucket is one number: the moment it will be full again, in steps of 1/perSecond milliseconds, so that all sums are whole. */
interface Bucket {
  fullAt: number
}

const tokenSteps = 1000
const cachedDecisions = 1024

/**
 * Makes token buckets that are exact to the millisecond: in any span of Δt seconds a key is granted at most
 * `capacity + perSecond × Δt` tokens, and never refused one that is due.
 *
 * A full bucket is the same as no bucket. Every fill time the young buckets become the old ones and the old ones, which
 * nobody has touched for a whole fill time and which are full therefore, are dropped.
 */
export function tokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { capacity, perSecond, clock, maxKeys = Number.POSITIVE_INFINITY } = options
  const capacitySteps = capacity * tokenSteps
  const fillMs = Math.ceil(capacitySteps / perSecond)
  const granted = decisionCache((remaining) => ({ allowed: true, remaining, retryAfterMs: 0 }))
  const refused = decisionCache((retryAfterMs) => ({ allowed: false, remaining: 0, retryAfterMs }))
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let turnedMs = clock.monotonicMs()

  function dropFullBuckets(nowMs: number): void {
    if (nowMs - turnedMs < fillMs && young.size < maxKeys / 2) return
    const dropped = old
    old = young
    dropped.clear()
    young = dropped
    turnedMs = nowMs
  }

  function bucketOf(key: string, now: number): Bucket {
    const known = young.get(key)
    if (known !== undefined) return known
    const bucket = old.get(key) ?? { fullAt: now }
    old.delete(key)
    young.set(key, bucket)
    return bucket
  }

  return {
    take(key) {
      const nowMs = clock.monotonicMs()
      dropFullBuckets(nowMs)
      const now = nowMs * perSecond
      const bucket = bucketOf(key, now)
      const fullAt = Math.max(bucket.fullAt, now)
      const left = capacitySteps - (fullAt - now) - tokenSteps
      if (left < 0) {
        bucket.fullAt = fullAt
        return refused(Math.ceil(-left / perSecond))
      }
      bucket.fullAt = fullAt + tokenSteps
      return granted(Math.floor(left / tokenSteps))
    },
    get size() {
      return young.size + old.size
    },
  }
}

/** Decisions are few and frozen, so that taking a token allocates nothing. */
function decisionCache(make: (figure: number) => Decision): (figure: number) => Decision {
  const known: Decision[] = []
  return (figure) => {
    const cached = known[figure]
    if (cached !== undefined) return cached
    const decision = make(figure)
    if (figure < cachedDecisions) known[figure] = Object.freeze(decision)
    return decision
  }
}
