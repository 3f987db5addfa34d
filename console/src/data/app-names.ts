import { appNames } from 'virtual:muster-app-names'
import { useQuery } from '@tanstack/react-query'
import { getRecord } from './call.ts'
import { ConsoleError } from './console-send.ts'
import { plainTypeWords } from './type-words.ts'

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

/** The name of an app by its type: that of the catalogue, or what the type tells where a product is one's own. */
export const typeWords = (type: string): string => appNames[type] ?? plainTypeWords(type)
