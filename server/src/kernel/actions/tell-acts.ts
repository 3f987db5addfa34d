import { type Employee, employees } from '@muster/contract/employee'
import { type AuditFacts, recordAudit } from '../events/audit-trail.ts'
import { getRecordsByIds } from '../store/records.ts'
import type { Tx } from '../store/sql.ts'
import { type Change, employeeActs, type RecordAct } from './record-acts.rules.ts'

/** Actor of a change and its time. */
export type By = Pick<AuditFacts<'EMPLOYEE_ADDED'>, 'actor' | 'timestamp'>

/** Records the audit events of a change, in the transaction that makes it. */
export async function tellActs(tx: Tx, org: number, by: By, acts: readonly RecordAct[]): Promise<void> {
  for (const { object, new: facts } of acts) await recordAudit(tx, org, object, { ...by, new: facts })
}

/** Records the audit events of changes of employees. Every way to change one calls this. */
export async function tellEmployees(
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
  await tellActs(
    tx,
    org,
    by,
    employeeActs(changes, (id) => known.get(id)),
  )
}
