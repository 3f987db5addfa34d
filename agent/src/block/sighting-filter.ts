import { messageRate } from '../background/message-rate.ts'

/** Time within which the same address in the same tab counts as one visit, in milliseconds. */
const windowMs = 60_000
/** Maximum number of remembered visits; the oldest are removed. */
const sightingsMaximum = 500

/** Limit of reported frames per tab, because a page may keep loading frames with blocked addresses. */
const framesOfTab = { burst: 20, perSecond: 0.1 }

/** Attempt to open a blocked address. */
interface BlockedVisit {
  readonly tabId: number
  readonly url: string
  readonly isMainFrame: boolean
}

/**
 * Separates new visits from repeats, so a blocked page that reloads repeatedly is reported only from time to time, and
 * only some of many frames are.
 *
 * @returns function that returns true if a visit is new
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
