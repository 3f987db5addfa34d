import type { Collection } from '@muster/contract/api/collection'
import { facetsOf, readFacetCounts } from './figures/facet-counts.ts'
import type { Reader } from './sql.ts'
import { tableOf } from './tables.ts'

/** Counts the records of a collection that lists show. Reads the whole narrow index of a collection without facets. */
export async function countRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  if (facetsOf(collection).length > 0) {
    const counts = await readFacetCounts(db, collection, org)
    return counts.reduce((sum, { records }) => sum + records, 0)
  }
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = 0`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}

/** Counts all records of a collection, including hidden ones. */
export async function countAllRecords(db: Reader, collection: Collection, org: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(collection).name} WHERE org = ?`
  return (await db.get<{ count: number }>(sql, [org]))?.count ?? 0
}
