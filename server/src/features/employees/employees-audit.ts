import type { Employee } from '@muster/contract/employee'
import { type AuditFacts, tellAudit } from '../../storage/audit-trail.ts'
import type { Tx } from '../../storage/sql.ts'
import { auditedChanges } from '../audit-changes.ts'

/** Who does something, and when. */
type By = Pick<AuditFacts<'EMPLOYEE_ADDED'>, 'actor' | 'timestamp'>

/** What an event tells of whom it is about. */
export const auditedEmployee = ({ id, email }: Employee) => ({ employeeId: id, employeeEmail: email })

/**
 * Tells of an update: a change of the address alone, or of the licence alone, has an object of its own; any other, also
 * one of several members, is told as a whole. Nothing is told if nothing has changed.
 */
export async function tellUpdate(
  tx: Tx,
  org: number,
  by: By,
  before: Employee,
  after: Employee,
): Promise<void> {
  const changes = auditedChanges(before, after)
  const [change] = changes
  if (!change) return
  const only = changes.length === 1 ? change.name : undefined
  if (only === 'email') {
    const facts = { employeeId: after.id, oldEmail: before.email, newEmail: after.email }
    return tellAudit(tx, org, 'EMPLOYEE_EMAIL_UPDATED', { ...by, new: facts })
  }
  if (only === 'licensed') {
    const object = after.licensed ? 'LICENSE_ASSIGNED' : 'LICENSE_REMOVED'
    return tellAudit(tx, org, object, { ...by, new: auditedEmployee(after) })
  }
  return tellAudit(tx, org, 'EMPLOYEE_UPDATED', { ...by, new: { ...auditedEmployee(after), changes } })
}
