import type { Collection, RecordOf } from '@muster/contract/api/collection'
import type { Reader } from './sql.ts'
import { idIndexOf, indexOf, snakeCase, tableOf } from './tables.ts'

/**
 * Finds records by ID, or by the values of an indexed filter or internal column, in creation order. The rows are not locked.
 */
export async function findRecords<C extends Collection>(
  reader: Reader,
  collection: C,
  org: number,
  member: string,
  values: readonly string[],
): Promise<RecordOf<C>[]> {
  if (values.length === 0) return []
  const table = tableOf(collection)
  const column = snakeCase(member)
  const index = member === 'id' ? idIndexOf(table) : indexOf(table, column)
  const source = reader.dialect.seekByValues(table.name, column, index)
  const rows = await reader.all<{ seq: number; record: string }>(
    `SELECT t.seq AS seq, t.record AS record FROM ${source}`,
    [JSON.stringify([...new Set(values)]), org],
  )
  return rows
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ record }) => JSON.parse(record) as RecordOf<C>)
}

/** Returns the oldest records of a collection, up to `count`. */
export async function firstRecords<C extends Collection>(
  db: Reader,
  collection: C,
  org: number,
  count: number,
): Promise<RecordOf<C>[]> {
  const sql = `SELECT record FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0 ORDER BY seq LIMIT ?`
  const rows = await db.all<{ record: string }>(sql, [org, count])
  return rows.map(({ record }) => JSON.parse(record) as RecordOf<C>)
}
