import { declarations } from 'virtual:muster-declarations'
import type { RecordOf } from '@muster/contract/collection'
import type {
  ConsoleCount,
  ConsoleListName,
  ConsolePage,
  ConsoleValues,
  consoleLists,
} from '@muster/contract/console/console-lists'
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { send } from './console-send.ts'
import { type ListSearch, listQuery } from './list-search.ts'

/** A record of a list. */
export type ListRecord<N extends ConsoleListName> = RecordOf<(typeof consoleLists)[N]['collection']> & {
  readonly id: string
}

/** The parameters that a list takes from an address. */
export function knownParameters(name: ConsoleListName): ReadonlySet<string> {
  return new Set([...declarations.lists[name].filters.map((filter) => filter.name), 'sort', 'search'])
}

const pathOf = (name: ConsoleListName, query: URLSearchParams, part = ''): string =>
  `/console/api/lists/${name}${part}?${query}`

/** Path of a page of a list; `limit` may be among the parameters. */
export const listPath = (name: ConsoleListName, search: ListSearch): string =>
  pathOf(name, listQuery(search, new Set([...knownParameters(name), 'limit'])))

/** Path of the export of a list; a CSV file has all columns unless some are named. */
export function exportPath(
  name: ConsoleListName,
  search: ListSearch,
  format: 'csv' | 'json',
  columns: readonly string[] = [],
): string {
  const query = listQuery(search, knownParameters(name))
  query.set('format', format)
  for (const column of columns) query.append('column', column)
  return pathOf(name, query, '/export')
}

/** Where a list is counted. */
export const countPath = (name: ConsoleListName, search: ListSearch): string =>
  pathOf(name, listQuery(search, knownParameters(name)), '/count')

const pageRecords = 100

/** The records of a list, page after page. The last list stays until the next has come. */
export function useList<N extends ConsoleListName>(name: N, search: ListSearch) {
  const query = listQuery(search, knownParameters(name))
  return useInfiniteQuery({
    queryKey: ['list', name, query.toString()],
    queryFn: ({ pageParam, signal }) => {
      const paged = new URLSearchParams(query)
      paged.set('limit', String(pageRecords))
      if (pageParam !== null) paged.set('cursor', pageParam)
      return send<ConsolePage<ListRecord<N>>>('GET', pathOf(name, paged), { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.cursor,
    placeholderData: keepPreviousData,
  })
}

/** A few records of a list. A page of a search may be short, or empty, and yet go on: then so does this. */
export function useSomeOf<N extends ConsoleListName>(
  name: N,
  search: ListSearch,
  { limit = 20, enabled = true }: { limit?: number; enabled?: boolean } = {},
) {
  const query = listQuery(search, knownParameters(name))
  query.set('limit', String(limit))
  return useQuery({
    queryKey: ['list', name, query.toString()],
    queryFn: async ({ signal }) => {
      const records: ListRecord<N>[] = []
      const paged = new URLSearchParams(query)
      for (;;) {
        const page = await send<ConsolePage<ListRecord<N>>>('GET', pathOf(name, paged), { signal })
        records.push(...page.records)
        if (page.cursor === null || records.length >= limit) return { records, cursor: page.cursor }
        paged.set('limit', String(limit - records.length))
        paged.set('cursor', page.cursor)
      }
    },
    enabled,
  })
}

/** Path of the values of a filter, with the number of records of each. */
export function valuesPath(name: ConsoleListName, of: string, search: ListSearch, text = ''): string {
  const { sort: _sort, ...filters } = search
  const query = listQuery(filters, knownParameters(name))
  query.set('of', of)
  if (text !== '') query.set('text', text)
  return pathOf(name, query, '/values')
}

/** The values of a filter that records have. */
export function useValues(
  name: ConsoleListName,
  of: string,
  search: ListSearch,
  { text = '', enabled = true }: { text?: string; enabled?: boolean } = {},
) {
  const path = valuesPath(name, of, search, text)
  return useQuery({
    queryKey: ['values', name, path],
    queryFn: ({ signal }) => send<ConsoleValues>('GET', path, { signal }),
    enabled,
    placeholderData: keepPreviousData,
  })
}

function countOptions(name: ConsoleListName, { sort: _sort, ...search }: ListSearch) {
  const query = listQuery(search, knownParameters(name))
  return queryOptions({
    queryKey: ['count', name, query.toString()],
    queryFn: ({ signal }) => send<ConsoleCount>('GET', pathOf(name, query, '/count'), { signal }),
  })
}

/** How many records a list has; `more` says that there are more than were counted. */
export const useCount = (name: ConsoleListName, search: ListSearch) =>
  useQuery({ ...countOptions(name, search), placeholderData: keepPreviousData })
