/** Script requests since a moment. */
export interface ScriptRequests {
  readonly count: number
  /** Status of the first request to the page's site; 0 if unknown. */
  readonly status: number
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/**
 * Counts script requests that start from now on and have ended. Reads the browser's resource timing, so nothing in the
 * page is changed.
 *
 * @param registrableHost registrable host of the page
 */
export function countRequests(registrableHost: string): () => ScriptRequests {
  const sinceMs = performance.now() - 20
  let count = 0
  let first: { startMs: number; status: number } | null = null
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, initiatorType, responseStatus = 0, name } = entry as PerformanceResourceTiming
      if (startTime < sinceMs || !/^(?:fetch|xmlhttprequest)$/.test(initiatorType)) continue
      count++
      const host = URL.parse(name)?.hostname ?? ''
      if (responseStatus > 0 && isUnder(host, registrableHost) && (!first || startTime < first.startMs)) {
        first = { startMs: startTime, status: responseStatus }
      }
    }
  })
  observer.observe({ type: 'resource' })
  return () => ({ count, status: first?.status ?? 0 })
}
