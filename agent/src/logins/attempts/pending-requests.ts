/** Requests that wait for an answer. */
export interface PendingRequests {
  begin(requestId: string, tabId: number, timeMs: number): void
  end(requestId: string): void
  /** True if a tab waits for no answer; requests that are kept open for messages do not count. */
  isQuiet(tabId: number, timeMs: number): boolean
}

/** A request that is older is one that the server answers when there is news. */
const answerMaximumMs = 8_000
const requestsMaximum = 1_000

export function pendingRequests(): PendingRequests {
  const pending = new Map<string, { readonly tabId: number; readonly timeMs: number }>()
  return {
    begin: (requestId, tabId, timeMs) => {
      if (pending.size >= requestsMaximum) pending.clear()
      pending.set(requestId, { tabId, timeMs })
    },
    end: (requestId) => {
      pending.delete(requestId)
    },
    isQuiet: (tabId, timeMs) =>
      ![...pending.values()].some(
        (request) => request.tabId === tabId && timeMs - request.timeMs < answerMaximumMs,
      ),
  }
}
