import type { Tx } from './sql.ts'

/**
 * Rows of side tables: a value of an array member, and the record that has it. Millions of them come in no order when
 * tables are filled in bulk, where the same few values come again and again. So they are put aside with a number for the
 * value, which is sorted much faster than the value, and go to their table in its order.
 */

export type SideRow = readonly [org: number, value: string, seq: number]

/** Side tables whose rows are put aside in a transaction. */
export interface Asides {
  readonly tables: readonly string[]
  /** From here on rows go to their tables at once. */
  end(): Promise<void>
}

/** So many values are remembered; one that comes again later has two numbers, which does no harm. */
const valuesRemembered = 100_000

const valuesOf = (table: string): string => `temp.aside_values_${table}`
const rowsOf = (table: string): string => `temp.aside_rows_${table}`

/** Puts the rows of side tables aside, for one transaction of the embedded store. */
export async function putAside(tx: Tx, tables: readonly string[]): Promise<Asides> {
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

/** Adds rows of new records to a side table, or puts them aside. */
export async function insertSideRows(tx: Tx, table: string, rows: readonly SideRow[]): Promise<void> {
  const values = tx.bulk.sideValues?.get(table)
  if (values === undefined) {
    await tx.insert(table, ['org', 'value', 'seq'], rows)
    return
  }
  const fresh: [number: number, org: number, value: string][] = []
  const numbered = rows.map(([org, value, seq]) => {
    if (org !== values.org || values.numbers.size >= valuesRemembered) values.numbers.clear()
    values.org = org
    let number = values.numbers.get(value)
    if (number === undefined) {
      number = values.last += 1
      values.numbers.set(value, number)
      fresh.push([number, org, value])
    }
    return [number, seq] as const
  })
  await tx.insert(valuesOf(table), ['number', 'org', 'value'], fresh)
  await tx.insert(rowsOf(table), ['number', 'seq'], numbered)
}

/** Brings what was put aside to its table, in the order of its key. */
export async function takeFromAside(tx: Tx, table: string): Promise<void> {
  const index = `aside_order_${table}`
  // The LIMIT keeps the values in their order, and that they lead keeps the rows in it: nothing is sorted once more.
  await tx.run(`CREATE INDEX temp.${index} ON aside_rows_${table} (number, seq)`)
  await tx.run(
    `INSERT INTO ${table} (org, value, seq) SELECT v.org, v.value, r.seq FROM (SELECT number, org, value FROM ${valuesOf(table)} ORDER BY org, value LIMIT -1) AS v CROSS JOIN ${rowsOf(table)} AS r INDEXED BY ${index} ON r.number = v.number`,
  )
  await tx.run(`DROP INDEX temp.${index}`)
  await tx.run(`DELETE FROM ${rowsOf(table)}`)
}
