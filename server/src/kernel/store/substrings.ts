import type { Param, Tx } from './sql.ts'
import { packedKey } from './sqlite/sqlite-keys.ts'
import { type Column, pendingSubstrings, substringTableOf, type Table } from './tables.ts'
import { columnValue } from './values.ts'

/**
 * Substring indexes of SQLite: an FTS5 table for each column. (PostgreSQL maintains its own index.) A commit that writes to
 * such a table costs as much as the rest of a record, so the texts of single new records are collected in a pending table and
 * indexed together. Lists read both tables (`sqlite/sqlite-substrings.ts`). An indexed text never returns to the pending table:
 * a list that reads one table after the other could miss it.
 */

type PublicRecord = Readonly<Record<string, unknown>>

/** An insert of this many records is indexed directly. */
const directRecords = 16
/** The pending texts of a column are indexed when there are this many. */
const maximumPending = 64

const substringColumns = (tx: Tx, table: Table): readonly Column[] =>
  tx.dialect.name === 'postgres' ? [] : table.columns.filter(({ search }) => search === 'substring')

/**
 * Defers the indexing of new texts of empty tables until {@link indexDeferredTexts}. Between other statements, FTS5 would
 * flush its buffer again and again, and merge the parts later.
 */
export function deferIndexing(tx: Tx, tables: readonly Table[]): void {
  tx.bulk.deferredTexts = tables
}

/** Indexes all deferred texts at once. Later texts of the transaction are indexed as usual. */
export async function indexDeferredTexts(tx: Tx): Promise<void> {
  const tables = tx.bulk.deferredTexts
  tx.bulk.deferredTexts = []
  for (const table of tables) {
    for (const { name } of substringColumns(tx, table)) await tx.run(substringFill(table, name))
  }
}

/** Indexes the texts of new records. */
export async function indexNewTexts(
  tx: Tx,
  table: Table,
  org: number,
  rows: readonly { seq: number; record: PublicRecord }[],
): Promise<void> {
  if (tx.bulk.deferredTexts.includes(table)) return
  for (const column of substringColumns(tx, table)) {
    const name = substringTableOf(table, column.name)
    for (const { seq, record } of rows) {
      const text = columnValue(column, record[column.member])
      if (typeof text !== 'string') continue
      if (rows.length >= directRecords) await indexText(tx, name, org, seq, text)
      else await addPending(tx, name, org, seq, text)
    }
    if (rows.length < directRecords) await indexPending(tx, name)
  }
}

/** Returns the statement that fills the empty substring table of a column from all records. */
export const substringFill = (table: Table, column: string): string =>
  `INSERT INTO ${substringTableOf(table, column)} (rowid, value) SELECT ${packedKey('org', 'seq')}, ${column} FROM ${table.name} WHERE ${column} IS NOT NULL ORDER BY place`

const indexText = (tx: Tx, name: string, org: number, seq: number, text: Param): Promise<number> =>
  tx.run(`INSERT INTO ${name} (rowid, value) VALUES (${packedKey('?', '?')}, ?)`, [org, seq, text])

const addPending = (tx: Tx, name: string, org: number, seq: number, text: Param): Promise<number> =>
  tx.run(
    `INSERT INTO ${pendingSubstrings} (index_name, place, value) VALUES (?, ${packedKey('?', '?')}, ?)`,
    [name, org, seq, text],
  )

async function indexPending(tx: Tx, name: string): Promise<void> {
  const isFull = `SELECT 1 FROM ${pendingSubstrings} WHERE index_name = ? LIMIT 1 OFFSET ${maximumPending - 1}`
  if ((await tx.get(isFull, [name])) === undefined) return
  await tx.run(
    `INSERT INTO ${name} (rowid, value) SELECT place, value FROM ${pendingSubstrings} WHERE index_name = ? ORDER BY place`,
    [name],
  )
  await tx.run(`DELETE FROM ${pendingSubstrings} WHERE index_name = ?`, [name])
}

/** Updates the index for a changed record; without `after`, for a removed one. */
export async function indexChangedTexts(
  tx: Tx,
  table: Table,
  org: number,
  seq: number,
  before: PublicRecord,
  after?: PublicRecord,
): Promise<void> {
  for (const column of substringColumns(tx, table)) {
    const name = substringTableOf(table, column.name)
    const oldText = columnValue(column, before[column.member])
    const newText = after && columnValue(column, after[column.member])
    if (oldText === newText) continue
    if (typeof oldText === 'string') await removeText(tx, name, org, seq)
    if (typeof newText === 'string') await indexText(tx, name, org, seq, newText)
  }
}

async function removeText(tx: Tx, name: string, org: number, seq: number): Promise<void> {
  const pending = await tx.run(
    `DELETE FROM ${pendingSubstrings} WHERE index_name = ? AND place = ${packedKey('?', '?')}`,
    [name, org, seq],
  )
  if (pending === 0) await tx.run(`DELETE FROM ${name} WHERE rowid = ${packedKey('?', '?')}`, [org, seq])
}

/** Removes the texts of all records of a collection from the index. */
export async function removeAllTexts(tx: Tx, table: Table, org: number): Promise<void> {
  for (const column of substringColumns(tx, table)) {
    const name = substringTableOf(table, column.name)
    await tx.run(
      `DELETE FROM ${name} WHERE rowid >= ${packedKey('?', '0')} AND rowid < ${packedKey('?', '0')}`,
      [org, org + 1],
    )
    await tx.run(
      `DELETE FROM ${pendingSubstrings} WHERE index_name = ? AND place >= ${packedKey('?', '0')} AND place < ${packedKey('?', '0')}`,
      [name, org, org + 1],
    )
  }
}
