/** How many messages a page, and its frames together, may send: so many at once, and so many per second after that. */
export interface RateBound {
  readonly burst: number
  readonly perSecond: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** Tabs beyond this many are forgotten, the longest unheard of first. */
const bucketsMaximum = 1000

/**
 * Bounds what one sender can make the background do, so that a page that loads frames without end, or a page
 * process that was taken over, cannot flood it.
 *
 * @returns a function that says whether the sender may be heard
 */
export function messageRate(): (sender: string, bound: RateBound, nowMs: number) => boolean {
  const buckets = new Map<string, Bucket>()
  return (sender, { burst, perSecond }, nowMs) => {
    const bucket = buckets.get(sender) ?? { tokens: burst, atMs: nowMs }
    buckets.delete(sender)
    const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond
    const tokens = Math.min(burst, refilled)
    const isHeard = tokens >= 1
    buckets.set(sender, { tokens: isHeard ? tokens - 1 : tokens, atMs: nowMs })
    const [oldest] = buckets.keys()
    if (buckets.size > bucketsMaximum && oldest !== undefined) buckets.delete(oldest)
    return isHeard
  }
}
