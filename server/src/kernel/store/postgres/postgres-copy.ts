import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import postgres from '../../../../vendor/postgres/src/index.js'
import { migrate } from '../lifecycle/migrate.ts'
import { type CopiedTable, copiedTables, substringFills } from '../lifecycle/table-copy.ts'
import { rawEventLayout } from '../raw-event-tables.ts'
import { StoreUnavailableError } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { insertSql } from '../sqlite/sqlite-inserts.ts'
import { sessionCheck } from './postgres-sessions.ts'

const rowsPerRead = 1000

/** Copies a snapshot of a PostgreSQL store into a new file in the format of the embedded store. */
export async function copyPostgresTo(url: string, path: string, nowSeconds: number): Promise<void> {
  await sessionCheck(url).ensure()
  const empty = openSqlite(path)
  await migrate(empty, nowSeconds)
  await empty.close()
  const target = new DatabaseSync(path)
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    fetch_types: false,
    connection: { application_name: 'muster backup' },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  try {
    target.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
    await sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (source) => {
      const rows = await source.unsafe<{ week: number }[]>('SELECT week FROM raw_event_weeks')
      const weeks = rows.map(({ week }) => Number(week))
      for (const week of weeks) for (const statement of rawEventLayout(week, 'sqlite')) target.exec(statement)
      for (const table of copiedTables((name) => columnsIn(target, name), weeks)) {
        const insert = insertInto(target, table)
        const rows = source.unsafe(`SELECT ${table.columns.join(', ')} FROM ${table.name}`).values()
        await rows.cursor(rowsPerRead, (part) => {
          for (const row of part as unknown as SQLInputValue[][]) insert.run(...row)
        })
      }
      const [numbers] = await source.unsafe('SELECT last_value AS value FROM record_numbers')
      target.exec(`UPDATE counters SET value = ${Number(numbers?.value ?? 0) + 1} WHERE name = 'records'`)
    })
    for (const fill of substringFills()) target.exec(fill)
    target.exec('COMMIT')
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code !== undefined && /^(CONNECT|ECONN|ENOTFOUND|08|57P)/.test(code))
      throw new StoreUnavailableError(message, { cause: error })
    throw error
  } finally {
    target.close()
    await sql.end({ timeout: 5 })
  }
}

/** Returns the columns that a table has in both stores: those of the embedded store without `place`, which is derived. */
export function columnsIn(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare('SELECT name, pk FROM pragma_table_xinfo(?)').all(table) as {
    name: string
    pk: number
  }[]
  return columns.filter(({ name, pk }) => !(pk && name === 'place')).map(({ name }) => name)
}

function insertInto(target: DatabaseSync, { name, columns }: CopiedTable) {
  const statement = target.prepare(insertSql(name, columns, 1, ''))
  // `run` reports the rowid, which exceeds JavaScript's integers where it is a packed key.
  statement.setReadBigInts(true)
  return statement
}
