import { insertedValues } from './sqlite-keys.ts'

interface CachedInsert {
  readonly columns: readonly string[]
  readonly rows: number
  readonly onConflict: string
  readonly sql: string
}

/** The last statement for each table. Most tables are always written in the same way, and building the text is slow. */
const lastInserts = new Map<string, CachedInsert>()

/** Returns the statement that inserts a number of rows. */
export function insertSql(
  table: string,
  columns: readonly string[],
  rows: number,
  onConflict: string,
): string {
  const last = lastInserts.get(table)
  if (last && last.rows === rows && last.onConflict === onConflict && areSame(last.columns, columns))
    return last.sql
  const sql = `INSERT INTO ${table} ${insertedValues(table, columns, rows)} ${onConflict}`
  lastInserts.set(table, { columns, rows, onConflict, sql })
  return sql
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((name, at) => name === other[at]))
