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

/** A row that is put: a plain one, or a record that gets its number while it is added. */
export type Write = PutRow | NumberedRow

/**
 * All writes as one statement, which does all of them or none. They must not depend on each other: its parts see nothing
 * of what the others write, and run in no certain order (postgresql.org/docs/current/queries-with.html).
 */
export function statementOf(writes: readonly Write[]): Statement {
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
  return { sql: before.length === 0 ? last : `WITH ${before.join(', ')} ${last}`, params }
}

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

/** Evaluated once, however many parts read it, because it calls what is volatile. */
const numberSql = `SELECT ?::bigint + nextval('record_numbers') % ${numbersPerSecond} AS seq`

const sideSql = (table: string, number: string): string =>
  `INSERT INTO ${table} (org, value, seq) SELECT ?, held.value, seq FROM ${number}, json_array_elements_text(?::text::json) AS held(value)`
