import { type Employee, employees } from '@muster/contract/records/employee'
import { type AuditFacts, recordAudit } from '../events/audit-trail.ts'
import { getRecordsByIds } from '../store/records.ts'
import type { Tx } from '../store/sql.ts'
import { type Change, employeeAuditEvents, type RecordAuditEvent } from './record-audit-events.rules.ts'

/** Actor and time of a change. */
export type By = Pick<AuditFacts<'EMPLOYEE_ADDED'>, 'actor' | 'timestamp'>

/** Records the audit events of a change, in the transaction that makes it. */
export async function recordAuditEvents(
  tx: Tx,
  org: number,
  by: By,
  events: readonly RecordAuditEvent[],
): Promise<void> {
  for (const { object, new: facts } of events) await recordAudit(tx, org, object, { ...by, new: facts })
}

/** Records the audit events of changes of employees. Every code path that changes an employee calls this. */
export async function auditEmployeeChanges(
  tx: Tx,
  org: number,
  by: By,
  changes: readonly Change<Employee>[],
): Promise<void> {
  const known = new Map(changes.flatMap(({ after }) => (after ? [[after.id, after]] : [])))
  const into = changes.flatMap(({ before, after }) =>
    after?.mergedIntoId && after.mergedIntoId !== before?.mergedIntoId ? [after.mergedIntoId] : [],
  )
  const others = into.filter((id) => !known.has(id))
  if (others.length > 0)
    for (const { id, record } of await getRecordsByIds(tx, employees, org, others)) known.set(id, record)
  await recordAuditEvents(
    tx,
    org,
    by,
    employeeAuditEvents(changes, (id) => known.get(id)),
  )
}
