/** Keys that are counted at a time. */
const keysMaximum = 1_000

/**
 * Counts how often a key asks.
 *
 * @param maximum how often it may within the window
 * @returns whether it may now
 */
export function rateLimit(maximum: number, windowMs: number): (key: number, timeMs: number) => boolean {
  const counts = new Map<number, { since: number; count: number }>()
  return (key, timeMs) => {
    const known = counts.get(key)
    if (!known || timeMs - known.since >= windowMs) {
      if (counts.size >= keysMaximum) counts.clear()
      counts.set(key, { since: timeMs, count: 1 })
      return true
    }
    known.count++
    return known.count <= maximum
  }
}
