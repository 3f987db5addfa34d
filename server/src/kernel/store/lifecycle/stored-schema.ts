import type { DatabaseSync } from 'node:sqlite'
import { openPostgres } from '../postgres/postgres.ts'
import { inspectFile } from './inspect-file.ts'
import { hasSchema, UnsupportedSchemaError, unreleasedSchemaSql, unreleasedSchemaText } from './migrate.ts'
import { type StoreLocation, sqliteFile } from './open.ts'

/** Metadata of a store. */
export interface StoredFacts {
  readonly schema: number
  /** Fingerprint of its master key; undefined if none was used yet. */
  readonly keyFingerprint: string | undefined
}

const newestSql = 'SELECT max(number) AS newest FROM migrations'
export const fingerprintSql = "SELECT value FROM settings WHERE name = 'master_key_fingerprint'"

/**
 * Reads the metadata of an SQLite file.
 *
 * @returns undefined if it contains no Muster schema
 * @throws UnsupportedSchemaError if it was made before the first release
 */
export function factsIn(database: DatabaseSync, subject = 'The database'): StoredFacts | undefined {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()) return undefined
  if (database.prepare(unreleasedSchemaSql).get())
    throw new UnsupportedSchemaError(unreleasedSchemaText(subject))
  const newest = database.prepare(newestSql).get()?.newest
  if (typeof newest !== 'number') return undefined
  const value = database.prepare(fingerprintSql).get()?.value
  return { schema: newest, keyFingerprint: typeof value === 'string' ? value : undefined }
}

/**
 * Reads the metadata of an existing store without migrating it.
 *
 * @returns undefined if it contains no Muster schema
 * @throws UnsupportedSchemaError if it was made before the first release, StoreUnavailableError if it cannot be reached,
 *   the driver's error if it is not a database
 */
export async function storedFacts({ dataDir, databaseUrl }: StoreLocation): Promise<StoredFacts | undefined> {
  if (databaseUrl === undefined) return inspectFile(sqliteFile(dataDir), (database) => factsIn(database))
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    if (!(await hasSchema(db))) return undefined
    if (await db.get(unreleasedSchemaSql))
      throw new UnsupportedSchemaError(unreleasedSchemaText('The database'))
    const schema = (await db.get<{ newest: number | null }>(newestSql))?.newest
    if (typeof schema !== 'number') return undefined
    return { schema, keyFingerprint: (await db.get<{ value: string }>(fingerprintSql))?.value }
  } finally {
    await db.close()
  }
}
