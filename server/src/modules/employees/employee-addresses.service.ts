import { foldCase } from '../../kernel/lib/fold-case.ts'
import { type Reader, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'

/**
 * The primary address of every employee, merged ones too: unique without case in the organization.
 *
 * @returns false when another employee has the address
 */
export async function takeAddress(
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

/** Gives an address to an employee; if another has it, the transaction fails ({@link isAddressTaken}). */
export const putAddress = (tx: Tx, org: number, address: string, employeeId: string): void =>
  tx.enqueueInsert(
    'employee_addresses',
    ['org', 'address', 'employee_id'],
    [org, foldCase(address), employeeId],
  )

/** Whether a transaction failed because another employee has an address that it put. */
export const isAddressTaken = (error: unknown): boolean =>
  error instanceof UniqueViolationError && error.constraint.startsWith('employee_addresses')

/** Who has the address. */
export async function employeeOfAddress(
  db: Reader,
  org: number,
  address: string,
): Promise<string | undefined> {
  const sql = 'SELECT employee_id AS "employeeId" FROM employee_addresses WHERE org = ? AND address = ?'
  return (await db.get<{ employeeId: string }>(sql, [org, foldCase(address)]))?.employeeId
}

/** Gives an address free. */
export async function releaseAddress(
  tx: Tx,
  org: number,
  address: string,
  employeeId: string,
): Promise<void> {
  const sql = 'DELETE FROM employee_addresses WHERE org = ? AND address = ? AND employee_id = ?'
  await tx.run(sql, [org, foldCase(address), employeeId])
}
