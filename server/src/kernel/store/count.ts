import type { Collection } from '@muster/contract/api/collection'
import type { Reader } from './sql.ts'
import { tableOf } from './tables.ts'

/** Counts the records of a collection that lists show. Reads the whole narrow index. */
export async function countRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}

/** Counts all records of a collection, including hidden ones. */
export async function countAllRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ?`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}
