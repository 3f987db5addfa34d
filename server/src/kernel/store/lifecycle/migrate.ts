import { readFileSync } from 'node:fs'
import type { Reader, SqlDb, SqlTx } from '../sql.ts'
import { foldSortNames } from './fold-sort-names.ts'
import { rehashPatterns } from './rehash-patterns.ts'

interface Migration {
  readonly number: number
  readonly name: string
  /** What SQL alone cannot do; it comes after the script. */
  readonly finish?: (tx: SqlTx) => Promise<void>
}

/**
 * The migrations, oldest first. They only go forward, and their text never changes once released:
 * what comes later is added as a number of its own.
 */
const migrations: readonly Migration[] = [
  { number: 1, name: '0001-initial' },
  { number: 2, name: '0002-ingest' },
  { number: 3, name: '0003-cheaper-writes' },
  { number: 4, name: '0004-console' },
  { number: 5, name: '0005-outbox' },
  { number: 6, name: '0006-audit' },
  { number: 7, name: '0007-notices' },
  { number: 8, name: '0008-extension-groups' },
  { number: 9, name: '0009-stream-leases' },
  { number: 10, name: '0010-extension-names' },
  { number: 11, name: '0011-stream-states' },
  { number: 12, name: '0012-daily-claims' },
  { number: 13, name: '0013-places' },
  { number: 14, name: '0014-long-patterns', finish: rehashPatterns },
  { number: 15, name: '0015-replaced-keys' },
  { number: 16, name: '0016-late-reports' },
  { number: 17, name: '0017-derived-columns', finish: foldSortNames },
]

/** The schema that this version of Muster works with. */
export const schemaNumber = migrations[migrations.length - 1]?.number ?? 0

/** A database that a newer Muster has written: this one cannot tell what it means. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

const migrationsTable = {
  sqlite: "SELECT 1 AS found FROM sqlite_schema WHERE name = 'migrations'",
  postgres: "SELECT 1 AS found WHERE to_regclass('migrations') IS NOT NULL",
}

/** Whether anything of Muster is in the database, of whatever version. */
export const hasSchema = async (db: Reader): Promise<boolean> =>
  (await db.get(migrationsTable[db.dialect.name])) !== undefined

async function appliedTo(db: Reader): Promise<ReadonlySet<number>> {
  const rows = await db.all<{ number: number }>('SELECT number FROM migrations')
  return new Set(rows.map(({ number }) => number))
}

/** Whether the database has this version's schema already. */
export async function isMigrated(db: Reader): Promise<boolean> {
  if (!(await hasSchema(db))) return false
  const applied = await appliedTo(db)
  return applied.size === migrations.length && migrations.every(({ number }) => applied.has(number))
}

/**
 * Brings the database to this version's schema, all in one transaction. Processes that start together
 * on one PostgreSQL take turns; each migration runs once. After it the store must be opened anew.
 *
 * @param onUpgrade called before a store that holds something is changed, which takes long if that is much
 * @throws NewerSchemaError when the database was written by a newer version.
 */
export async function migrate(db: SqlDb, nowSeconds: number, onUpgrade?: () => void): Promise<void> {
  await db.inTransaction(async (tx) => {
    await tx.lock('muster schema')
    await tx.run(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, applied_timestamp bigint NOT NULL)',
    )
    const applied = await appliedTo(tx)
    const newest = Math.max(0, ...applied)
    if (newest > schemaNumber) {
      throw new NewerSchemaError(
        `The database has schema ${newest}, this version of Muster knows up to ${schemaNumber}. Start the newer version, or restore a backup made by this one.`,
      )
    }
    const missing = migrations.filter((migration) => !applied.has(migration.number))
    if (missing.length === 0) return
    if (applied.size > 0) onUpgrade?.()
    // What is sorted does not have to fit into memory. Once a table was renamed, SQLite keeps to that.
    if (tx.dialect.name === 'sqlite') await tx.all('PRAGMA temp_store = FILE')
    for (const { number, name, finish } of missing) {
      await runScript(tx, name)
      await finish?.(tx)
      await tx.run('INSERT INTO migrations (number, name, applied_timestamp) VALUES (?, ?, ?)', [
        number,
        name,
        nowSeconds,
      ])
    }
  })
}

async function runScript(tx: SqlTx, name: string): Promise<void> {
  const script = readFileSync(
    new URL(`../migrations/${name}.${tx.dialect.name}.sql`, import.meta.url),
    'utf8',
  )
  for (const statement of script.split(/;\n/)) {
    const sql = statement.replace(/^--.*$/gm, '').trim()
    if (sql !== '') await tx.run(sql)
  }
}
