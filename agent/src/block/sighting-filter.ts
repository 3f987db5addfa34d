/** The same address in the same tab within this time is one visit, in milliseconds. */
const windowMs = 60_000
/** More are not remembered; the oldest go. */
const sightingsMaximum = 500

/**
 * Tells new visits from repeats: a blocked page that is loaded again and again is reported once in a while.
 *
 * @returns a function that says whether a visit is new
 */
export function sightingFilter(): (tabId: number, url: string, nowMs: number) => boolean {
  const seen = new Map<string, number>()
  return (tabId, url, nowMs) => {
    const key = `${tabId} ${url}`
    const lastMs = seen.get(key)
    if (lastMs !== undefined && nowMs - lastMs < windowMs && nowMs >= lastMs) return false
    seen.delete(key)
    seen.set(key, nowMs)
    const [oldest] = seen.keys()
    if (seen.size > sightingsMaximum && oldest !== undefined) seen.delete(oldest)
    return true
  }
}
