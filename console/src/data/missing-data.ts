import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ConsoleError } from './console-send.ts'

/** The `meta` of a query whose error stands beside what it is about. */
export const toldInPlace = { toldInPlace: true } as const

/** Whether another try may succeed: what the server refuses, the page tells where it asked for it. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ConsoleError) || error.status < 400 || error.status === 429 || error.status >= 500

const missing = {
  type: 'active',
  predicate: ({ state, meta }: Query) =>
    state.status === 'error' && state.data === undefined && !meta?.toldInPlace && mayPass(state.error),
} as const

/** Why something that the page asks for could not be had, null if all could; and the means to try again. */
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
