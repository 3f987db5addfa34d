import type { Collection } from '@muster/contract/api/collection'
import { firstIdOf } from '../lib/secrets/id.ts'
import type { Tx } from './sql.ts'
import { idIndexOf, tableOf } from './tables.ts'

/** Returns the IDs of records that were created in a millisecond: one list for each of the collections. */
export async function idsCreatedAtMs(
  tx: Tx,
  collections: readonly Collection[],
  org: number,
  ms: number,
): Promise<string[][]> {
  const parts = collections.map(tableOf).map((table, at) => {
    const source = table.name + tx.dialect.indexedBy(idIndexOf(table))
    return `SELECT ${at} AS at, id FROM ${source} WHERE org = ? AND id >= ? AND id < ?`
  })
  const window = [org, firstIdOf(ms), firstIdOf(ms + 1)]
  const rows = await tx.all<{ at: number; id: string }>(
    parts.join(' UNION ALL '),
    parts.flatMap(() => window),
  )
  const ids = collections.map((): string[] => [])
  for (const { at, id } of rows) ids[at]?.push(id)
  return ids
}

/** Clears the internal columns that hold the state of observed events. */
export async function clearObservedState(tx: Tx, org: number): Promise<void> {
  for (const [table, column] of [
    ['accounts', 'logins_without_mfa'],
    ['accounts', 'without_mfa_since'],
    ['accounts', 'methods_removed'],
    ['employees', 'typed_history'],
    ['browsers', 'facts_timestamp'],
    ['browsers', 'extensions_timestamp'],
  ])
    await tx.run(`UPDATE ${table} SET ${column} = NULL WHERE org = ? AND ${column} IS NOT NULL`, [org])
}
