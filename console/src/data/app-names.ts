import { appNames } from 'virtual:muster-app-names'
import { useQuery } from '@tanstack/react-query'
import { getRecord } from './call.ts'
import { ConsoleError } from './console-send.ts'
import { plainType, plainTypeWords } from './type-words.ts'

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

const names = new Map([
  ...appNames.plain.map((name) => [plainType(name), name] as const),
  ...Object.entries(appNames.other),
])

/** Returns the name of an app by its type: that of the catalog, or for an organization's own product its type in words. */
export const typeWords = (type: string): string => names.get(type) ?? plainTypeWords(type)
