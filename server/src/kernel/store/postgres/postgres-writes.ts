import { numbersPerSecond } from '../sequence.ts'
import type { NumberedRow, Param } from '../sql.ts'

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
}

/** A row that is added without waiting for the outcome. */
export interface PutRow {
  readonly table: string
  readonly columns: readonly string[]
  readonly row: readonly Param[]
  readonly onConflict: string
}

/** What is put: a plain row, a record that gets its number while it is added, or a statement that changes rows. */
export type Write = PutRow | NumberedRow | Statement

/**
 * All writes as one statement, which does all of them or none. They must not depend on each other: its parts see nothing
 * of what the others write (postgresql.org/docs/current/queries-with.html). Plain rows are written in the order of their
 * values: two statements that write the same ones wait for each other in turn, and never in a ring.
 */
export function statementOf(given: readonly Write[]): Statement {
  const writes = inOneOrder(given)
  const params: Param[] = []
  const before: string[] = []
  let last = ''
  const add = (sql: string) => {
    if (last !== '') before.push(`w${before.length} AS (${last})`)
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
    if (last !== '') before.push(`w${before.length} AS (${last})`)
    before.push(`${number} AS (${numberSql})`)
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
  // The last part would run before all others, and so out of order, if it wrote a plain row.
  if (before.length > 0 && writes.every((write) => 'row' in write)) add('SELECT 1')
  return { sql: before.length === 0 ? last : `WITH ${before.join(', ')} ${last}`, params }
}

/**
 * Others wait for the head of a chain: its rows come first in a statement, whose parts run from the last to the first. So
 * they are in falling order among themselves, to be chained in the order in which they were recorded.
 */
const chained = 'audit_events'

/** Plain rows first, by table and values, as others may write the same; what else is put has keys that nobody else has. */
function inOneOrder(writes: readonly Write[]): readonly Write[] {
  if (writes.length === 1) return writes
  const rows = writes.filter((write) => 'row' in write)
  return [...rows.sort(compared), ...writes.filter((write) => !('row' in write))]
}

/** Which of two rows comes first; a long value is looked at only where all before it are the same. */
function compared(one: PutRow, other: PutRow): number {
  if (one.table !== other.table) {
    if (one.table === chained || other.table === chained) return one.table === chained ? -1 : 1
    return one.table < other.table ? -1 : 1
  }
  const at = one.row.findIndex((value, index) => value !== other.row[index])
  if (at < 0) return 0
  const order = String(one.row[at]) < String(other.row[at]) ? -1 : 1
  return one.table === chained ? -order : order
}

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

/** Evaluated once, however many parts read it, because it calls what is volatile. */
const numberSql = `SELECT ?::bigint + nextval('record_numbers') % ${numbersPerSecond} AS seq`

const sideSql = (table: string, number: string): string =>
  `INSERT INTO ${table} (org, value, seq) SELECT ?, held.value, seq FROM ${number}, json_array_elements_text(?::text::json) AS held(value)`
