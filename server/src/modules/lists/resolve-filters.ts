import { type CreationPeriod, creationPeriods } from '@muster/contract/console/console-filters'
import type { FilterValues } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { filtersByApp } from '../apps/app-lists.service.ts'
import { incidentFilters, incidentPredicates } from '../incidents/incident-filters.service.ts'
import { workFilters, workPredicates } from '../work/work-filters.service.ts'

type Request = Omit<SortedRequest, 'sort'>

/** Resolves the filters of a list request. */
export type ResolveFilters = <R extends Request>(request: R) => Promise<R>

/**
 * Resolves the filters of a list that depend on the clock or on other records. The query layer knows only the filters of
 * the collection, and conditions. Some read all apps or addresses, so `db` should not be that of the main thread.
 */
export async function resolveFilters<R extends Request>(
  db: Reader,
  nowSeconds: number,
  request: R,
): Promise<R> {
  const { createdWithin, ...filters } = request.filters
  const resolved = filtersByApp[request.collection.name]
  const byApp = resolved ? await resolved.predicates(db, request) : []
  const also = [
    ...byApp,
    ...workPredicates(db.dialect, request, nowSeconds),
    ...incidentPredicates(db.dialect, request),
  ]
  const names = [...(resolved?.names ?? []), ...workFilters, ...incidentFilters]
  const left = Object.entries(filters).filter(([name]) => !names.includes(name))
  return {
    ...request,
    filters: { ...Object.fromEntries(left), ...creationWindow(filters, createdWithin, nowSeconds) },
    also,
  }
}

/** Returns the lower bound of the creation window of a period; the custom one if that is later. */
function creationWindow(
  { creationTimestampAfter: after }: FilterValues,
  period: unknown,
  nowSeconds: number,
): FilterValues {
  const [value] = [period].flat()
  if (value === undefined) return {}
  const from = nowSeconds - creationPeriods[value as CreationPeriod]
  return { creationTimestampAfter: Math.max(from, Number(after ?? 0)) }
}
