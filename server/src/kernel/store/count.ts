import type { Collection } from '@muster/contract/collection'
import type { Reader } from './sql.ts'
import { tableOf } from './tables.ts'

/** How many records of a collection lists show. Reads the narrow index of all of them. */
export async function countRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}

/** How many records a collection has, those included that lists leave out. */
export async function countAllRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ?`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}
