import { useQuery } from '@tanstack/react-query'
import { getRecord } from './call.ts'
import { ConsoleError } from './console-send.ts'

/** An app by id; null where there is none. */
export function useApp(id: string | null) {
  return useQuery({
    queryKey: ['app', id],
    queryFn: ({ signal }) =>
      getRecord('getApp', id ?? '', signal).catch((error: unknown) => {
        if (error instanceof ConsoleError && error.status === 404) return null
        throw error
      }),
    enabled: id !== null,
    staleTime: 60_000,
  })
}

/** `GOOGLE_WORKSPACE` as `Google workspace`: what stands for an app until its own name has come. */
export function typeWords(type: string): string {
  return type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ')
}
