import type { Reader, Row } from '../../server/src/kernel/store/sql.ts'

/**
 * Returns complete rows of a table. The internal `place` of SQLite is left out: it follows from other columns, and exceeds
 * JavaScript's safe integers.
 */
export async function wholeRows(reader: Reader, table: string, org?: number): Promise<Row[]> {
  const [where, params] = org === undefined ? ['', []] : [' WHERE org = ?', [org]]
  return reader.all(`SELECT ${await columnsOf(reader, table)} FROM ${table}${where}`, params)
}

async function columnsOf(reader: Reader, table: string): Promise<string> {
  if (reader.dialect.name === 'postgres') return '*'
  const sql = 'SELECT name, pk FROM pragma_table_info(?)'
  const columns = await reader.all<{ name: string; pk: number }>(sql, [table])
  return columns
    .filter(({ name, pk }) => !(pk && name === 'place'))
    .map(({ name }) => `"${name}"`)
    .join(', ')
}
