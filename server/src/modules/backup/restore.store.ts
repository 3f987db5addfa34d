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
import { type CopiedTable, copiedTables, emptiedTables } from '../../kernel/store/lifecycle/table-copy.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'
import { columnsIn } from '../../kernel/store/postgres/postgres-copy.ts'
import { hasOtherServers } from '../../kernel/store/postgres/postgres-sessions.ts'
import { rawEventLayout } from '../../kernel/store/raw-event-tables.ts'
import type { Param, SqlDb, SqlTx } from '../../kernel/store/sql.ts'
import { openSqlite } from '../../kernel/store/sqlite/sqlite.ts'
import { organizationsMaximum } from '../../kernel/store/sqlite/sqlite-keys.ts'
import { dropRawEventsBefore } from '../ingest/raw-events.service.ts'
import { BackupError, type BackupFacts, backupTable, openBackup, readBackup } from './backup.store.ts'

/** Where a backup is restored to. */
export interface RestoreTarget {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** The master key that is set, if one is. */
  readonly secretKey?: Buffer | undefined
  /** Whether what is there already is replaced. */
  readonly force: boolean
}

/** What has become of the master key; `none`: the store has never had one. */
export type RestoredKey = 'written' | 'there' | 'set' | 'missing' | 'none'

/**
 * Puts a backup in the place of an empty store.
 *
 * @throws BackupError if it is no sound backup, a server uses the store, or the store holds something and `force` is not set
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

/** One connection, on which a transaction may take as long as it takes. */
const openUnlimited = (url: string): SqlDb => openPostgres(url, { connections: 1, noTimeout: true })

/** Which key there will be, from that of the backup and the one that is here. */
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
    throw new BackupError(
      'MUSTER_SECRET_KEY is another key than that of the backup: unset it, or set the right one.',
    )
  }
  const file = masterKeyFile(dataDir)
  const replaced = key === undefined ? 'missing' : 'written'
  if (fingerprint === undefined) return 'none'
  if (!existsSync(file)) return replaced
  const there = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (there !== undefined && keyFingerprint(there) === fingerprint) return 'there'
  if (force) return replaced
  throw new BackupError(
    `${file} is there already, the key of another deployment perhaps: move it away, or ${key === undefined ? 'put that of the backup there' : 'replace it with --force'}.`,
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
    if (isStoreInUse(file)) throw new BackupError(`A process uses ${file}: stop the server first.`)
  }
  checkFileUnused()
  if (existsSync(file) && !force) {
    throw new BackupError(
      `There is a database in ${dataDir} already: name an empty --data directory, or replace it with --force.`,
    )
  }
  if (isForPostgresAlone(path))
    throw new BackupError(
      `The backup has more organizations than the ${organizationsMaximum} that the embedded database holds: restore it to PostgreSQL.`,
    )
  makeFolder(dataDir)
  const partial = `${file}.restoring`
  const removePartial = () => {
    rmSync(partial, { force: true })
    removeSideFiles(partial)
  }
  // What a restore that was killed has left would be played into this one.
  removePartial()
  try {
    copyFileSync(path, partial)
    chmodSync(partial, 0o600)
    forgetBackup(partial)
    await upgrade(partial, nowSeconds)
    await emptyFile(partial)
    // A large copy takes its time, in which a server may have been started.
    checkFileUnused()
    // Those of the database that was here must not be taken for those of the new one. One that is still here needs them
    // no more: to ask whether it is used has put back, or taken in, what was in them.
    removeSideFiles(file)
    renameSync(partial, file)
  } finally {
    removePartial()
  }
}

/** Removes what SQLite keeps beside a database: the log, and the journal of a large import (ADR 0024). */
function removeSideFiles(database: string): void {
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(database + ending, { force: true })
}

/** Whether a backup, which is of a PostgreSQL then, has more organizations than the embedded store can tell apart. */
export function isForPostgresAlone(path: string): boolean {
  const backup = openBackup(path)
  try {
    const highest = backup.prepare('SELECT max(no) AS highest FROM organizations').get()?.highest
    return Number(highest) > organizationsMaximum
  } finally {
    backup.close()
  }
}

/** Empties what a copy does not take with it: sessions that have ended since would be open again. */
async function emptyFile(path: string): Promise<void> {
  const store = openSqlite(path)
  try {
    await store.inTransaction(async (tx) => {
      for (const name of emptiedTables) await tx.run(`DELETE FROM ${name}`)
    })
  } finally {
    await store.close()
  }
}

/** Takes out what only backups hold, the master key above all, down to the bytes on the disk. */
function forgetBackup(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA secure_delete = ON; DROP TABLE ${backupTable}; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL`,
    )
  } finally {
    database.close()
  }
}

/** Brings a copy of a backup into the form of this version, which shows, too, that it can be used. */
async function upgrade(copy: string, nowSeconds: number): Promise<void> {
  const store = openSqlite(copy)
  try {
    await migrate(store, nowSeconds)
  } catch (error) {
    throw new BackupError(
      `The backup cannot be brought into the form of this version: ${(error as Error).message}. Nothing was replaced.`,
      { cause: error },
    )
  } finally {
    await store.close()
  }
}

/** Gives a backup of an older version in the form of this one: a copy, which is removed behind the work. */
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
      // The audit trail refuses to be emptied, except by its owner who says so.
      await tx.run('ALTER TABLE audit_events DISABLE TRIGGER audit_events_kept_whole')
      await tx.run(`TRUNCATE ${[...tables.map(({ name }) => name), ...emptiedTables].join(', ')}`)
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
    throw new BackupError('A server uses the PostgreSQL database: stop all of them first.')
}

async function checkEmpty(tx: SqlTx, force: boolean): Promise<void> {
  if (force || (await tx.get('SELECT 1 FROM organizations LIMIT 1')) === undefined) return
  throw new BackupError(
    'The PostgreSQL database holds something already: name an empty one, or replace all of it with --force.',
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
