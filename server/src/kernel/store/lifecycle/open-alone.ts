import { withAuditTrail } from '../../events/audit-trail.ts'
import { withOutbox } from '../../events/outbox.ts'
import { systemClock } from '../../lib/clock.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { type Db, StoreUnavailableError } from '../sql.ts'
import { isStoreInUse } from './in-use.ts'
import { migrate } from './migrate.ts'
import { openStore, type StoreOptions, sqliteFile } from './open.ts'

/**
 * Opens the store for work that may take long and must not be met by other writers.
 *
 * @throws StoreUnavailableError when a server, or another command, uses it or it cannot be reached
 */
export async function openAlone(options: StoreOptions, nowSeconds: number): Promise<Db> {
  if (options.databaseUrl === undefined) {
    const file = sqliteFile(options.dataDir)
    if (isStoreInUse(file)) throw new StoreUnavailableError(`a process uses ${file}: stop the server first`)
    return openStore(options, nowSeconds)
  }
  const db = openPostgres(options.databaseUrl, { connections: 1, unhurried: true })
  try {
    const others = await db.get<{ count: number }>(
      "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster' AND pid <> pg_backend_pid()",
    )
    if ((others?.count ?? 0) > 0)
      throw new StoreUnavailableError('a server uses the PostgreSQL database: stop all of them first')
    await migrate(db, nowSeconds)
    return withOutbox(withAuditTrail(db), options.clock ?? systemClock)
  } catch (error) {
    await db.close()
    throw error
  }
}
