import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyFingerprint, parseMasterKey } from '../lib/secret.ts'
import { BackupError, backupTable, openBackup, readBackup } from './backup.ts'
import { openPostgres } from './dialect/postgres.ts'
import { columnsIn } from './dialect/postgres-copy.ts'
import { openSqlite } from './dialect/sqlite.ts'
import { isStoreInUse } from './in-use.ts'
import { masterKeyFile } from './master-key.ts'
import { migrate, schemaNumber } from './migrate.ts'
import { openStore, sqliteFile } from './open.ts'
import { rawEventLayout } from './raw-event-tables.ts'
import { dropRawEventsBefore } from './raw-events.ts'
import type { Db, Param, Tx } from './sql.ts'
import { type CopiedTable, copiedTables, emptiedTables } from './table-copy.ts'

/** Where a backup is restored to. */
export interface RestoreTarget {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** The master key that is set, if one is. */
  readonly secretKey?: Buffer | undefined
  /** Whether what is there already is replaced. */
  readonly force: boolean
}

/** What has become of the master key. */
export type RestoredKey = 'written' | 'there' | 'set' | 'missing'

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
  const { masterKey, schema } = readBackup(path)
  const plan = planKey(masterKey, target)
  if (target.databaseUrl === undefined) restoreFile(path, target)
  const db =
    target.databaseUrl === undefined ? await openStore(target, nowSeconds) : openSlowly(target.databaseUrl)
  try {
    if (target.databaseUrl !== undefined) {
      await migrate(db, nowSeconds)
      await withUpgraded(path, schema, nowSeconds, (file) => restoreRows(db, file, target.force))
    }
  } finally {
    await db.close()
  }
  if (plan === 'written') writeKey(target.dataDir, masterKey ?? '')
  return plan
}

/** One connection, on which a transaction may take as long as it takes. */
const openSlowly = (url: string): Db => openPostgres(url, { connections: 1, answerWithinMs: 2 ** 31 - 1 })

function planKey(masterKey: string | undefined, { dataDir, secretKey, force }: RestoreTarget): RestoredKey {
  if (masterKey === undefined) return 'missing'
  const key = parseMasterKey(masterKey)
  if (key === undefined) throw new BackupError('The master key in the backup is damaged.')
  if (secretKey !== undefined) {
    if (keyFingerprint(secretKey) === keyFingerprint(key)) return 'set'
    throw new BackupError(
      'MUSTER_SECRET_KEY is another key than that of the backup: unset it, or set the right one.',
    )
  }
  const file = masterKeyFile(dataDir)
  if (!existsSync(file)) return 'written'
  const there = parseMasterKey(readFileSync(file, 'utf8').trim())
  if (there !== undefined && keyFingerprint(there) === keyFingerprint(key)) return 'there'
  if (force) return 'written'
  throw new BackupError(
    `${file} is there already, the key of another deployment perhaps: move it away, or replace it with --force.`,
  )
}

function writeKey(dataDir: string, masterKey: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(masterKeyFile(dataDir), `${masterKey}\n`, { mode: 0o600, flush: true })
  chmodSync(masterKeyFile(dataDir), 0o600)
}

function restoreFile(path: string, { dataDir, force }: RestoreTarget): void {
  const file = sqliteFile(dataDir)
  if (isStoreInUse(file)) throw new BackupError(`A process uses ${file}: stop the server first.`)
  if (existsSync(file) && !force) {
    throw new BackupError(
      `There is a database in ${dataDir} already: name an empty --data directory, or replace it with --force.`,
    )
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const partial = `${file}.restoring`
  try {
    copyFileSync(path, partial)
    chmodSync(partial, 0o600)
    forgetBackup(partial)
    // The log of the database that is replaced must not be taken for that of the new one.
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true })
    renameSync(partial, file)
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true })
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
    const store = openSqlite(copy)
    try {
      await migrate(store, nowSeconds)
    } finally {
      await store.close()
    }
    await work(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const rowsPerInsert = 1000

async function restoreRows(db: Db, path: string, force: boolean): Promise<void> {
  const source = openBackup(path)
  try {
    const weeks = (source.prepare('SELECT week FROM raw_event_weeks').all() as { week: number }[]).map(
      ({ week }) => week,
    )
    const tables = copiedTables((name) => columnsIn(source, name), weeks)
    await db.inTransaction(async (tx) => {
      await tx.run('SET LOCAL statement_timeout = 0')
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

async function checkUnused(tx: Tx): Promise<void> {
  const others = await tx.get<{ count: number }>(
    "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster' AND pid <> pg_backend_pid()",
  )
  if ((others?.count ?? 0) > 0)
    throw new BackupError('A server uses the PostgreSQL database: stop all of them first.')
}

async function checkEmpty(tx: Tx, force: boolean): Promise<void> {
  if (force || (await tx.get('SELECT 1 FROM organisations LIMIT 1')) === undefined) return
  throw new BackupError(
    'The PostgreSQL database holds something already: name an empty one, or replace all of it with --force.',
  )
}

async function copyRows(source: DatabaseSync, tx: Tx, { name, columns }: CopiedTable): Promise<void> {
  let rows: Param[][] = []
  for (const row of source.prepare(`SELECT ${columns.join(', ')} FROM ${name}`).iterate()) {
    rows.push(columns.map((column) => row[column] as Param))
    if (rows.length < rowsPerInsert) continue
    await tx.insert(name, columns, rows)
    rows = []
  }
  if (rows.length > 0) await tx.insert(name, columns, rows)
}
