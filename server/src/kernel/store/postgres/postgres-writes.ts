import { runPerRow } from '../run-per-row.ts'
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

/** An enqueued write. */
export type Write = RowInsert | RecordInsert

/**
 * Combines writes into one atomic statement that runs them in the given order. No write sees what another one wrote
 * (postgresql.org/docs/current/queries-with.html).
 *
 * PostgreSQL runs the main statement first, and then the other parts from last to first. So the first write is the main
 * statement, and the others are listed in reverse.
 *
 * @param perSecond sequence numbers of a second; lower in tests
 */
export function combineWrites(writes: readonly Write[], perSecond = numbersPerSecond): Statement {
  const numbers: Statement[] = []
  const parts = writes.flatMap((write): Statement | Statement[] => {
    if ('row' in write) return rowInsert(write)
    const number = `number${numbers.length}`
    numbers.push(freeNumber(number, write, perSecond))
    return recordInserts(number, write)
  })
  const [first, ...others] = parts
  if (first === undefined) throw new Error('there is nothing to write')
  const named = others.map(({ sql, params }, at) => ({ sql: `w${at} AS (${sql})`, params }))
  const before = [...numbers, ...named.reverse()]
  const head = before.length === 0 ? '' : `WITH ${before.map(({ sql }) => sql).join(', ')} `
  return { sql: head + first.sql, params: [...before.flatMap(({ params }) => params), ...first.params] }
}

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

const rowInsert = ({ table, columns, row, onConflict }: RowInsert): Statement => ({
  sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(columns)}) ${onConflict}`,
  params: row,
})

/**
 * Takes the next number of the counter that no record of the same second has, visible or hidden. PostgreSQL computes only
 * as many candidates as are read. Until the counter has passed the numbers of a second, the first one is free. Without a
 * free number the result is null, which the table refuses.
 */
const freeNumber = (name: string, { table, org, firstSeq }: RecordInsert, perSecond: number): Statement => ({
  sql: `${name} AS (WITH RECURSIVE candidate (seq, tries) AS (
      SELECT ?::bigint + nextval('record_numbers') % ${perSecond}, 1
      UNION ALL SELECT ?::bigint + nextval('record_numbers') % ${perSecond}, tries + 1
        FROM candidate WHERE tries < ${perSecond})
    SELECT (SELECT seq FROM candidate WHERE NOT EXISTS (SELECT 1 FROM ${table} AS t
      WHERE t.org = ? AND t.unlisted IN (0, 1) AND t.seq = candidate.seq ${runPerRow}) LIMIT 1) AS seq)`,
  params: [firstSeq, firstSeq, org],
})

/** The INSERTs of a record and the values of its array members. */
function recordInserts(number: string, { table, org, columns, values, sides }: RecordInsert): Statement[] {
  const record = `INSERT INTO ${table} (org, seq, ${columns.join(', ')}) SELECT ?, seq, ${marks(columns)} FROM ${number}`
  return [
    { sql: record, params: [org, ...values] },
    ...sides.map((side) => ({
      sql: `INSERT INTO ${side.table} (org, value, seq) SELECT ?, held.value, seq FROM ${number}, json_array_elements_text(?::text::json) AS held(value)`,
      params: [org, JSON.stringify(side.values)],
    })),
  ]
}
