import { messageRate } from '../background/message-rate.ts'

/** The same address in the same tab within this time is one visit, in milliseconds. */
const windowMs = 60_000
/** More are not remembered; the oldest go. */
const sightingsMaximum = 500

/** A page may load frames of blocked addresses without end; of each tab so many are told of. */
const framesOfTab = { burst: 20, perSecond: 0.1 }

/** A blocked address that was about to be opened. */
interface BlockedVisit {
  readonly tabId: number
  readonly url: string
  readonly isMainFrame: boolean
}

/**
 * Tells new visits from repeats: a blocked page that is loaded again and again is reported once in a while, and of
 * frames without end only some.
 *
 * @returns a function that says whether a visit is new
 */
export function sightingFilter(): (visit: BlockedVisit, nowMs: number) => boolean {
  const seen = new Map<string, number>()
  const isHeard = messageRate()
  return ({ tabId, url, isMainFrame }, nowMs) => {
    const key = `${tabId} ${url}`
    const lastMs = seen.get(key)
    if (lastMs !== undefined && nowMs - lastMs < windowMs && nowMs >= lastMs) return false
    seen.delete(key)
    seen.set(key, nowMs)
    const [oldest] = seen.keys()
    if (seen.size > sightingsMaximum && oldest !== undefined) seen.delete(oldest)
    return isMainFrame || isHeard(String(tabId), framesOfTab, nowMs)
  }
}
