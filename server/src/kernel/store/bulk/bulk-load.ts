import type { Collection } from '@muster/contract/api/collection'
import { countAppFigures, dropFigureTriggers } from '../figures/app-figures.ts'
import { countFacets, dropFacetTriggers } from '../figures/facet-counts.ts'
import { flushStagedRows, type StagedTables, stageSideRows } from '../side-rows.ts'
import type { Tx } from '../sql.ts'
import { deferIndexing, indexDeferredTexts } from '../substrings.ts'
import { idIndexOf, indexOf, type Table, tableOf } from '../tables.ts'
import { markAllRisks } from './mark-all-risks.ts'

/** A transaction that fills empty tables. */
export interface BulkLoad {
  /** Must be called before a record that the same transaction added is changed or removed. */
  prepareForChanges(): Promise<void>
}

/**
 * Fills empty tables with very many records in one transaction. On SQLite, an index whose keys arrive in random order costs
 * about one page write per record, so the indexes are dropped and built from sorted keys at the end. Until the commit,
 * readers see the empty tables; a rollback leaves everything as before. Tables that are not empty, and PostgreSQL, are
 * written as usual.
 */
export async function bulkLoad<T>(
  tx: Tx,
  collections: readonly Collection[],
  work: (load: BulkLoad) => Promise<T>,
): Promise<T> {
  const filled: Collection[] = []
  if (tx.dialect.name === 'sqlite') {
    for (const collection of collections)
      if ((await tx.get(`SELECT 1 FROM ${tableOf(collection).name} LIMIT 1`)) === undefined)
        filled.push(collection)
  }
  const empty = filled.map(tableOf)
  if (empty.length === 0) return work({ prepareForChanges: async () => undefined })
  const facetTriggers = await dropFacetTriggers(tx, empty)
  const triggers = await dropFigureTriggers(tx, empty)
  const indexes: string[] = []
  for (const table of empty) indexes.push(...(await dropIndexes(tx, table)))
  // Temporary tables and sorts do not have to fit into memory, and sorts may use a second core.
  await tx.all('PRAGMA temp_store = FILE')
  await tx.all('PRAGMA threads = 1')
  const staged = await stageSideRows(
    tx,
    empty.flatMap(({ sides }) => sides.map(({ table }) => table)),
  )
  deferIndexing(tx, empty)
  const result = await work({
    prepareForChanges: async () => {
      await flushAll(tx, staged)
      await indexDeferredTexts(tx)
    },
  })
  // A small cache from here on: nothing is read twice, and each half of a sort takes as much memory as the cache.
  await tx.all('PRAGMA cache_size = -16384')
  await indexDeferredTexts(tx)
  for (const sql of indexes) await tx.run(sql)
  if (triggers.length > 0) {
    await countAppFigures(tx)
    await markAllRisks(tx)
  }
  await countFacets(tx, filled)
  for (const sql of [...triggers, ...facetTriggers]) await tx.run(sql)
  await flushAll(tx, staged)
  await staged.end()
  return result
}

const flushAll = async (tx: Tx, staged: StagedTables): Promise<void> => {
  for (const table of staged.tables) await flushStagedRows(tx, table)
}

/**
 * Drops the indexes of a table, except those that the work itself needs: of the IDs, and of the accounts that have users.
 *
 * @returns the statements that create them again
 */
async function dropIndexes(tx: Tx, table: Table): Promise<string[]> {
  const indexes = await tx.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL AND name NOT IN (?, ?)",
    [table.name, idIndexOf(table), indexOf(table, 'account_id')],
  )
  for (const index of indexes) await tx.run(`DROP INDEX ${index.name}`)
  return indexes.map(({ sql }) => sql)
}
