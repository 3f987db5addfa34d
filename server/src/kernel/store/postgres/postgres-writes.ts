import { numbersPerSecond } from '../sequence.ts'
import type { Param, RecordInsert } from '../sql.ts'

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
}

/** An INSERT of one row, see `Tx.enqueueInsert`. */
interface RowInsert {
  readonly table: string
  readonly columns: readonly string[]
  readonly row: readonly Param[]
  readonly onConflict: string
}

/** A queued write: a row, a record that gets its sequence number in the INSERT, or a statement that changes rows. */
export type Write = RowInsert | RecordInsert | Statement

/**
 * Combines writes into one atomic statement. They must not depend on each other: no part sees what another one writes
 * (postgresql.org/docs/current/queries-with.html). Rows are written in the order of their values: two statements with
 * the same rows cannot deadlock.
 */
export function combineWrites(given: readonly Write[]): Statement {
  const writes = inLockOrder(given)
  const params: Param[] = []
  const parts: string[] = []
  let last = ''
  const add = (sql: string) => {
    if (last !== '') parts.push(`w${parts.length} AS (${last})`)
    last = sql
  }
  writes.forEach((write, at) => {
    if ('row' in write) {
      const { table, columns, row, onConflict } = write
      add(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(columns)}) ${onConflict}`)
      params.push(...row)
      return
    }
    if ('sql' in write) {
      add(write.sql)
      params.push(...write.params)
      return
    }
    const { table, org, firstSeq, columns, values, sides } = write
    const number = `number${at}`
    if (last !== '') parts.push(`w${parts.length} AS (${last})`)
    parts.push(`${number} AS (${numberSql})`)
    last = ''
    params.push(firstSeq)
    for (const side of sides) {
      add(sideSql(side.table, number))
      params.push(org, JSON.stringify(side.values))
    }
    add(
      `INSERT INTO ${table} (org, seq, ${columns.join(', ')}) SELECT ?, seq, ${marks(columns)} FROM ${number}`,
    )
    params.push(org, ...values)
  })
  // The main statement runs before the parts of WITH. A row there would be written out of order.
  if (parts.length > 0 && writes.every((write) => 'row' in write)) add('SELECT 1')
  return { sql: parts.length === 0 ? last : `WITH ${parts.join(', ')} ${last}`, params }
}

/**
 * Others wait for the head of a chain, so its rows come first. The parts of a statement run from last to first; descending
 * order among the rows therefore chains them in the order in which they were recorded.
 */
const chainedTable = 'audit_events'

/** Sorts rows first, by table and values, because other statements may write the same ones. Other writes have unique keys. */
function inLockOrder(writes: readonly Write[]): readonly Write[] {
  if (writes.length === 1) return writes
  const rows = writes.filter((write) => 'row' in write)
  return [...rows.sort(compareRows), ...writes.filter((write) => !('row' in write))]
}

/** Compares two rows. Long values come last in a row, and are compared only if all others are equal. */
function compareRows(one: RowInsert, other: RowInsert): number {
  if (one.table !== other.table) {
    if (one.table === chainedTable || other.table === chainedTable) return one.table === chainedTable ? -1 : 1
    return one.table < other.table ? -1 : 1
  }
  const at = one.row.findIndex((value, index) => value !== other.row[index])
  if (at < 0) return 0
  const order = String(one.row[at]) < String(other.row[at]) ? -1 : 1
  return one.table === chainedTable ? -order : order
}

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

/** Evaluated once, however many parts read it, because it calls a volatile function. */
const numberSql = `SELECT ?::bigint + nextval('record_numbers') % ${numbersPerSecond} AS seq`

const sideSql = (table: string, number: string): string =>
  `INSERT INTO ${table} (org, value, seq) SELECT ?, held.value, seq FROM ${number}, json_array_elements_text(?::text::json) AS held(value)`
