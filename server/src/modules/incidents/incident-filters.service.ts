import { incidents } from '@muster/contract/console/incidents/incident'
import { assigneeNobody } from '@muster/contract/console/work/work-fields'
import { detections } from '@muster/contract/records/detection'
import { type Predicate, unorderedPath } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Dialect } from '../../kernel/store/sql.ts'
import { idIndexOf, tableOf } from '../../kernel/store/tables.ts'
import { valuesOf } from '../work/work-filters.service.ts'

/** Filters by the incident of a detection, and by the employees of an incident. */
export const incidentFilters: readonly string[] = ['incidentId', 'involvedId']

/** Without statistics SQLite would scan all members by their key. */
const byIncident = 'incident_members_by_first'

/** Returns the conditions of filters by incidents, and of those of incidents by the work on their detections. */
export function incidentPredicates(
  dialect: Dialect,
  { collection, filters }: Pick<SortedRequest, 'collection' | 'filters'>,
): Predicate[] {
  if (collection.name === detections.name) return ofIncidents(dialect, valuesOf(filters.incidentId))
  if (collection.name !== incidents.name) return []
  return [
    ...concerning(dialect, valuesOf(filters.involvedId)),
    ...assignedTo(dialect, valuesOf(filters.assignee)),
  ]
}

function ofIncidents(dialect: Dialect, ids: readonly string[]): Predicate[] {
  if (ids.length === 0) return []
  const sql = dialect.textIn('m.incident_id')
  const params = [JSON.stringify(ids)]
  const table = tableOf(detections)
  const record = dialect.indexedJoin({
    table: table.name,
    alias: 'r',
    columns: 'org, seq',
    index: idIndexOf(table),
    where: ['org = m.org', 'id = m.detection_id'],
  })
  return [
    {
      test: {
        sql: `EXISTS (SELECT 1 FROM incident_members m WHERE m.org = t.org AND m.detection_id = t.id AND ${sql} LIMIT 1 OFFSET 0)`,
        params,
      },
      path: unorderedPath(
        `(SELECT r.org AS org, r.seq AS seq FROM incident_members m${dialect.indexedBy(byIncident)} CROSS JOIN ${record} WHERE m.org = ? AND ${sql}) AS d`,
        '1 = 1',
        params,
      ),
    },
  ]
}

const concerning = (dialect: Dialect, employeeIds: readonly string[]): Predicate[] =>
  employeeIds.length === 0
    ? []
    : [
        {
          test: {
            sql: `EXISTS (SELECT 1 FROM incident_members m${dialect.indexedBy(byIncident)} WHERE m.org = t.org AND m.incident_id = t.id AND ${dialect.textIn('m.employee_id')} LIMIT 1 OFFSET 0)`,
            params: [JSON.stringify(employeeIds)],
          },
        },
      ]

/** Returns the condition that one of these administrators works on an open detection, or nobody on any. */
function assignedTo(dialect: Dialect, values: readonly string[]): Predicate[] {
  if (values.length === 0) return []
  const withAssignee = (condition: string) =>
    `EXISTS (SELECT 1 FROM incident_members m${dialect.indexedBy(byIncident)} JOIN work_states w ON w.org = m.org AND w.record_id = m.detection_id
       WHERE m.org = t.org AND m.incident_id = t.id AND m.open = 1 AND ${condition} LIMIT 1 OFFSET 0)`
  const ids = values.filter((value) => value !== assigneeNobody)
  const tests = [
    ...(ids.length > 0 ? [withAssignee(dialect.textIn('w.assignee_id'))] : []),
    ...(ids.length < values.length ? [`NOT ${withAssignee('w.assignee_id IS NOT NULL')}`] : []),
  ]
  const params = ids.length > 0 ? [JSON.stringify(ids)] : []
  return [{ test: { sql: `(${tests.join(' OR ')})`, params } }]
}
