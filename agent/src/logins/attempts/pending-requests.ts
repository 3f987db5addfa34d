/** Requests without a response yet. */
export interface PendingRequests {
  begin(requestId: string, tabId: number, timeMs: number): void
  end(requestId: string): void
  /** Returns true if a tab has no pending request. Long-polling requests do not count. */
  isQuiet(tabId: number, timeMs: number): boolean
}

/** Age from which a request counts as long polling. */
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
