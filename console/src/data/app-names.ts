import { appNames } from 'virtual:muster-app-names'
import { useQuery } from '@tanstack/react-query'
import { getRecord } from './call.ts'
import { ConsoleError } from './console-send.ts'
import { plainType, readableType } from './type-words.ts'

/** Returns an app by ID; null if it does not exist. */
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

/** Returns the catalog name of an app type, or a readable form of the type of a custom app. */
export const appTypeName = (type: string): string => names.get(type) ?? readableType(type)
