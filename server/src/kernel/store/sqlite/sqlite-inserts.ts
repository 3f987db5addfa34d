import { insertedValues } from './sqlite-places.ts'

interface InsertText {
  readonly columns: readonly string[]
  readonly rows: number
  readonly onConflict: string
  readonly sql: string
}

/** The last text for each table: most tables are always written in the same way, and to write a text costs more. */
const lastTexts = new Map<string, InsertText>()

/** The statement that inserts so many rows. */
export function insertSql(
  table: string,
  columns: readonly string[],
  rows: number,
  onConflict: string,
): string {
  const last = lastTexts.get(table)
  if (last && last.rows === rows && last.onConflict === onConflict && areSame(last.columns, columns))
    return last.sql
  const sql = `INSERT INTO ${table} ${insertedValues(table, columns, rows)} ${onConflict}`
  lastTexts.set(table, { columns, rows, onConflict, sql })
  return sql
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((name, at) => name === other[at]))
