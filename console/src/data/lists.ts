import { declarations } from 'virtual:muster-declarations'
import type { RecordOf } from '@muster/contract/api/collection'
import type {
  AddedMembers,
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
export type ListRecord<N extends ConsoleListName> = RecordOf<(typeof consoleLists)[N]['collection']> &
  AddedMembers<N> & {
    readonly id: string
  }

/** Returns the URL parameters that a list accepts. */
export function knownParameters(name: ConsoleListName): ReadonlySet<string> {
  return new Set([...declarations.lists[name].filters.map((filter) => filter.name), 'sort', 'search'])
}

const pathOf = (name: ConsoleListName, query: URLSearchParams, part = ''): string =>
  `/console/api/lists/${name}${part}?${query}`

/** Returns the path of a page of a list. `limit` may be among the parameters. */
export const listPath = (name: ConsoleListName, search: ListSearch): string =>
  pathOf(name, listQuery(search, new Set([...knownParameters(name), 'limit'])))

/** Returns the export path of a list. A CSV file has all columns unless some are named. */
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

/** Returns the path that counts a list. */
export const countPath = (name: ConsoleListName, search: ListSearch): string =>
  pathOf(name, listQuery(search, knownParameters(name)), '/count')

const pageRecords = 100

/** Loads a list page by page. Keeps the previous list until the next one has loaded. */
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

/** Loads the first records of a list. Pages of a search may be short or empty, so it follows the cursor until it has enough. */
export function useFirstRecords<N extends ConsoleListName>(
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

/** Returns the path of a filter's values, which come with record counts. */
export function valuesPath(name: ConsoleListName, of: string, search: ListSearch, text = ''): string {
  const { sort: _sort, ...filters } = search
  const query = listQuery(filters, knownParameters(name))
  query.set('of', of)
  if (text !== '') query.set('text', text)
  return pathOf(name, query, '/values')
}

/** Loads the values of a filter that occur in records. */
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

/** Counts the records of a list. `more` is true if the count ended early. */
export const useCount = (name: ConsoleListName, search: ListSearch) =>
  useQuery({ ...countOptions(name, search), placeholderData: keepPreviousData })
