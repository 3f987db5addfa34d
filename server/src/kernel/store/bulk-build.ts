import type { Collection } from '@muster/contract/collection'
import { type Asides, putAside, takeFromAside } from './side-rows.ts'
import type { Tx } from './sql.ts'
import { indexTextsPutOff, putOffTexts } from './substrings.ts'
import { idIndexOf, indexOf, type Table, tableOf } from './tables.ts'

/** A transaction that fills tables in bulk. */
export interface BulkBuild {
  /** Must be called before a record is changed or removed that the same work has added: it is not expected to. */
  expectChanges(): Promise<void>
}

/**
 * Does work that fills tables from nothing with very many records. Indexes whose keys come in no order cost a page for
 * nearly every record; so they are built once, from sorted keys, when all records are there. It is one transaction:
 * readers see the tables empty and whole until it ends, and if it does not end, nothing has happened. Tables that hold
 * something already, and PostgreSQL, are written to as always.
 */
export async function buildInBulk<T>(
  tx: Tx,
  collections: readonly Collection[],
  work: (build: BulkBuild) => Promise<T>,
): Promise<T> {
  const empty: Table[] = []
  if (tx.dialect.name === 'sqlite') {
    for (const collection of collections) {
      const table = tableOf(collection)
      if ((await tx.get(`SELECT 1 FROM ${table.name} LIMIT 1`)) === undefined) empty.push(table)
    }
  }
  if (empty.length === 0) return work({ expectChanges: async () => undefined })
  const indexes: string[] = []
  for (const table of empty) indexes.push(...(await dropIndexes(tx, table)))
  // What is sorted or put aside does not have to fit into memory, and is sorted on another core.
  await tx.all('PRAGMA temp_store = FILE')
  await tx.all('PRAGMA threads = 1')
  const asides = await putAside(
    tx,
    empty.flatMap(({ sides }) => sides.map(({ table }) => table)),
  )
  putOffTexts(tx, empty)
  const result = await work({
    expectChanges: async () => {
      await fillSides(tx, asides)
      await indexTextsPutOff(tx)
    },
  })
  // Nothing is read twice from here on, and as much memory as the pages may take, each half of a sort takes, too.
  await tx.all('PRAGMA cache_size = -16384')
  await indexTextsPutOff(tx)
  for (const sql of indexes) await tx.run(sql)
  await fillSides(tx, asides)
  await asides.end()
  return result
}

const fillSides = async (tx: Tx, asides: Asides): Promise<void> => {
  for (const table of asides.tables) await takeFromAside(tx, table)
}

/**
 * Drops all indexes but those by which the work finds what it has written: of the ids, and of the accounts that have
 * users. Returns how to make them again.
 */
async function dropIndexes(tx: Tx, table: Table): Promise<string[]> {
  const indexes = await tx.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL AND name NOT IN (?, ?)",
    [table.name, idIndexOf(table), indexOf(table, 'account_id')],
  )
  for (const index of indexes) await tx.run(`DROP INDEX ${index.name}`)
  return indexes.map(({ sql }) => sql)
}
