import { type Employee, employees } from '@muster/contract/records/employee'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecord, recordsWhere, type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { openFindingWriter } from '../findings/finding-writer.ts'
import {
  latestTypedLogins,
  parseTypedLoginHistory,
  passwordManagerNotUsed,
  type TypedLoginHistory,
} from '../findings/types/password-manager-not-used.ts'

/** Returns a primary employee and the employees merged into it. */
async function mergedGroup(tx: Tx, org: number, primaryId: string): Promise<Stored<Employee>[]> {
  const primary = await getRecord(tx, employees, org, primaryId)
  return [
    ...(primary ? [primary] : []),
    ...(await recordsWhere(tx, employees, org, 'mergedIntoId', primaryId)),
  ]
}

const historyOf = ({ internal }: Stored<Employee>): TypedLoginHistory =>
  parseTypedLoginHistory(internal.typedHistory)

/** Returns the histories of the employees merged with an employee. An employee without secondary addresses has none. */
export async function otherTypedLoginHistories(
  tx: Tx,
  org: number,
  primary: Employee,
  employeeId: string,
): Promise<TypedLoginHistory[]> {
  if (primary.secondaryEmails.length === 0) return []
  const group = await mergedGroup(tx, org, primary.id)
  return group.filter(({ id }) => id !== employeeId).map(historyOf)
}

/** Evaluates the finding about typed passwords again after a merge or an unmerge. */
export async function reevaluateTypedLogins(
  tx: Tx,
  org: number,
  primaryId: string,
  nowSeconds: number,
): Promise<void> {
  const group = await mergedGroup(tx, org, primaryId)
  const logins = latestTypedLogins(group.flatMap((one) => historyOf(one).logins))
  const { thresholds } = await readControls(tx, org)
  const writer = openFindingWriter(tx, org, nowSeconds, () => newId(nowSeconds * 1000))
  await writer.loadEmployee(primaryId)
  const { type, decide } = passwordManagerNotUsed
  writer.applyToEmployee(type, primaryId, decide({ logins, thresholds }))
  await writer.write()
  // The stored verdicts were about each employee alone and no longer hold.
  for (const one of group) {
    const { logins: own, settled } = historyOf(one)
    if (settled === undefined) continue
    const typedHistory = JSON.stringify({ logins: own } satisfies TypedLoginHistory)
    await updateRecord(tx, employees, org, one, { internal: { typedHistory } })
  }
}
