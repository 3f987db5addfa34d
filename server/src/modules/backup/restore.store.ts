import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { keyFingerprint, parseMasterKey } from '../../kernel/lib/secrets/secret.ts'
import { isStoreInUse } from '../../kernel/store/lifecycle/in-use.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { migrate, schemaNumber } from '../../kernel/store/lifecycle/migrate.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import type { StoredFacts } from '../../kernel/store/lifecycle/stored-schema.ts'
import {
  type CopiedTable,
  copiedTables,
  emptiedTables,
  triggeredTables,
} from '../../kernel/store/lifecycle/table-copy.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'
import { columnsIn } from '../../kernel/store/postgres/postgres-copy.ts'
import { hasOtherServers } from '../../kernel/store/postgres/postgres-sessions.ts'
import { rawEventLayout } from '../../kernel/store/raw-event-tables.ts'
import type { Param, SqlDb, SqlTx } from '../../kernel/store/sql.ts'
import { openSqlite } from '../../kernel/store/sqlite/sqlite.ts'
import { organizationsMaximum } from '../../kernel/store/sqlite/sqlite-keys.ts'
import { dropRawEventsBefore } from '../ingest/raw-events.service.ts'
import { BackupError, type BackupFacts, backupTable, openBackup, readBackup } from './backup.store.ts'

/** Destination of a backup. */
export interface RestoreTarget {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** Master key from the settings. */
  readonly secretKey?: Buffer | undefined
  /** True to replace existing data. */
  readonly force: boolean
}

/** Outcome for the master key; `none` if the store never had one. */
export type RestoredKey = 'written' | 'there' | 'set' | 'missing' | 'none'

/**
 * Restores a backup to an empty store, or replaces a store.
 *
 * @throws BackupError if the backup is invalid, a server uses the store, or the store is not empty and `force` is not set
 */
export async function restoreBackup(
  path: string,
  target: RestoreTarget,
  nowSeconds: number,
): Promise<RestoredKey> {
  const backup = readBackup(path)
  const plan = planKey(backup, target)
  const { databaseUrl: url, force } = target
  if (url === undefined) await restoreFile(path, target, nowSeconds)
  else
    await withUpgraded(path, backup.schema, nowSeconds, async (file) => {
      const db = openUnlimited(url)
      try {
        await migrate(db, nowSeconds)
        await restoreRows(db, file, force)
      } finally {
        await db.close()
      }
    })
  if (plan === 'written') writeKey(target.dataDir, backup.masterKey ?? '')
  return plan
}

/** Opens one connection without a time limit for transactions. */
const openUnlimited = (url: string): SqlDb => openPostgres(url, { connections: 1, noTimeout: true })

/** Decides which key the restored store will have, from the backup's key and the existing one. */
function planKey(
  { masterKey, keyFingerprint: known }: BackupFacts & StoredFacts,
  { dataDir, secretKey, force }: RestoreTarget,
): RestoredKey {
  const key = masterKey === undefined ? undefined : parseMasterKey(masterKey)
  if (masterKey !== undefined && key === undefined)
    throw new BackupError('The master key in the backup is damaged.')
  const fingerprint = key === undefined ? known : keyFingerprint(key)
  if (secretKey !== undefined) {
    if (fingerprint === undefined || keyFingerprint(secretKey) === fingerprint) return 'set'
    throw new BackupError('MUSTER_SECRET_KEY is not the key of the backup. Unset it, or set the right key.')
  }
  const file = masterKeyFile(dataDir)
  const replaced = key === undefined ? 'missing' : 'written'
  if (fingerprint === undefined) return 'none'
  if (!existsSync(file)) return replaced
  const there = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (there !== undefined && keyFingerprint(there) === fingerprint) return 'there'
  if (force) return replaced
  throw new BackupError(
    `${file} already exists and may be the key of another deployment. Move it away, or ${key === undefined ? 'put the key of the backup there' : 'replace it with --force'}.`,
  )
}

function writeKey(dataDir: string, masterKey: string): void {
  makeFolder(dataDir)
  writeFileSync(masterKeyFile(dataDir), `${masterKey}\n`, { mode: 0o600, flush: true })
  chmodSync(masterKeyFile(dataDir), 0o600)
}

async function restoreFile(
  path: string,
  { dataDir, force }: RestoreTarget,
  nowSeconds: number,
): Promise<void> {
  const file = sqliteFile(dataDir)
  const checkFileUnused = () => {
    if (isStoreInUse(file)) throw new BackupError(`Another process uses ${file}. Stop the server first.`)
  }
  checkFileUnused()
  if (existsSync(file) && !force) {
    throw new BackupError(
      `${dataDir} already contains a database. Choose an empty --data directory, or replace the database with --force.`,
    )
  }
  if (needsPostgres(path))
    throw new BackupError(
      `The backup has more than ${organizationsMaximum} organizations, the maximum of the embedded database. Restore it to PostgreSQL.`,
    )
  makeFolder(dataDir)
  const partial = `${file}.restoring`
  const removePartial = () => {
    rmSync(partial, { force: true })
    removeSideFiles(partial)
  }
  // SQLite would apply the side files of a killed restore to this one.
  removePartial()
  try {
    copyFileSync(path, partial)
    chmodSync(partial, 0o600)
    removeBackupTable(partial)
    await upgrade(partial, nowSeconds)
    await emptyUncopiedTables(partial)
    // A server may have been started during a large copy.
    checkFileUnused()
    // SQLite must not apply the side files of the previous database to the new one. The previous one does not need them any
    // more: the check for its use has applied or rolled back their content.
    removeSideFiles(file)
    renameSync(partial, file)
  } finally {
    removePartial()
  }
}

/** Removes SQLite's side files: the write-ahead log, and the journal of a bulk import (ADR 0024). */
function removeSideFiles(database: string): void {
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(database + ending, { force: true })
}

/** Returns true if a backup, of PostgreSQL, has more organizations than the embedded store supports. */
export function needsPostgres(path: string): boolean {
  const backup = openBackup(path)
  try {
    const highest = backup.prepare('SELECT max(no) AS highest FROM organizations').get()?.highest
    return Number(highest) > organizationsMaximum
  } finally {
    backup.close()
  }
}

/** Empties the tables that are not copied: console sessions that ended after the backup would be open again. */
async function emptyUncopiedTables(path: string): Promise<void> {
  const store = openSqlite(path)
  try {
    await store.inTransaction(async (tx) => {
      for (const name of emptiedTables) await tx.run(`DELETE FROM ${name}`)
    })
  } finally {
    await store.close()
  }
}

/** Removes the metadata of the backup, including the master key, and overwrites it on the disk. */
function removeBackupTable(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA secure_delete = ON; DROP TABLE ${backupTable}; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL`,
    )
  } finally {
    database.close()
  }
}

/** Migrates a copy of a backup to this version, which also verifies it. */
async function upgrade(copy: string, nowSeconds: number): Promise<void> {
  const store = openSqlite(copy)
  try {
    await migrate(store, nowSeconds)
  } catch (error) {
    throw new BackupError(
      `The backup cannot be migrated to this version: ${(error as Error).message}. Nothing was replaced.`,
      { cause: error },
    )
  } finally {
    await store.close()
  }
}

/** Calls `work` with the backup, or with a temporary migrated copy if the backup has an older schema. */
async function withUpgraded(
  path: string,
  schema: number,
  nowSeconds: number,
  work: (path: string) => Promise<void>,
): Promise<void> {
  if (schema === schemaNumber) return work(path)
  const folder = mkdtempSync(join(tmpdir(), 'muster-restore-'))
  try {
    const copy = join(folder, 'backup.db')
    copyFileSync(path, copy)
    chmodSync(copy, 0o600)
    await upgrade(copy, nowSeconds)
    await work(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const rowsPerInsert = 1000

async function restoreRows(db: SqlDb, path: string, force: boolean): Promise<void> {
  const source = openBackup(path)
  try {
    const weeks = (source.prepare('SELECT week FROM raw_event_weeks').all() as { week: number }[]).map(
      ({ week }) => week,
    )
    const tables = copiedTables((name) => columnsIn(source, name), weeks)
    await db.inTransaction(async (tx) => {
      await checkUnused(tx)
      await checkEmpty(tx, force)
      await dropRawEventsBefore(tx, Number.MAX_SAFE_INTEGER)
      for (const week of weeks)
        for (const statement of rawEventLayout(week, 'postgres')) await tx.run(statement)
      // A trigger prevents the audit trail from being truncated; only its owner can disable it.
      await tx.run('ALTER TABLE audit_events DISABLE TRIGGER audit_events_kept_whole')
      const emptied = [...tables.map(({ name }) => name), ...emptiedTables, ...triggeredTables]
      await tx.run(`TRUNCATE ${emptied.join(', ')}`)
      await tx.run('ALTER TABLE audit_events ENABLE TRIGGER audit_events_kept_whole')
      for (const table of tables) await copyRows(source, tx, table)
      const counter = source.prepare("SELECT value FROM counters WHERE name = 'records'").get() as {
        value: number
      }
      await tx.all("SELECT setval('record_numbers', ?, false)", [counter.value])
    })
  } finally {
    source.close()
  }
}

async function checkUnused(tx: SqlTx): Promise<void> {
  if (await hasOtherServers(tx))
    throw new BackupError('A server uses the PostgreSQL database. Stop all servers first.')
}

async function checkEmpty(tx: SqlTx, force: boolean): Promise<void> {
  if (force || (await tx.get('SELECT 1 FROM organizations LIMIT 1')) === undefined) return
  throw new BackupError(
    'The PostgreSQL database is not empty. Choose an empty one, or replace all of its data with --force.',
  )
}

async function copyRows(source: DatabaseSync, tx: SqlTx, { name, columns }: CopiedTable): Promise<void> {
  let rows: Param[][] = []
  for (const row of source.prepare(`SELECT ${columns.join(', ')} FROM ${name}`).iterate()) {
    rows.push(columns.map((column) => row[column] as Param))
    if (rows.length < rowsPerInsert) continue
    await tx.insert(name, columns, rows)
    rows = []
  }
  if (rows.length > 0) await tx.insert(name, columns, rows)
}
