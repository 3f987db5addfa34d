import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openPostgres } from '../postgres/postgres.ts'
import { type Db, StoreUnavailableError } from '../sql.ts'
import { isBusy, translated } from '../sqlite/sqlite-errors.ts'
import { lookAtFile } from './look-at-file.ts'
import { hasSchema, schemaNumber, unreleasedSchemaSql } from './migrate.ts'
import { type StoreOptions, sqliteFile } from './open.ts'
import { fingerprintSql } from './stored-schema.ts'
import { largeText, writeCheckSql } from './write-check.ts'
import { describeWriter } from './writer-note.ts'

/** State of a store. To find it out, one row is written that nothing reads. */
export interface StoreFacts {
  /** The schema that is there; 0 if the store is empty. */
  readonly schema: number
  /** The schema of this version of Muster. */
  readonly knownSchema: number
  /** True for a database from before the first release, which this version cannot read. */
  readonly isUnreleased: boolean
  /** What is damaged; nothing if it is sound. */
  readonly problems: readonly string[]
  /** Whether it takes writes, or why not. */
  readonly writable: true | string
  /** The encoding of its texts, where that is not a matter of course. */
  readonly encoding: string | undefined
  /** Of which master key it is; undefined if none was used yet. */
  readonly keyFingerprint: string | undefined
  /** The latest moment at which anything was made here, in UNIX seconds. */
  readonly newestSeconds: number | undefined
  /** What time the database has, if it has one of its own, in UNIX seconds. */
  readonly databaseSeconds: number | undefined
  readonly version: string
}

/**
 * @param withinMs for so long it is waited for a process that has the embedded store for itself
 * @returns undefined if there is no embedded store yet
 * @throws StoreUnavailableError when another process has it for itself, the driver's error when it cannot be opened
 */
export const diagnoseStore = async (
  options: StoreOptions,
  withinMs = 10_000,
): Promise<StoreFacts | undefined> =>
  options.databaseUrl === undefined
    ? diagnoseFile(sqliteFile(options.dataDir), withinMs)
    : diagnosePostgres(options.databaseUrl)

const diagnoseFile = (path: string, withinMs: number): StoreFacts | undefined =>
  existsSync(path) ? lookAtFile(path, (database) => factsOf(database, path), withinMs) : undefined

function factsOf(database: DatabaseSync, path: string): StoreFacts {
  const value = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
  const problems = (database.prepare('PRAGMA quick_check(10)').all() as { quick_check: string }[])
    .map((row) => row.quick_check)
    .filter((text) => text !== 'ok')
  const hasSchema = value("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'") === 1
  const schema = hasSchema ? Number(value('SELECT max(number) FROM migrations') ?? 0) : 0
  return {
    schema,
    knownSchema: schemaNumber,
    isUnreleased: hasSchema && value(unreleasedSchemaSql) === 1,
    problems,
    writable: takesWrites(database, path, schema === schemaNumber),
    keyFingerprint: hasSchema ? textOf(value(fingerprintSql)) : undefined,
    newestSeconds: hasSchema ? numberOf(value(newestSql)) : undefined,
    databaseSeconds: undefined,
    encoding: undefined,
    version: `SQLite ${String(value('SELECT sqlite_version()'))}`,
  }
}

const newestSql =
  'SELECT max(made) AS made FROM (SELECT max(creation_timestamp) AS made FROM api_keys UNION ALL SELECT max(applied_timestamp) FROM migrations) AS all_made'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** @param isCurrent whether the schema is that of this version; in another one nothing is written */
function takesWrites(database: DatabaseSync, path: string, isCurrent: boolean): true | string {
  try {
    if (isCurrent) database.prepare(writeCheckSql).run(largeText)
    else database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    return isBusy(error) ? describeWriter(path) : reasonOf(translated(error as Error))
  }
}

/** The cause as words within a sentence. */
function reasonOf(error: unknown): string {
  const { reason, message } = error as { reason?: string; message: string }
  return reason === undefined ? message : reason.charAt(0).toLowerCase() + reason.slice(1, -1)
}

async function diagnosePostgres(url: string): Promise<StoreFacts> {
  const db = openPostgres(url, { connections: 1 })
  try {
    const version = await db.get<{ version: string; encoding: string; now: number }>(
      "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, floor(extract(epoch FROM clock_timestamp()))::bigint AS now",
    )
    const isThere = await hasSchema(db)
    const schema = isThere
      ? await db.get<{ number: number | null }>('SELECT max(number) AS number FROM migrations')
      : undefined
    const rights = await letsWrite(db, isThere)
    const isCurrent = schema?.number === schemaNumber
    return {
      schema: schema?.number ?? 0,
      knownSchema: schemaNumber,
      isUnreleased: isThere && (await db.get(unreleasedSchemaSql)) !== undefined,
      problems: [],
      writable: rights === true && isCurrent ? await triesWrite(db) : rights,
      keyFingerprint: isThere ? (await db.get<{ value: string }>(fingerprintSql))?.value : undefined,
      newestSeconds: isThere
        ? ((await db.get<{ made: number | null }>(newestSql))?.made ?? undefined)
        : undefined,
      databaseSeconds: version?.now,
      encoding: version?.encoding,
      version: `PostgreSQL ${version?.version}`,
    }
  } finally {
    await db.close()
  }
}

async function triesWrite(db: Db): Promise<true | string> {
  try {
    await db.inTransaction((tx) => tx.run(writeCheckSql, [largeText]))
    return true
  } catch (error) {
    if (error instanceof StoreUnavailableError) return reasonOf(error)
    throw error
  }
}

interface Rights {
  user: string
  standby: boolean
  readOnly: string
  tables: boolean | null
  extensions: boolean
  writes: boolean
}

const extensionsSql = "SELECT count(*) FROM pg_extension WHERE extname IN ('pg_trgm', 'btree_gin')"

/** Whether the user may do what the server does: make tables, from time to time, and write to those that are there. */
async function letsWrite(db: Db, hasSchema: boolean): Promise<true | string> {
  const rights = await db.get<Rights>(
    `SELECT current_user AS user, pg_is_in_recovery() AS standby,
       current_setting('default_transaction_read_only') AS "readOnly",
       has_schema_privilege(current_schema(), 'CREATE') AS tables,
       has_database_privilege(current_database(), 'CREATE') OR (${extensionsSql}) = 2 AS extensions,
       ${hasSchema ? "has_table_privilege('migrations', 'INSERT')" : 'true'} AS writes`,
  )
  if (rights === undefined) return 'it says nothing of itself'
  if (rights.standby) return 'it is a standby'
  if (rights.readOnly === 'on') return 'it is set to read only'
  if (!rights.writes) return `the user ${rights.user} may not write to its tables`
  if (rights.tables !== true) return `the user ${rights.user} may make no tables in it`
  return rights.extensions || `the user ${rights.user} may make no extensions in it`
}
