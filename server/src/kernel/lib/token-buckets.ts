import type { Clock } from './clock.ts'

/** Result of taking a token. */
export interface Decision {
  readonly allowed: boolean
  /** Tokens left. */
  readonly remaining: number
  /** Milliseconds until the next token, rounded up; 0 if one was granted. */
  readonly retryAfterMs: number
}

/** Token buckets of equal size, one per key. */
export interface TokenBuckets {
  take(key: string): Decision
  /** Number of buckets in memory. */
  readonly size: number
}

/** Size of the buckets. */
export interface TokenBucketOptions {
  /** Tokens in a full bucket. */
  readonly capacity: number
  /** Tokens added per second; an integer. */
  readonly perSecond: number
  readonly clock: Clock
  /** Approximate maximum of buckets. Beyond it the least recently used ones are dropped. */
  readonly maxKeys?: number
}

/** Bucket as one number: the time at which it is full again, in units of 1/perSecond milliseconds to keep sums integral. */
interface Bucket {
  fullAt: number
}

const tokenSteps = 1000
const cachedDecisions = 1024

/**
 * Creates token buckets that are exact to the millisecond: in Δt seconds a key gets at most `capacity + perSecond × Δt`
 * tokens, and a token that is due is never refused.
 *
 * A full bucket is equivalent to no bucket. Once per fill time the old generation is dropped, because its buckets were not
 * used for a whole fill time and are full, and the young generation becomes the old one.
 */
export function tokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { capacity, perSecond, clock, maxKeys = Number.POSITIVE_INFINITY } = options
  const capacitySteps = capacity * tokenSteps
  const fillMs = Math.ceil(capacitySteps / perSecond)
  const granted = decisionCache((remaining) => ({ allowed: true, remaining, retryAfterMs: 0 }))
  const refused = decisionCache((retryAfterMs) => ({ allowed: false, remaining: 0, retryAfterMs }))
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let rotatedMs = clock.monotonicMs()

  function dropFullBuckets(nowMs: number): void {
    if (nowMs - rotatedMs < fillMs && young.size < maxKeys / 2) return
    const dropped = old
    old = young
    dropped.clear()
    young = dropped
    rotatedMs = nowMs
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

/** Caches decisions, so taking a token allocates nothing. */
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
