import { existsSync, statSync } from 'node:fs'
import type { Reader } from '../sql.ts'
import { type StoreLocation, sqliteFile } from './open.ts'

/** Use of the database by all processes. */
export interface StoreUsage {
  readonly sizeBytes: number
  /** Connections to PostgreSQL by state; none with the embedded store. */
  readonly connections: readonly { readonly state: string; readonly count: number }[]
}

/** Reads the size of the database and its connections. */
export async function readStoreUsage(
  reader: Reader,
  { dataDir, databaseUrl }: StoreLocation,
): Promise<StoreUsage> {
  if (databaseUrl === undefined) {
    const file = sqliteFile(dataDir)
    const sizes = [file, `${file}-wal`].map((path) => (existsSync(path) ? statSync(path).size : 0))
    return { sizeBytes: sizes.reduce((sum, size) => sum + size, 0), connections: [] }
  }
  const size = await reader.get<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
  const connections = await reader.all<{ state: string; count: number }>(
    `SELECT coalesce(state, 'unknown') AS state, count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'muster' GROUP BY 1`,
  )
  return { sizeBytes: size?.bytes ?? 0, connections }
}
