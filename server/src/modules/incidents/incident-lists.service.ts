import type { Incident, IncidentAdditions } from '@muster/contract/console/incidents/incident'
import { incidentTitle } from '@muster/contract/console/incidents/incident-title'
import { employees } from '@muster/contract/records/employee'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { personName } from '../employees/employees.rules.ts'

/** Reads the names of employees, by ID. */
export async function namesOfPeople(
  db: Reader,
  org: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await findRecords(db, employees, org, 'id', ids)
  return new Map(found.map((one) => [one.id, personName(one)]))
}

interface AssigneeRow {
  readonly id: string
  readonly assigneeId: string
  readonly name: string | null
}

/** Returns the titles of incidents and the work on them, by record. */
export async function incidentMembers(
  db: Reader,
  { org }: { readonly org: number },
  records: readonly Incident[],
): Promise<(record: Pick<Incident, 'id'>) => IncidentAdditions | undefined> {
  const names = await namesOfPeople(
    db,
    org,
    records.flatMap(({ employeeId }) => employeeId ?? []),
  )
  const rows = await db.all<AssigneeRow>(
    `SELECT DISTINCT m.incident_id AS id, w.assignee_id AS "assigneeId", coalesce(nullif(a.name, ''), a.email) AS name
     FROM incident_members m${db.dialect.indexedBy('incident_members_by_first')} JOIN work_states w ON w.org = m.org AND w.record_id = m.detection_id
     LEFT JOIN administrators a ON a.org = w.org AND a.id = w.assignee_id
     WHERE m.org = ? AND ${db.dialect.textIn('m.incident_id')} AND m.open = 1 AND w.assignee_id IS NOT NULL`,
    [org, JSON.stringify(records.map(({ id }) => id))],
  )
  const assignees = Map.groupBy(rows, ({ id }) => id)
  const additions = records.map((record): [string, IncidentAdditions] => {
    const own = assignees.get(record.id) ?? []
    const [only] = own.length === 1 ? own : []
    return [
      record.id,
      {
        title: incidentTitle(record, names.get(record.employeeId ?? '')),
        assignees: own.length,
        assigneeId: only?.assigneeId ?? null,
        assigneeName: only?.name ?? null,
      },
    ]
  })
  const byId = new Map(additions)
  return ({ id }) => byId.get(id)
}
