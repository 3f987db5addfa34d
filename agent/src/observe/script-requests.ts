/** What scripts asked of servers since a moment. */
export interface ScriptRequests {
  readonly count: number
  /** Status of the first that went to the site of the page; 0 if unknown. */
  readonly status: number
}

const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/**
 * Counts the requests of the page's scripts that begin from now on and have ended. The browser's own record
 * of them is read, so that nothing in the page has to be changed.
 *
 * @param registrableHost of the page
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
