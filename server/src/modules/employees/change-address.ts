import { ApiError } from '@muster/contract/api/errors'
import { type Employee, employees } from '@muster/contract/records/employee'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { getRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { claimAddress, releaseAddress } from './employee-addresses.service.ts'
import { type EmployeeChange, saveEmployee } from './save-employee.ts'

/** Returns the error for an address that another employee has. */
export const addressInUse = (email: string): ApiError =>
  new ApiError('conflict', `The address ${email} is in use by another employee.`)

/**
 * Changes the primary address. The primary of a merged employee lists the address among its secondary ones.
 *
 * @throws ApiError conflict if another employee has the address
 */
export async function changeAddress(
  tx: Tx,
  input: EmployeeChange,
  before: Employee,
  after: Employee,
): Promise<void> {
  const { org } = input
  if (foldCase(before.email) !== foldCase(after.email)) {
    if (!(await claimAddress(tx, org, after.email, after.id))) throw addressInUse(after.email)
    await releaseAddress(tx, org, before.email, before.id)
  }
  const primary =
    after.mergedIntoId === null ? undefined : await getRecord(tx, employees, org, after.mergedIntoId)
  if (!primary || before.email === after.email) return
  const secondaryEmails = primary.record.secondaryEmails.map((email) =>
    foldCase(email) === foldCase(before.email) ? after.email : email,
  )
  await saveEmployee(tx, input, primary, { ...primary.record, secondaryEmails })
}
