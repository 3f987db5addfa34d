import {
  assigneeMe,
  assigneeNobody,
  type PauseStatus,
  pauseStatuses,
  type WorkStatus,
} from '@muster/contract/console/work/work-fields'
import {
  equals,
  type FilterValues,
  type Fragment,
  type Predicate,
  unorderedPath,
} from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Dialect, Param } from '../../kernel/store/sql.ts'
import { idIndexOf, type Table, tableOf } from '../../kernel/store/tables.ts'
import { hasWork } from './kept-work.service.ts'

type Request = Pick<SortedRequest, 'collection' | 'filters'>

/** Filters by the work on a record. */
export const workFilters: readonly string[] = ['workStatus', 'assignee']

/** Returns the values of a filter. */
export const valuesOf = (value: unknown): string[] => (value === undefined ? [] : [value].flat().map(String))

/** Returns the filters with the ID of the caller in place of `ME`. */
export const filtersOfCaller = (filters: FilterValues, administratorId: string): FilterValues =>
  filters.assignee === undefined
    ? filters
    : {
        ...filters,
        assignee: valuesOf(filters.assignee).map((value) => (value === assigneeMe ? administratorId : value)),
      }

/** Returns the conditions of filters by the work on a record. */
export function workPredicates(
  dialect: Dialect,
  { collection, filters }: Request,
  nowSeconds: number,
): Predicate[] {
  if (!hasWork(collection)) return []
  const table = tableOf(collection)
  return [
    ...assigneePredicates(dialect, table, valuesOf(filters.assignee)),
    ...statusPredicates(dialect, table, valuesOf(filters.workStatus) as WorkStatus[], nowSeconds),
  ]
}

function assigneePredicates(dialect: Dialect, table: Table, values: readonly string[]): Predicate[] {
  if (values.length === 0) return []
  const ids = values.filter((value) => value !== assigneeNobody)
  const ofIds = { sql: dialect.textIn('w.assignee_id'), params: [JSON.stringify(ids)] }
  if (ids.length === values.length) return [withWork(dialect, table, ofIds)]
  const nobody = not(withWork(dialect, table, { sql: 'w.assignee_id IS NOT NULL', params: [] }).test)
  return [{ test: ids.length === 0 ? nobody : anyOf([nobody, withWork(dialect, table, ofIds).test]) }]
}

function statusPredicates(
  dialect: Dialect,
  table: Table,
  values: readonly WorkStatus[],
  nowSeconds: number,
): Predicate[] {
  if (values.length === 0) return []
  const paused = (statuses: readonly PauseStatus[]) =>
    withWork(dialect, table, {
      sql: `${dialect.textIn('w.status')} AND w.until_timestamp > ?`,
      params: [JSON.stringify(statuses), nowSeconds],
    })
  const chosen = pauseStatuses.filter((status) => values.includes(status))
  const others = pauseStatuses.filter((status) => !values.includes(status))
  const isOpen = equals(table, 'state', 'OPEN', dialect)
  const isResolved = equals(table, 'state', 'RESOLVED', dialect)
  if (values.includes('TO_DO')) {
    // Only an open finding is snoozed or accepted, so nothing has to be tested of resolved ones.
    const rest: Predicate[] = others.length === 0 ? [] : [{ test: not(paused(others).test) }]
    return values.includes('RESOLVED') ? rest : [isOpen, ...rest]
  }
  if (!values.includes('RESOLVED')) return [paused(chosen)]
  if (chosen.length === 0) return [isResolved]
  return [{ test: anyOf([isResolved.test, paused(chosen).test]) }]
}

/** Returns the condition that there is work on a record that meets a condition on `w`. */
function withWork(dialect: Dialect, table: Table, { sql, params }: Fragment): Predicate {
  const record = dialect.indexedJoin({
    table: table.name,
    alias: 'r',
    columns: 'org, seq',
    index: idIndexOf(table),
    where: ['org = w.org', 'id = w.record_id'],
  })
  return {
    test: {
      sql: `EXISTS (SELECT 1 FROM work_states w WHERE w.org = t.org AND w.record_id = t.id AND ${sql} LIMIT 1 OFFSET 0)`,
      params,
    },
    path: unorderedPath(
      `(SELECT r.org AS org, r.seq AS seq FROM work_states w CROSS JOIN ${record} WHERE w.org = ? AND ${sql}) AS d`,
      '1 = 1',
      params,
    ),
  }
}

const not = ({ sql, params }: Fragment): Fragment => ({ sql: `NOT ${sql}`, params })

const anyOf = (fragments: readonly Fragment[]): Fragment => ({
  sql: `(${fragments.map(({ sql }) => sql).join(' OR ')})`,
  params: fragments.flatMap((fragment): Param[] => [...fragment.params]),
})
