import type { Offboarded } from '@muster/contract/console/people/console-offboarding'
import { auditListMaximum } from '@muster/contract/events/event-audit-records'
import { browsers } from '@muster/contract/records/browser'
import { added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { recordsWhere } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { revokeUnusedLinks } from '../agents/enrollment-links.service.ts'
import { revokeBrowserCredential } from '../browsers/browser-credentials.service.ts'
import { personOf } from '../employees/find-person.ts'
import { byOf, type EmployeeChange, saveEmployee } from '../employees/save-employee.ts'

/**
 * Offboards an employee: removes the license, and revokes the browsers and the unused enrollment links. A repeated call
 * changes nothing and records nothing. Findings stay as they are: none of their rules depends on a license or a browser
 * (domain contract, section 5).
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function offboardEmployee(tx: Tx, by: EmployeeChange, employeeId: string): Promise<Offboarded> {
  const { org, nowSeconds } = by
  const [primary, ...merged] = await personOf(tx, org, employeeId)
  const licenseRemoved = primary.record.licensed
  if (licenseRemoved) await saveEmployee(tx, by, primary, { ...primary.record, licensed: false })
  // Browsers of merged employees are shown under the primary.
  const revoked: string[] = []
  for (const { id } of await recordsWhere(tx, browsers, org, 'employeeId', employeeId))
    if (await revokeBrowserCredential(tx, org, id, nowSeconds)) revoked.push(id)
  const ids = [primary, ...merged].map(({ id }) => id)
  const enrollmentLinksRevoked = await revokeUnusedLinks(tx, org, ids, nowSeconds)
  for (let from = 0; from < revoked.length; from += auditListMaximum) {
    const changes = revoked.slice(from, from + auditListMaximum).map((id) => removed('credential', id))
    await recordAudit(tx, org, 'SETTING_UPDATED', { ...byOf(by), new: { setting: 'browsers', changes } })
  }
  if (licenseRemoved || revoked.length > 0 || enrollmentLinksRevoked > 0) {
    // The events contract has no object for this act.
    await recordAudit(tx, org, 'SETTING_UPDATED', {
      ...byOf(by),
      new: { setting: 'employees', changes: [added('offboarded', employeeId)] },
      what: `The employee ${primary.record.email} was offboarded`,
    })
  }
  return { licenseRemoved, browsersRevoked: revoked.length, enrollmentLinksRevoked }
}
