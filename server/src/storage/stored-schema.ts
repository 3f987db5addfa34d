import { openPostgres } from './dialect/postgres.ts'
import { SqliteConnection } from './dialect/sqlite.ts'
import { schemaNumber } from './migrate.ts'
import { type StoreOptions, sqliteFile } from './open.ts'

const newestSql = 'SELECT max(number) AS newest FROM migrations'

/**
 * Whether a store that is there has the schema of this version, without bringing it there.
 *
 * @throws StoreUnavailableError when a PostgreSQL cannot be reached; the driver's error for what is no store
 */
export async function isSchemaCurrent({ dataDir, databaseUrl }: StoreOptions): Promise<boolean> {
  if (databaseUrl === undefined) {
    const connection = new SqliteConnection(sqliteFile(dataDir), { readOnly: true })
    try {
      const [row] = connection.all(newestSql, []) as { newest: number }[]
      return row?.newest === schemaNumber
    } finally {
      connection.close()
    }
  }
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    return (await db.get<{ newest: number }>(newestSql))?.newest === schemaNumber
  } finally {
    await db.close()
  }
}
