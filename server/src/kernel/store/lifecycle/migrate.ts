import { readFileSync } from 'node:fs'
import type { Reader, SqlDb, SqlTx } from '../sql.ts'

type DialectName = Reader['dialect']['name']

/** A step from one version of the schema to the next. */
export interface Migration {
  readonly number: number
  readonly name: string
  /** Returns the SQL script. A statement ends with a semicolon at the end of a line that is followed by an unindented one. */
  readonly script: (dialect: DialectName) => string
}

const fromFile = (number: number, name: string): Migration => ({
  number,
  name,
  script: (dialect) => readFileSync(new URL(`../migrations/${name}.${dialect}.sql`, import.meta.url), 'utf8'),
})

/** All migrations, oldest first. Forward only: a released script never changes, a later change gets the next number. */
const releasedMigrations: readonly Migration[] = [
  fromFile(1, '0001-initial'),
  fromFile(2, '0002-app-figures'),
  fromFile(3, '0003-enrollment-token-uses'),
  fromFile(4, '0004-risk'),
  fromFile(5, '0005-work'),
  fromFile(6, '0006-daily-figures'),
  fromFile(7, '0007-shared-filters'),
  fromFile(8, '0008-facet-counts'),
  fromFile(9, '0009-incidents'),
  fromFile(10, '0010-organization-settings'),
  fromFile(11, '0011-scim'),
  fromFile(12, '0012-alerts'),
  fromFile(13, '0013-webhook-batches'),
]

/** Numbers of all migrations, ascending. */
export const migrationNumbers: readonly number[] = releasedMigrations.map(({ number }) => number)

const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)?.number ?? 0

/** Version of the schema that this version of Muster works with. */
export const schemaNumber = newestOf(releasedMigrations)

/** The database has a schema that this version of Muster cannot use. The message says what to do. */
export class UnsupportedSchemaError extends Error {
  override readonly name = 'UnsupportedSchemaError'
}

/** Finds a row if the database was made before the first release, when the schema was spread over 17 migrations. */
export const unreleasedSchemaSql = "SELECT 1 AS found FROM migrations WHERE name = '0002-ingest'"

/** Returns the error message for a database from before the first release. */
export const unreleasedSchemaText = (subject: string): string =>
  `${subject} was made by a commit from before Muster 0.1.0 and cannot be read by this version. ${unreleasedSchemaAdvice}`

const unreleasedSchemaAdvice =
  'Run muster export with that commit, then muster import with this version and an empty database.'

const migrationsTable = {
  sqlite: "SELECT 1 AS found FROM sqlite_schema WHERE name = 'migrations'",
  postgres: "SELECT 1 AS found WHERE to_regclass('migrations') IS NOT NULL",
}

/** Returns true if the database holds a schema of Muster, of any version. */
export const hasSchema = async (db: Reader): Promise<boolean> =>
  (await db.get(migrationsTable[db.dialect.name])) !== undefined

async function appliedTo(db: Reader): Promise<ReadonlySet<number>> {
  const rows = await db.all<{ number: number }>('SELECT number FROM migrations')
  return new Set(rows.map(({ number }) => number))
}

/** Returns true if the database has the schema of this version. */
export async function isMigrated(db: Reader): Promise<boolean> {
  if (!(await hasSchema(db))) return false
  const applied = await appliedTo(db)
  return (
    applied.size === releasedMigrations.length &&
    releasedMigrations.every(({ number }) => applied.has(number))
  )
}

/**
 * Migrates the database to the newest schema, in one transaction. Processes that start together on one PostgreSQL wait
 * for each other, so each migration runs once. Close the connection afterwards and open a new one.
 *
 * @param options `onUpgrade` is called before a schema that is in use is changed, which takes long if there is much data
 * @throws UnsupportedSchemaError if the database was made by a newer version, or before the first release
 */
export async function migrate(
  db: SqlDb,
  nowSeconds: number,
  {
    onUpgrade,
    migrations = releasedMigrations,
  }: { onUpgrade?: (() => void) | undefined; migrations?: readonly Migration[] } = {},
): Promise<void> {
  await db.inTransaction(async (tx) => {
    await tx.lock('muster schema')
    await tx.run(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, applied_timestamp bigint NOT NULL)',
    )
    await checkSchema(tx, newestOf(migrations))
    const applied = await appliedTo(tx)
    const missing = migrations.filter((migration) => !applied.has(migration.number))
    if (missing.length === 0) return
    if (applied.size > 0) onUpgrade?.()
    // New indexes are sorted on disk: a large table does not fit into memory.
    if (tx.dialect.name === 'sqlite') await tx.all('PRAGMA temp_store = FILE')
    for (const migration of missing) {
      await runScript(tx, migration.script(tx.dialect.name))
      await tx.run('INSERT INTO migrations (number, name, applied_timestamp) VALUES (?, ?, ?)', [
        migration.number,
        migration.name,
        nowSeconds,
      ])
    }
  })
}

async function checkSchema(db: Reader, known: number): Promise<void> {
  if (await db.get(unreleasedSchemaSql))
    throw new UnsupportedSchemaError(unreleasedSchemaText('The database'))
  const newest = Math.max(0, ...(await appliedTo(db)))
  if (newest > known)
    throw new UnsupportedSchemaError(
      `The database has schema ${newest}, but this version of Muster supports up to ${known}. Start the newer version, or restore a backup made by this one.`,
    )
}

async function runScript(tx: SqlTx, script: string): Promise<void> {
  const withoutComments = script.replace(/^ *--.*\n/gm, '')
  for (const statement of withoutComments.split(/;\n(?! )/)) {
    const sql = statement.trim()
    if (sql !== '') await tx.run(sql)
  }
}
