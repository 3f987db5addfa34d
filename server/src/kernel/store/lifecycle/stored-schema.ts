import type { DatabaseSync } from 'node:sqlite'
import { openPostgres } from '../postgres/postgres.ts'
import { lookAtFile } from './inspect-file.ts'
import { hasSchema } from './migrate.ts'
import { type StoreLocation, sqliteFile } from './open.ts'

/** What a store says of itself. */
export interface StoredFacts {
  readonly schema: number
  /** Of which master key it is; undefined if none was used yet. */
  readonly keyFingerprint: string | undefined
}

const newestSql = 'SELECT max(number) AS newest FROM migrations'
export const fingerprintSql = "SELECT value FROM settings WHERE name = 'master_key_fingerprint'"

/** What a file of the embedded store's form says of itself; undefined if nothing of Muster is in it. */
export function factsIn(database: DatabaseSync): StoredFacts | undefined {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()) return undefined
  const newest = database.prepare(newestSql).get()?.newest
  if (typeof newest !== 'number') return undefined
  const value = database.prepare(fingerprintSql).get()?.value
  return { schema: newest, keyFingerprint: typeof value === 'string' ? value : undefined }
}

/**
 * What a store that is there says of itself, without bringing it to the schema of this version.
 *
 * @returns undefined if nothing of Muster is in it
 * @throws StoreUnavailableError when it cannot be reached now; the driver's error for what is no store
 */
export async function storedFacts({ dataDir, databaseUrl }: StoreLocation): Promise<StoredFacts | undefined> {
  if (databaseUrl === undefined) return lookAtFile(sqliteFile(dataDir), factsIn)
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    if (!(await hasSchema(db))) return undefined
    const schema = (await db.get<{ newest: number | null }>(newestSql))?.newest
    if (typeof schema !== 'number') return undefined
    return { schema, keyFingerprint: (await db.get<{ value: string }>(fingerprintSql))?.value }
  } finally {
    await db.close()
  }
}
