import { foldCase } from '../../kernel/lib/fold-case.ts'
import { type Reader, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'

/**
 * Claims an address for an employee. Primary addresses, including those of merged employees, are unique in
 * the organization, regardless of case.
 *
 * @returns false if another employee has the address
 */
export async function claimAddress(
  tx: Tx,
  org: number,
  address: string,
  employeeId: string,
): Promise<boolean> {
  const folded = foldCase(address)
  const row = [org, folded, employeeId]
  const columns = ['org', 'address', 'employee_id']
  const taken = await tx.insert('employee_addresses', columns, [row], 'ON CONFLICT DO NOTHING')
  return taken === 1 || (await employeeOfAddress(tx, org, address)) === employeeId
}

/**
 * Claims an address for a new employee. If another employee has it, the transaction fails (see {@link
 * isAddressTaken}).
 */
export const putAddress = (tx: Tx, org: number, address: string, employeeId: string): void =>
  tx.enqueueInsert(
    'employee_addresses',
    ['org', 'address', 'employee_id'],
    [org, foldCase(address), employeeId],
  )

/** Returns true if a transaction failed because another employee has the address. */
export const isAddressTaken = (error: unknown): boolean =>
  error instanceof UniqueViolationError && error.constraint.startsWith('employee_addresses')

/** Returns the ID of the employee with an address. */
export async function employeeOfAddress(
  db: Reader,
  org: number,
  address: string,
): Promise<string | undefined> {
  const sql = 'SELECT employee_id AS "employeeId" FROM employee_addresses WHERE org = ? AND address = ?'
  return (await db.get<{ employeeId: string }>(sql, [org, foldCase(address)]))?.employeeId
}

export async function releaseAddress(
  tx: Tx,
  org: number,
  address: string,
  employeeId: string,
): Promise<void> {
  const sql = 'DELETE FROM employee_addresses WHERE org = ? AND address = ? AND employee_id = ?'
  await tx.run(sql, [org, foldCase(address), employeeId])
}
