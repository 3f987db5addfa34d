import { numbersPerSecond } from '../sequence.ts'
import type { NumberedRow, Param } from '../sql.ts'

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
}

/** Writes whose outcome nobody waits for, until they are sent: all of them as one statement. */
export interface WriteQueue {
  readonly isEmpty: boolean
  /** Adds a row. */
  put(table: string, columns: readonly string[], row: readonly Param[], onConflict?: string): void
  /** Adds a record, numbered while it is added. */
  putNumbered(row: NumberedRow): void
  /** What was put until now, as one statement; the queue is empty then. */
  take(): Statement
}

/**
 * Only rows that do not depend on each other may be put: the parts of one statement see nothing of what the others
 * write, and run in no certain order (postgresql.org/docs/current/queries-with.html).
 */
export function writeQueue(): WriteQueue {
  let parts: { name: string; sql: string }[] = []
  let params: Param[] = []

  const add = (kind: string, sql: string, values: readonly Param[]): string => {
    const name = `${kind}${parts.length}`
    parts.push({ name, sql })
    params.push(...values)
    return name
  }

  return {
    get isEmpty() {
      return parts.length === 0
    },
    put: (table, columns, row, onConflict = '') => {
      const marks = columns.map(() => '?').join(', ')
      add('put', `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks}) ${onConflict}`, row)
    },
    putNumbered: ({ table, org, firstSeq, columns, values, sides }) => {
      const number = add('number', numberSql, [firstSeq])
      for (const side of sides) add('side', sideSql(side.table, number), [org, JSON.stringify(side.values)])
      const marks = columns.map(() => '?').join(', ')
      const sql = `INSERT INTO ${table} (org, seq, ${columns.join(', ')}) SELECT ?, seq, ${marks} FROM ${number}`
      add('record', sql, [org, ...values])
    },
    take: () => {
      const last = parts.at(-1)?.sql ?? ''
      const before = parts.slice(0, -1).map(({ name, sql }) => `${name} AS (${sql})`)
      const sql = before.length === 0 ? last : `WITH ${before.join(', ')} ${last}`
      const taken = { sql, params }
      parts = []
      params = []
      return taken
    },
  }
}

/** Evaluated once, however many parts read it, because it calls what is volatile. */
const numberSql = `SELECT ?::bigint + nextval('record_numbers') % ${numbersPerSecond} AS seq`

const sideSql = (table: string, number: string): string =>
  `INSERT INTO ${table} (org, value, seq) SELECT ?, held.value, seq FROM ${number}, json_array_elements_text(?::text::json) AS held(value)`
