import type { Collection, RecordOf } from '@muster/contract/collection'
import { getRecordsByIds, getRecordsByValues, type Stored } from './records.ts'
import { secondOfSequence } from './sequence.ts'
import type { Reader, Tx } from './sql.ts'
import { tableOf } from './tables.ts'

/** Ids go into a statement by this number, the last one repeated: one text for any count, prepared once. */
const idsPerStatement = 100
/** The marks of a statement for one of {@link portionsOf}. */
export const idMarks = Array.from({ length: idsPerStatement }, () => '?').join(', ')

/** Ids in equal portions, the last one filled up with its last id. */
export function* portionsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const part = ids.slice(from, from + idsPerStatement)
    const last = part.at(-1) ?? ''
    while (part.length < idsPerStatement) part.push(last)
    yield part
  }
}

/** Records that this transaction will change, by id; those that are not there are left out. */
export async function getRecordsForChange<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  ids: readonly string[],
): Promise<Map<string, Stored<RecordOf<C>>>> {
  const found = new Map<string, Stored<RecordOf<C>>>()
  for (const part of portionsOf(ids)) {
    for (const stored of await getRecordsByIds(tx, collection, org, part)) found.set(stored.id, stored)
  }
  return found
}

/** Records that this transaction will change, of which a column of a filter, or a private one, has one of the values. */
export async function getRecordsHolding<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  member: string,
  values: readonly string[],
): Promise<Stored<RecordOf<C>>[]> {
  const found: Stored<RecordOf<C>>[] = []
  for (const part of portionsOf(values))
    found.push(...(await getRecordsByValues(tx, collection, org, member, part)))
  return found
}

/** When the records were created, in UNIX seconds, by id; those that are not there are left out. */
export async function creationSecondsOf(
  reader: Reader,
  collection: Collection,
  org: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const sql = `SELECT id, seq FROM ${tableOf(collection).name} WHERE org = ? AND id IN (${idMarks})`
  for (const part of portionsOf(ids)) {
    const rows = await reader.all<{ id: string; seq: number }>(sql, [org, ...part])
    for (const { id, seq } of rows) found.set(id, secondOfSequence(seq))
  }
  return found
}

/** The employees that the addresses belong to, by folded address; free ones are left out. */
export async function holdersOfAddresses(
  reader: Reader,
  org: number,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const sql = `SELECT address, employee_id AS "employeeId" FROM employee_addresses WHERE org = ? AND address IN (${idMarks})`
  for (const part of portionsOf(addresses)) {
    const rows = await reader.all<{ address: string; employeeId: string }>(sql, [org, ...part])
    for (const { address, employeeId } of rows) found.set(address, employeeId)
  }
  return found
}

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
  await tx.all('PRAGMA cache_size = -131072')
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
