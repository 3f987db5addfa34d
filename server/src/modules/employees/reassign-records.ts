import type { Collection } from '@muster/contract/api/collection'
import { accounts, usedBy } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { asDetectionEmployee, detections } from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { recordsWhere, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { lastUse } from './employees.rules.ts'

type RecordObject = Record<string, unknown>

/**
 * Collections whose records name an employee, with the facts of the employee that each record copies. Copies
 * are updated when the employee changes.
 */
const employeeCollections: readonly { collection: Collection; copy: (employee: Employee) => RecordObject }[] =
  [
    { collection: accounts, copy: () => ({}) },
    { collection: accountsOther, copy: () => ({}) },
    { collection: browsers, copy: (employee) => ({ email: employee.email }) },
    { collection: browserExtensions, copy: () => ({}) },
    { collection: findings, copy: () => ({}) },
    { collection: detections, copy: (employee) => ({ employee: asDetectionEmployee(employee) }) },
  ]

/** Returns a record reassigned to an employee, with its copied facts. */
export const reassignedRecord = (
  collection: Collection,
  record: RecordObject,
  to: Employee,
): RecordObject => ({
  ...record,
  ...employeeCollections.find((one) => one.collection === collection)?.copy(to),
  employeeId: to.id,
})

/** Updates the facts of an employee that other records copy. */
export async function updateEmployeeCopies(
  tx: Tx,
  org: number,
  before: Employee,
  after: Employee,
): Promise<void> {
  for (const { collection, copy } of employeeCollections) {
    const facts = copy(after)
    if (JSON.stringify(facts) === JSON.stringify(copy(before))) continue
    for (const stored of await recordsWhere(tx, collection, org, 'employeeId', after.id)) {
      await updateRecord(tx, collection, org, stored, {
        record: { ...(stored.record as RecordObject), ...facts },
      })
    }
  }
}

/**
 * Reassigns records from one employee to another: all of them, or only those observed with `observedId`. The
 * observed employee stays stored, to allow an unmerge.
 *
 * @returns IDs of the accounts whose list of users changed
 */
export async function reassignRecords(
  tx: Tx,
  org: number,
  fromId: string,
  to: Employee,
  observedId?: string,
): Promise<ReadonlySet<string>> {
  for (const { collection } of employeeCollections) {
    for (const stored of await recordsWhere(tx, collection, org, 'employeeId', fromId)) {
      const owner = stored.internal.owner ?? fromId
      if (observedId !== undefined && owner !== observedId) continue
      const record = reassignedRecord(collection, stored.record as RecordObject, to)
      await updateRecord(tx, collection, org, stored, {
        record,
        internal: { owner: owner === to.id ? null : owner },
      })
    }
  }
  return reassignUses(tx, org, fromId, to.id, observedId)
}

async function reassignUses(
  tx: Tx,
  org: number,
  fromId: string,
  toId: string,
  observedId: string | undefined,
): Promise<ReadonlySet<string>> {
  const accountIds = new Set<string>()
  for (const stored of await recordsWhere(tx, usedBy, org, 'employeeId', fromId)) {
    if (observedId !== undefined && stored.internal.owner !== observedId) continue
    await updateRecord(tx, usedBy, org, stored, { internal: { employeeId: toId } })
    accountIds.add(String(stored.internal.accountId))
  }
  for (const accountId of accountIds) await updateAccountUses(tx, org, accountId)
  return accountIds
}

/**
 * Updates the list of users of an account: one entry per primary employee, with the latest use of the merged
 * employees, at the position of the first of them.
 */
export async function updateAccountUses(tx: Tx, org: number, accountId: string): Promise<void> {
  const rows = await recordsWhere(tx, usedBy, org, 'accountId', accountId)
  const people = Map.groupBy(rows, (row) => String(row.internal.employeeId))
  for (const [employeeId, uses] of people) {
    const record = lastUse(employeeId, uses)
    for (const [index, stored] of uses.entries())
      await updateRecord(tx, usedBy, org, stored, { record, hidden: index > 0 })
  }
}
