import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { employees } from '@muster/contract/records/employee'
import { getRecordsByIds, type Stored } from './records.ts'
import { secondOfSequence } from './sequence.ts'
import type { Reader, Tx } from './sql.ts'
import { idIndexOf, tableOf } from './tables.ts'

/** Reads records that this transaction will change, by ID. IDs without a record are left out. */
export async function getRecordsForChange<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  ids: readonly string[],
): Promise<Map<string, Stored<RecordOf<C>>>> {
  const found = await getRecordsByIds(tx, collection, org, ids)
  return new Map(found.map((stored) => [stored.id, stored]))
}

/** Returns the creation times of records, in UNIX seconds, by ID. IDs without a record are left out. */
export async function creationSecondsOf(
  reader: Reader,
  collection: Collection,
  org: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const table = tableOf(collection)
  const source = reader.dialect.seekByValues(table.name, 'id', idIndexOf(table))
  const sql = `SELECT t.id AS id, t.seq AS seq FROM ${source}`
  const rows = await reader.all<{ id: string; seq: number }>(sql, [JSON.stringify(ids), org])
  return new Map(rows.map(({ id, seq }) => [id, secondOfSequence(seq)]))
}

/** Returns the IDs of the primary employees that employees are merged into, by ID. Others are left out. */
export async function primaryIdsOf(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const table = tableOf(employees)
  const merged = `SELECT 1 FROM ${table.name} WHERE org = ? AND unlisted = 1 LIMIT 1`
  if ((await reader.get(merged, [org])) === undefined) return new Map()
  const source = reader.dialect.seekByValues(table.name, 'id', idIndexOf(table))
  const sql = `SELECT t.id AS id, t.merged_into_id AS "primaryId" FROM ${source} WHERE t.unlisted = 1`
  const rows = await reader.all<{ id: string; primaryId: string }>(sql, [JSON.stringify(ids), org])
  return new Map(rows.map(({ id, primaryId }) => [id, primaryId]))
}

/** Returns the IDs of the employees that have the addresses, by folded address. Unused addresses are left out. */
export async function holdersOfAddresses(
  reader: Reader,
  org: number,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const source = reader.dialect.seekByValues('employee_addresses', 'address', addressIndex)
  const sql = `SELECT t.address AS address, t.employee_id AS "employeeId" FROM ${source}`
  const rows = await reader.all<{ address: string; employeeId: string }>(sql, [
    JSON.stringify(addresses),
    org,
  ])
  return new Map(rows.map(({ address, employeeId }) => [address, employeeId]))
}

/** Name that SQLite gives to the index of the primary key. */
const addressIndex = 'sqlite_autoindex_employee_addresses_1'

/** Assigns folded addresses to employees. Each address must be unused. */
export const claimAddresses = (
  tx: Tx,
  org: number,
  claims: readonly { address: string; employeeId: string }[],
): Promise<number> =>
  tx.insert(
    'employee_addresses',
    ['org', 'address', 'employee_id'],
    claims.map(({ address, employeeId }) => [org, address, employeeId]),
  )
