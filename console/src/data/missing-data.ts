import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ConsoleError } from './console-send.ts'

/** Query `meta` for errors that are shown next to the content instead of at the top of the page. */
export const errorShownInPlace = { errorShownInPlace: true } as const

/** True if a retry may succeed. Other errors are shown where the request was made. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ConsoleError) || error.status < 400 || error.status === 429 || error.status >= 500

const missing = {
  type: 'active',
  predicate: ({ state, meta }: Query) =>
    state.status === 'error' &&
    state.data === undefined &&
    !meta?.errorShownInPlace &&
    isRetryable(state.error),
} as const

/** Returns the first load error of the page, or null, and a function that retries. */
export function useMissingData(): { readonly error: Error | null; readonly retry: () => void } {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const subscribe = useCallback(
    (listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)),
    [cache],
  )
  const error = useSyncExternalStore(subscribe, () => cache.findAll(missing)[0]?.state.error ?? null)
  return { error, retry: () => void client.refetchQueries(missing) }
}
