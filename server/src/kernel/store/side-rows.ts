import type { Tx } from './sql.ts'

/**
 * Rows of side tables: one for each value of an array member. In a bulk load, millions of them arrive in random order, with
 * the same few values again and again. So they are staged in temporary tables, with a number for each value, since numbers
 * sort much faster than texts. Then they are moved to their table in key order.
 */

export type SideRow = readonly [org: number, value: string, seq: number]

/** Side tables whose rows are staged in a transaction. */
export interface StagedTables {
  readonly tables: readonly string[]
  /** Ends staging: later rows go to their tables directly. */
  end(): Promise<void>
}

/** Maximum number of remembered values. A value that is forgotten and comes again gets a second number, which is harmless. */
const maximumValues = 100_000

const valuesOf = (table: string): string => `temp.staged_values_${table}`
const rowsOf = (table: string): string => `temp.staged_rows_${table}`

/** Starts staging the rows of side tables, for one transaction on SQLite. */
export async function stageSideRows(tx: Tx, tables: readonly string[]): Promise<StagedTables> {
  for (const table of tables) {
    await tx.run(
      `CREATE TABLE ${valuesOf(table)} (number INTEGER PRIMARY KEY, org INTEGER NOT NULL, value TEXT NOT NULL)`,
    )
    await tx.run(`CREATE TABLE ${rowsOf(table)} (number INTEGER NOT NULL, seq INTEGER NOT NULL)`)
  }
  tx.bulk.sideValues = new Map(tables.map((table) => [table, { org: 0, numbers: new Map(), last: 0 }]))
  return {
    tables,
    end: async () => {
      tx.bulk.sideValues = undefined
      for (const table of tables)
        for (const name of [rowsOf(table), valuesOf(table)]) await tx.run(`DROP TABLE ${name}`)
    },
  }
}

/** Adds rows of new records to a side table, or stages them. */
export async function insertSideRows(tx: Tx, table: string, rows: readonly SideRow[]): Promise<void> {
  const values = tx.bulk.sideValues?.get(table)
  if (values === undefined) {
    await tx.insert(table, ['org', 'value', 'seq'], rows)
    return
  }
  const newValues: [number: number, org: number, value: string][] = []
  const numbered = rows.map(([org, value, seq]) => {
    if (org !== values.org || values.numbers.size >= maximumValues) values.numbers.clear()
    values.org = org
    let number = values.numbers.get(value)
    if (number === undefined) {
      number = values.last += 1
      values.numbers.set(value, number)
      newValues.push([number, org, value])
    }
    return [number, seq] as const
  })
  await tx.insert(valuesOf(table), ['number', 'org', 'value'], newValues)
  await tx.insert(rowsOf(table), ['number', 'seq'], numbered)
}

/** Moves staged rows to their table, in key order. */
export async function flushStagedRows(tx: Tx, table: string): Promise<void> {
  const index = `staged_order_${table}`
  await tx.run(`CREATE INDEX temp.${index} ON staged_rows_${table} (number, seq)`)
  // The LIMIT preserves the order of the subquery, and CROSS JOIN makes it the outer loop: no further sort is needed.
  await tx.run(
    `INSERT INTO ${table} (org, value, seq) SELECT v.org, v.value, r.seq FROM (SELECT number, org, value FROM ${valuesOf(table)} ORDER BY org, value LIMIT -1) AS v CROSS JOIN ${rowsOf(table)} AS r INDEXED BY ${index} ON r.number = v.number`,
  )
  await tx.run(`DROP INDEX temp.${index}`)
  await tx.run(`DELETE FROM ${rowsOf(table)}`)
}
