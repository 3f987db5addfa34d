import type { Collection, RecordOf } from '@muster/contract/collection'
import { employees } from '@muster/contract/employee'
import { getRecordsByIds, type Stored } from './records.ts'
import { secondOfSequence } from './sequence.ts'
import type { Reader, Tx } from './sql.ts'
import { idIndexOf, tableOf } from './tables.ts'

/** Records that this transaction will change, by id; those that are not there are left out. */
export async function getRecordsForChange<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  ids: readonly string[],
): Promise<Map<string, Stored<RecordOf<C>>>> {
  const found = await getRecordsByIds(tx, collection, org, ids)
  return new Map(found.map((stored) => [stored.id, stored]))
}

/** When the records were created, in UNIX seconds, by id; those that are not there are left out. */
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

/** Whom employees are merged into, by their ids; those who stand alone are left out. */
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

/** The employees that the addresses belong to, by folded address; free ones are left out. */
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

/** The name that SQLite gives the index of a primary key. */
const addressIndex = 'sqlite_autoindex_employee_addresses_1'

/** Gives folded addresses to employees; each must be free. */
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

/**
 * Prepares the connection that writes for millions of rows: more pages in memory, and fewer of them copied from the
 * log to the file, as hot ones are changed again and again. A process that only imports can afford both.
 */
export async function tuneForBulk(tx: Tx): Promise<void> {
  if (tx.dialect.name !== 'sqlite') return
  await tx.all('PRAGMA cache_size = -65536')
  await tx.all('PRAGMA wal_autocheckpoint = 8192')
}

/** How far a pull from another server has come with a resource; undefined if it was not begun. */
export async function importPosition(
  reader: Reader,
  org: number,
  source: string,
  resource: string,
): Promise<string | undefined> {
  const sql = 'SELECT position FROM import_positions WHERE org = ? AND source = ? AND resource = ?'
  return (await reader.get<{ position: string }>(sql, [org, source, resource]))?.position
}

/** Remembers how far a pull has come, in the transaction that stores what came. */
export async function keepImportPosition(
  tx: Tx,
  org: number,
  source: string,
  resource: string,
  position: string,
): Promise<void> {
  await tx.run('DELETE FROM import_positions WHERE org = ? AND source = ? AND resource = ?', [
    org,
    source,
    resource,
  ])
  await tx.insert(
    'import_positions',
    ['org', 'source', 'resource', 'position'],
    [[org, source, resource, position]],
  )
}

/** Forgets how far a pull has come: the next one begins anew. */
export const forgetImportPositions = (tx: Tx, org: number, source: string): Promise<number> =>
  tx.run('DELETE FROM import_positions WHERE org = ? AND source = ?', [org, source])
