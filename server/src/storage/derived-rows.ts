import type { Collection } from '@muster/contract/collection'
import { getRecordsByIds, removeRecord } from './records.ts'
import type { Tx } from './sql.ts'
import { tableOf } from './tables.ts'

/** So many rows are looked at in one go. */
const rowsPerRead = 500

/** Removes the records whose id is chosen, and says how many there were. */
export async function removeChosen(
  tx: Tx,
  collection: Collection,
  org: number,
  isChosen: (id: string) => boolean,
): Promise<number> {
  const sql = `SELECT id, seq FROM ${tableOf(collection).name} WHERE org = ? AND unlisted = ? AND seq > ?
    ORDER BY seq LIMIT ${rowsPerRead}`
  let count = 0
  for (const unlisted of [0, 1]) {
    for (let after = -1; ; ) {
      const rows = await tx.all<{ id: string; seq: number }>(sql, [org, unlisted, after])
      const chosen = rows.map(({ id }) => id).filter(isChosen)
      for (const stored of await getRecordsByIds(tx, collection, org, chosen))
        await removeRecord(tx, collection, org, stored)
      count += chosen.length
      if (rows.length < rowsPerRead) break
      after = rows.at(-1)?.seq ?? after
    }
  }
  return count
}

/** Forgets what is kept, beside the records, of the events that they have come from. */
export async function forgetObservedStates(tx: Tx, org: number): Promise<void> {
  for (const [table, column] of [
    ['accounts', 'logins_without_mfa'],
    ['employees', 'typed_history'],
    ['browsers', 'facts_timestamp'],
    ['browsers', 'extensions_timestamp'],
  ])
    await tx.run(`UPDATE ${table} SET ${column} = NULL WHERE org = ? AND ${column} IS NOT NULL`, [org])
}
