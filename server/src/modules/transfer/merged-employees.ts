import type { Collection } from '@muster/contract/api/collection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { primaryIdsOf } from '../../kernel/store/batch-lookups.ts'
import { getRecord, getRecordsByIds } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { reassignedRecord, reassignRecords, updateEmployeeCopies } from '../employees/reassign-records.ts'
import { evaluateSharedAccounts } from '../employees/shared-accounts.ts'
import type { ImportedRow } from './store-record.rules.ts'

/** Replaced employee, before and after. */
export interface EmployeeChange {
  readonly before: Employee
  readonly after: Employee
}

/**
 * Applies changed, merged and unmerged employees to their records, as the API does: the records show the new facts, under
 * the new primary or under the employee again.
 */
export async function applyEmployeeChanges(
  tx: Tx,
  org: number,
  changes: readonly EmployeeChange[],
): Promise<void> {
  const accountIds = new Set<string>()
  for (const { before, after } of changes) {
    await updateEmployeeCopies(tx, org, before, after)
    if (before.mergedIntoId === after.mergedIntoId) continue
    const from = (await primaryOf(tx, org, before)) ?? after
    const to = (await primaryOf(tx, org, after)) ?? after
    const shared = await reassignRecords(tx, org, from.id, to, after.id)
    for (const accountId of shared) accountIds.add(accountId)
  }
  await evaluateSharedAccounts(tx, org, accountIds, unixSeconds(systemClock))
}

const primaryOf = async (tx: Tx, org: number, { mergedIntoId }: Employee): Promise<Employee | undefined> =>
  mergedIntoId === null ? undefined : (await getRecord(tx, employees, org, mergedIntoId))?.record

/**
 * Reassigns rows that name a merged employee to the primary, and keeps the employee with whom they were observed in the
 * `owner` column.
 */
export async function reassignToPrimaries(
  tx: Tx,
  org: number,
  collection: Collection,
  rows: readonly ImportedRow[],
): Promise<readonly ImportedRow[]> {
  const employeeIds = rows.flatMap(({ record: { employeeId } }) =>
    typeof employeeId === 'string' ? [employeeId] : [],
  )
  if (employeeIds.length === 0) return rows
  const primaryIds = await primaryIdsOf(tx, org, [...new Set(employeeIds)])
  if (primaryIds.size === 0) return rows
  const found = await getRecordsByIds(tx, employees, org, [...primaryIds.values()])
  const primaries = new Map(found.map(({ id, record }) => [id, record]))
  return rows.map((row) => {
    const owner = String(row.record.employeeId)
    const primary = primaries.get(primaryIds.get(owner) ?? '')
    if (primary === undefined) return row
    const internal = 'employeeId' in row.internal ? { ...row.internal, employeeId: primary.id } : row.internal
    return {
      ...row,
      record: reassignedRecord(collection, row.record, primary),
      internal: { ...internal, owner },
    }
  })
}
