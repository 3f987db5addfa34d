import { openPostgres } from './dialect/postgres.ts'
import { lookAtFile } from './look-at-file.ts'
import { schemaNumber } from './migrate.ts'
import { type StoreOptions, sqliteFile } from './open.ts'

const newestSql = 'SELECT max(number) AS newest FROM migrations'

/**
 * Whether a store that is there has the schema of this version, without bringing it there.
 *
 * @throws StoreUnavailableError when it cannot be reached now; the driver's error for what is no store
 */
export async function isSchemaCurrent({ dataDir, databaseUrl }: StoreOptions): Promise<boolean> {
  if (databaseUrl === undefined) {
    const newest = lookAtFile(sqliteFile(dataDir), (database) => database.prepare(newestSql).get()?.newest)
    return newest === schemaNumber
  }
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    return (await db.get<{ newest: number }>(newestSql))?.newest === schemaNumber
  } finally {
    await db.close()
  }
}
