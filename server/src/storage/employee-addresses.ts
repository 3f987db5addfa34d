import { foldCase } from '../lib/fold-case.ts'
import type { Tx } from './sql.ts'

/**
 * The primary address of every employee, merged ones too: unique without case in the organisation.
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

/** Who has the address. */
export async function employeeOfAddress(tx: Tx, org: number, address: string): Promise<string | undefined> {
  const sql = 'SELECT employee_id AS "employeeId" FROM employee_addresses WHERE org = ? AND address = ?'
  return (await tx.get<{ employeeId: string }>(sql, [org, foldCase(address)]))?.employeeId
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
