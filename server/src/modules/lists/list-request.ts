import { type ConsoleList, consolePageLimits, listParameters } from '@muster/contract/console/console-lists'
import type { FastifyRequest } from 'fastify'
import { type QueryValues, readQuery } from '../../kernel/http/query.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import { filtersOfCaller } from '../work/work-filters.service.ts'

/** Request for a page of a console list. */
export type ListRequest = SortedRequest & { readonly cursor: string | undefined; readonly limit: number }

/** Administrator who requests a list. */
export interface ListCaller {
  readonly org: number
  readonly id: string
}

/** Returns the administrator of a request. */
export function callerOf({ consoleSession }: FastifyRequest): ListCaller {
  if (!consoleSession) throw new Error('a list route was called without a session')
  return consoleSession.administrator
}

/** Returns the request for a list from the values of its query. */
export function listRequest(list: ConsoleList, { org, id }: ListCaller, query: QueryValues): ListRequest {
  const { collection, search: members, searchThrough: through } = list
  const { sort = '-creationTimestamp', search, limit = consolePageLimits.default, cursor, ...filters } = query
  const text = String(sort)
  const member = text.replace(/^-/, '')
  return {
    collection,
    org,
    filters: filtersOfCaller(filters, id),
    search: search === undefined ? undefined : { members, ...(through && { through }), text: String(search) },
    sort: { member, descending: text !== member },
    cursor: cursor === undefined ? undefined : String(cursor),
    limit: Number(limit),
  }
}

/**
 * Returns the request for a list from the filters and the search of its URL.
 *
 * @throws ApiError invalid_request
 */
export function listRequestOf(list: ConsoleList, caller: ListCaller, query: string): ListRequest {
  const parameters = listParameters(list).filter(({ name }) => name !== 'limit' && name !== 'cursor')
  return listRequest(list, caller, readQuery(`?${query}`, new Map(parameters.map((one) => [one.name, one]))))
}
