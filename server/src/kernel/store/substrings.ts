import type { Param, Tx } from './sql.ts'
import { packedKey } from './sqlite/sqlite-keys.ts'
import { type Column, substringTableOf, type Table, waitingSubstrings } from './tables.ts'
import { columnValue } from './values.ts'

/**
 * The index of substrings of the embedded store: a table for each column; PostgreSQL keeps its own. Each commit that
 * writes to such a table costs as much as the rest of a record, so the texts of new records that come one by one wait
 * beside it until they are many. Lists look at both (`sqlite/sqlite-substrings.ts`). Nothing that is in the index goes back to
 * wait: a list that looks at one after the other must not miss it.
 */

type PublicRecord = Readonly<Record<string, unknown>>

/** So many new records at once are indexed at once, and from so many that wait on all of them are. */
const manyRecords = 16
const waitingMaximum = 64

const substringColumns = (tx: Tx, table: Table): readonly Column[] =>
  tx.dialect.name === 'postgres' ? [] : table.columns.filter(({ search }) => search === 'substring')

/**
 * Puts off the indexing of new records' texts, of tables that are empty, until {@link indexTextsPutOff}: between other
 * statements the index writes out again and again what it has gathered, and merges it later.
 */
export function putOffTexts(tx: Tx, tables: readonly Table[]): void {
  tx.bulk.deferredTexts = tables
}

/** Indexes what was put off, all in one; what comes later in the transaction is indexed as always. */
export async function indexTextsPutOff(tx: Tx): Promise<void> {
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
      if (rows.length >= manyRecords) await indexText(tx, name, org, seq, text)
      else await letWait(tx, name, org, seq, text)
    }
    if (rows.length < manyRecords) await indexWaiting(tx, name)
  }
}

/** The statement that puts a column of all records into its substring table, which is empty. */
export const substringFill = (table: Table, column: string): string =>
  `INSERT INTO ${substringTableOf(table, column)} (rowid, value) SELECT ${packedKey('org', 'seq')}, ${column} FROM ${table.name} WHERE ${column} IS NOT NULL ORDER BY place`

const indexText = (tx: Tx, name: string, org: number, seq: number, text: Param): Promise<number> =>
  tx.run(`INSERT INTO ${name} (rowid, value) VALUES (${packedKey('?', '?')}, ?)`, [org, seq, text])

const letWait = (tx: Tx, name: string, org: number, seq: number, text: Param): Promise<number> =>
  tx.run(
    `INSERT INTO ${waitingSubstrings} (index_name, place, value) VALUES (?, ${packedKey('?', '?')}, ?)`,
    [name, org, seq, text],
  )

async function indexWaiting(tx: Tx, name: string): Promise<void> {
  const many = `SELECT 1 FROM ${waitingSubstrings} WHERE index_name = ? LIMIT 1 OFFSET ${waitingMaximum - 1}`
  if ((await tx.get(many, [name])) === undefined) return
  await tx.run(
    `INSERT INTO ${name} (rowid, value) SELECT place, value FROM ${waitingSubstrings} WHERE index_name = ? ORDER BY place`,
    [name],
  )
  await tx.run(`DELETE FROM ${waitingSubstrings} WHERE index_name = ?`, [name])
}

/** Indexes the texts of a record that has changed; without `after`, of one that is removed. */
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
    const was = columnValue(column, before[column.member])
    const is = after && columnValue(column, after[column.member])
    if (was === is) continue
    if (typeof was === 'string') await forgetText(tx, name, org, seq)
    if (typeof is === 'string') await indexText(tx, name, org, seq, is)
  }
}

async function forgetText(tx: Tx, name: string, org: number, seq: number): Promise<void> {
  const waited = await tx.run(
    `DELETE FROM ${waitingSubstrings} WHERE index_name = ? AND place = ${packedKey('?', '?')}`,
    [name, org, seq],
  )
  if (waited === 0) await tx.run(`DELETE FROM ${name} WHERE rowid = ${packedKey('?', '?')}`, [org, seq])
}

/** Forgets the texts of all records of a collection. */
export async function forgetAllTexts(tx: Tx, table: Table, org: number): Promise<void> {
  for (const column of substringColumns(tx, table)) {
    const name = substringTableOf(table, column.name)
    await tx.run(
      `DELETE FROM ${name} WHERE rowid >= ${packedKey('?', '0')} AND rowid < ${packedKey('?', '0')}`,
      [org, org + 1],
    )
    await tx.run(
      `DELETE FROM ${waitingSubstrings} WHERE index_name = ? AND place >= ${packedKey('?', '0')} AND place < ${packedKey('?', '0')}`,
      [name, org, org + 1],
    )
  }
}
