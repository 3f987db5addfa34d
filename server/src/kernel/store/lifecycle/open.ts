import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Store, withUnitOfWork } from '../../events/unit-of-work.ts'
import { type Clock, systemClock, unixSeconds } from '../../lib/clock.ts'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { hasOtherServers } from '../postgres/postgres-sessions.ts'
import { type SqlDb, StoreUnavailableError, type WorkerConnection } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { notifyEvents, remoteWriteLock } from '../sqlite/write-lock.ts'
import { isStoreInUse } from './in-use.ts'
import { isMigrated, migrate } from './migrate.ts'
import { type WriterWait, waitForWriter } from './wait-for-writer.ts'

/** Location of a store: a data directory for the embedded store, or the URL of a PostgreSQL database. */
export interface StoreLocation {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
}

export interface StoreOptions extends StoreLocation {
  /**
   * Use of the store; `shared` by default.
   * - `shared`: other processes may read and write at the same time.
   * - `exclusive`: opening fails if another process uses the store. Transactions have no time limit.
   * - `bulk`: for an import of many rows. The embedded store is written without a log, which blocks other processes while a
   *   transaction runs. PostgreSQL is opened as in `shared`.
   */
  readonly mode?: 'shared' | 'exclusive' | 'bulk'
  /** Maximum number of connections to PostgreSQL; 10 by default. */
  readonly connections?: number
  /** False if a commit need not wait for the disk. True by default. */
  readonly durable?: boolean | undefined
  /** True for long work in one transaction: statements and transactions on PostgreSQL have no time limit. */
  readonly noTimeout?: boolean | undefined
  /** Enables waiting while another process writes to the embedded store; without it, opening fails after some seconds. */
  readonly writerWait?: WriterWait | undefined
  /** Clock for events; the system clock by default. */
  readonly clock?: Clock
}

export interface WorkerOptions {
  readonly mode: 'worker'
  /** From `Db.workers` of the main thread. */
  readonly connection: WorkerConnection
  /** Clock for events; the system clock by default. */
  readonly clock?: Clock
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'muster.db')

/**
 * Opens the store with its outbox and audit trail, and migrates its schema to this version.
 *
 * @param nowSeconds timestamp for migrations that are applied; the clock's time by default
 * @throws StoreUnavailableError if the store cannot be reached, or is in use in mode `exclusive`; UnsupportedSchemaError if a newer
 *   version wrote it
 */
export async function openStore(options: StoreOptions | WorkerOptions, nowSeconds?: number): Promise<Store> {
  const clock = options.clock ?? systemClock
  if (options.mode === 'worker') return openForWorker(options.connection, clock)
  if (options.mode === 'exclusive') await checkNotInUse(options)
  const db = await openMigrated(options, nowSeconds ?? unixSeconds(clock))
  return withUnitOfWork(db, clock)
}

/** Opens the embedded store in a worker thread. Both threads share a write lock, and the main thread delivers the events. */
function openForWorker({ path, durable, lockPort }: WorkerConnection, clock: Clock): Store {
  const db = openSqlite(path, { durable, writeLock: remoteWriteLock(lockPort) })
  const store = withUnitOfWork(db, clock)
  store.onEvents(() => notifyEvents(lockPort))
  return {
    ...store,
    close: async () => {
      await store.close()
      lockPort.close()
    },
  }
}

async function checkNotInUse({ dataDir, databaseUrl }: StoreLocation): Promise<void> {
  if (databaseUrl === undefined) {
    const file = sqliteFile(dataDir)
    if (isStoreInUse(file)) throw new StoreUnavailableError(`a process uses ${file}: stop the server first`)
    return
  }
  const db = openPostgres(databaseUrl, { connections: 1 })
  try {
    if (await hasOtherServers(db))
      throw new StoreUnavailableError('a server uses the PostgreSQL database: stop all of them first')
  } finally {
    await db.close()
  }
}

const upgrading =
  'its schema is being upgraded to this version, completely or not at all, which takes about a minute for two million records'

async function openMigrated(options: StoreOptions, nowSeconds: number): Promise<SqlDb> {
  const { writerWait } = options
  if (options.databaseUrl === undefined) {
    const file = createFile(options.dataDir)
    if (writerWait) await waitForWriter(file, writerWait)
  }
  const db = openUnmigrated(options)
  try {
    if (await isMigrated(db)) return db
  } catch (error) {
    await db.close()
    throw error
  }
  await db.close()
  // A migration may take long, and so may that of another process.
  const unlimited = openUnmigrated({ ...options, noTimeout: true })
  try {
    await migrate(unlimited, nowSeconds, { onUpgrade: () => writerWait?.onWait(upgrading) })
  } finally {
    await unlimited.close()
  }
  return openUnmigrated(options)
}

function openUnmigrated({ dataDir, databaseUrl, mode, ...options }: StoreOptions): SqlDb {
  if (databaseUrl === undefined) {
    return openSqlite(sqliteFile(dataDir), { durable: options.durable, bulk: mode === 'bulk' })
  }
  return mode === 'exclusive'
    ? openPostgres(databaseUrl, { ...options, connections: 1, noTimeout: true })
    : openPostgres(databaseUrl, options)
}

/** Creates the database file for its owner only, even in a directory that others can read. SQLite's other files copy its mode. */
function createFile(dataDir: string): string {
  makeFolder(dataDir)
  const file = sqliteFile(dataDir)
  closeSync(openSync(file, 'a', 0o600))
  return file
}
