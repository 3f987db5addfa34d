import { type Account, accounts, usedBy } from '@muster/contract/records/account'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { indexOf, tableOf } from '../../kernel/store/tables.ts'

const users = tableOf(usedBy)

const rowsBy = (reader: Reader, column: 'account_id' | 'employee_id'): string =>
  reader.dialect.seekByValues(users.name, column, indexOf(users, column))

const pageSize = 250

/** Returns the accounts of others that an employee also uses, in parts. */
export async function* accountsOfOthersUsedBy(
  reader: Reader,
  org: number,
  employeeId: string,
): AsyncGenerator<readonly Account[]> {
  const used = await accountIdsUsedBy(reader, org, employeeId)
  for (let from = 0; from < used.length; from += pageSize) {
    const page = await findRecords(reader, accounts, org, 'id', used.slice(from, from + pageSize))
    const others = page.filter((account) => account.employeeId !== employeeId)
    if (others.length > 0) yield others
  }
}

/** Returns the IDs of the accounts that an employee uses, in the order of first use. */
async function accountIdsUsedBy(reader: Reader, org: number, employeeId: string): Promise<string[]> {
  const sql = `SELECT t.account_id AS id FROM ${rowsBy(reader, 'employee_id')} WHERE t.unlisted = 0 ORDER BY t.seq`
  const rows = await reader.all<{ id: string }>(sql, [JSON.stringify([employeeId]), org])
  return rows.map(({ id }) => id)
}

/** Returns the number of employees who use each account except one employee. */
export async function countOtherUsers(
  reader: Reader,
  org: number,
  accountIds: readonly string[],
  employeeId: string,
): Promise<ReadonlyMap<string, number>> {
  const sql = `SELECT t.account_id AS id, count(*) AS count FROM ${rowsBy(reader, 'account_id')}
    WHERE t.unlisted = 0 AND t.employee_id <> ? GROUP BY t.account_id`
  const rows = await reader.all<{ id: string; count: number }>(sql, [
    JSON.stringify(accountIds),
    org,
    employeeId,
  ])
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}
