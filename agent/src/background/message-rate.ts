/** Rate limit for the messages of a page, or of its frames together: a burst, and a rate after that. */
export interface RateBound {
  readonly burst: number
  readonly perSecond: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** Maximum number of tracked senders; the least recently active ones are removed. */
const bucketsMaximum = 1000

/**
 * Limits the messages of each sender, so that a page that keeps loading frames, or a compromised page process, cannot
 * flood the background.
 *
 * @returns function that returns true if the message is within the limit
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
