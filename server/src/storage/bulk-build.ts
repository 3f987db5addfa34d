import type { Collection } from '@muster/contract/collection'
import type { Tx } from './sql.ts'
import { type Table, tableOf } from './tables.ts'

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
  // What is sorted or put aside does not have to fit into memory.
  await tx.all('PRAGMA temp_store = FILE')
  const asides = empty.flatMap(({ sides }) => sides.map(({ table }) => table))
  for (const table of asides) {
    await tx.run(
      `CREATE TEMP TABLE ${table} (org INTEGER NOT NULL, value TEXT NOT NULL, seq INTEGER NOT NULL)`,
    )
  }
  const result = await work({ expectChanges: () => indexAsides(tx, asides) })
  for (const sql of indexes) await tx.run(sql)
  for (const table of asides) await fillSide(tx, table)
  return result
}

/** Drops all but the index of the ids, by which the work finds what it has written; returns how to make them again. */
async function dropIndexes(tx: Tx, { name }: Table): Promise<string[]> {
  const indexes = await tx.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL AND name <> ?",
    [name, `${name}_id`],
  )
  for (const index of indexes) await tx.run(`DROP INDEX ${index.name}`)
  return indexes.map(({ sql }) => sql)
}

/**
 * A temporary table of the same name takes the place of a side table: rows go to its end, in whatever order. It needs no
 * index unless rows are looked for.
 */
async function indexAsides(tx: Tx, asides: readonly string[]): Promise<void> {
  for (const table of asides)
    await tx.run(`CREATE INDEX IF NOT EXISTS temp.${table}_by_seq ON ${table} (seq)`)
}

async function fillSide(tx: Tx, table: string): Promise<void> {
  await tx.run(
    `INSERT INTO main.${table} (org, value, seq) SELECT org, value, seq FROM temp.${table} ORDER BY org, value, seq`,
  )
  await tx.run(`DROP TABLE temp.${table}`)
}
