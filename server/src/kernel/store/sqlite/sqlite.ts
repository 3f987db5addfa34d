import { MessageChannel } from 'node:worker_threads'
import { emptyBulkState } from '../bulk/bulk-state.ts'
import { type Param, type Reader, type SqlDb, type SqlTx, StoreUnavailableError } from '../sql.ts'
import { blockedError, busyTimeoutMs, SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isBusy, translate } from './sqlite-errors.ts'
import { insertSql } from './sqlite-inserts.ts'
import { threadReader } from './sqlite-reader-thread.ts'
import { startTimeSlice, timeSliceMs, yieldToOthers } from './sqlite-time-slice.ts'
import { createWriteLock, serveWriteLock, type WriteLock } from './write-lock.ts'

/** Maximum number of parameters of an INSERT with many rows. */
const parametersPerInsert = 150

function reader(connection: SqliteConnection): Reader {
  return {
    dialect: sqliteDialect,
    all: async <T>(sql: string, params: readonly Param[] = []) =>
      translate(() => connection.all(sql, params) as T[]),
    get: async <T>(sql: string, params: readonly Param[] = []) =>
      translate(() => connection.prepare(sql).get(...params) as T | undefined),
    page: async (sql, params, limit) => translate(() => connection.page(sql, params, limit)),
  }
}

interface OpenTransaction {
  readonly tx: SqlTx
  /** Rejects statements that still wait; they must not run in the next transaction. */
  end(): void
}

function openTransaction(connection: SqliteConnection): OpenTransaction {
  const inner = reader(connection)
  const { pauseIfLong, end } = startTimeSlice()
  const tx: SqlTx = {
    ...inner,
    all: async <T>(sql: string, params: readonly Param[] = []) => {
      const paused = pauseIfLong()
      if (paused) await paused
      return inner.all<T>(sql, params)
    },
    transaction: true,
    run: async (sql, params = []) => {
      const paused = pauseIfLong()
      if (paused) await paused
      return translate(() => connection.run(sql, params))
    },
    insert: async (table, columns, rows, onConflict = '') => {
      const paused = pauseIfLong()
      if (paused) await paused
      // A statement with many rows costs a third per row. Two texts suffice for any number of rows.
      const perStatement = Math.max(1, Math.floor(parametersPerInsert / columns.length))
      const inFullStatements = rows.length - (rows.length % perStatement)
      let changed = 0
      const many = inFullStatements > 0 ? insertSql(table, columns, perStatement, onConflict) : ''
      for (let from = 0; from < inFullStatements; from += perStatement) {
        const part = rows.slice(from, from + perStatement)
        changed += translate(() => connection.run(many, part.flat()))
      }
      const one = inFullStatements < rows.length ? insertSql(table, columns, 1, onConflict) : ''
      for (const row of rows.slice(inFullStatements)) changed += translate(() => connection.run(one, row))
      return changed
    },
    // A statement costs no round trip, so nothing is gained by a queue.
    enqueueInsert: (table, columns, row, onConflict = '') => {
      translate(() => connection.run(insertSql(table, columns, 1, onConflict), row))
    },
    enqueueRecord: undefined,
    readShared: (sql, params) => tx.all(sql, params),
    cacheVersion: () => connection.cacheVersion.current,
    takeNumbers: async (count) => translate(() => connection.numbers.take(count)),
    // Only one transaction writes at a time, so every lock is free.
    lock: async () => {},
    tryLock: async () => true,
    bulk: emptyBulkState(),
  }
  return { tx, end }
}

/** Runs the work of a transaction. */
async function runWork(writer: SqliteConnection, { work }: QueuedTransaction): Promise<unknown> {
  const { tx, end } = openTransaction(writer)
  try {
    return await work(tx)
  } finally {
    end()
  }
}

/** Interval between attempts to begin a transaction while another process writes. */
const retryBeginMs = 3

async function begin(connection: SqliteConnection): Promise<void> {
  const deadlineMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      // Without WAL a reader would block the commit, so a bulk load locks readers out from the start.
      connection.run(connection.bulk ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE', [])
      if (connection.cacheVersion.begin()) connection.numbers.discardReserved()
      return
    } catch (error) {
      if (isBusy(error) && performance.now() > deadlineMs) throw blockedError(connection.path, error)
      if (!isBusy(error))
        return translate(() => {
          throw error
        })
    }
    await new Promise((resolve) => setTimeout(resolve, retryBeginMs))
  }
}

interface QueuedTransaction {
  work(tx: SqlTx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Time for which transactions join a group commit. */
const groupWithinMs = 4

/**
 * Runs queued transactions one after the other and commits them together, because most of a small transaction is the wait
 * for the disk. Each is atomic on its own, and none is resolved before all are on the disk.
 */
async function commitGroup(writer: SqliteConnection, queue: QueuedTransaction[]): Promise<void> {
  const { database } = writer
  const group: QueuedTransaction[] = []
  const settled: (() => void)[] = []
  const deadlineMs = performance.now() + groupWithinMs
  try {
    await begin(writer)
    do {
      const queued = queue.shift()
      if (!queued) break
      group.push(queued)
      if (group.length === 1 && queue.length === 0) {
        // The only transaction needs no savepoint: a rollback undoes nothing else.
        const result = await runWork(writer, queued)
        settled.push(() => queued.resolve(result))
        break
      }
      settled.push(await runInSavepoint(writer, queued))
    } while (performance.now() < deadlineMs)
    // COMMIT blocks the thread, too. After long work, let others run first.
    if (performance.now() > deadlineMs - groupWithinMs + timeSliceMs) await yieldToOthers()
    translate(() => writer.run('COMMIT', []))
  } catch (error) {
    writer.rolledBack()
    if (database.isTransaction) database.exec('ROLLBACK')
    // If BEGIN failed, reject only the first: the next one tries again.
    for (const queued of group.length > 0 ? group : queue.splice(0, 1)) queued.reject(error)
    return
  }
  for (const settle of settled) settle()
}

/** Runs one transaction of a group. @returns a function that settles its promise */
async function runInSavepoint(writer: SqliteConnection, queued: QueuedTransaction): Promise<() => void> {
  const { database } = writer
  translate(() => writer.run('SAVEPOINT turn', []))
  try {
    const result = await runWork(writer, queued)
    translate(() => writer.run('RELEASE turn', []))
    return () => queued.resolve(result)
  } catch (error) {
    writer.rolledBack()
    // A severe error ends the outer transaction, too, and with it the whole group.
    if (!database.isTransaction) throw error
    database.exec('ROLLBACK TO turn; RELEASE turn')
    return () => queued.reject(error)
  }
}

export interface SqliteOptions {
  /** False if a commit need not wait for the disk; the file stays consistent either way. True by default. */
  readonly durable?: boolean | undefined
  /** Write lock of another thread of this process. */
  readonly writeLock?: WriteLock
  /**
   * True for a process that fills the store and is its only user. It writes without WAL, and over one connection: reads
   * outside a transaction see uncommitted rows.
   */
  readonly bulk?: boolean | undefined
}

/**
 * Opens the embedded store with one connection for writes, one for fast reads, and a thread with another one for slow reads.
 * A file has one writer at a time: threads and processes take turns.
 */
export function openSqlite(
  path: string,
  { durable = true, writeLock = createWriteLock(), bulk = false }: SqliteOptions = {},
): SqlDb {
  const writer = new SqliteConnection(path, { readOnly: false, bulk })
  if (!durable) writer.database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000')
  // From here on `begin` waits for other processes, which does not block the thread.
  writer.database.exec('PRAGMA busy_timeout = 0')
  const fast = bulk ? writer : new SqliteConnection(path, { readOnly: true })
  const slow = bulk ? undefined : threadReader(path, sqliteDialect)
  const queue: QueuedTransaction[] = []
  let running: Promise<void> | undefined
  let closed = false

  const runQueue = async (): Promise<void> => {
    while (queue.length > 0) {
      const release = await writeLock.acquire()
      await commitGroup(writer, queue).finally(release)
      // Lets other requests run, and more transactions gather for the next group.
      await yieldToOthers()
    }
    running = undefined
  }

  const inTransaction = <T>(work: (tx: SqlTx) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (closed) throw new StoreUnavailableError('the store is closed')
      queue.push({ work, resolve: (value) => resolve(value as T), reject })
      running ??= Promise.resolve().then(runQueue)
    })

  return {
    ...reader(fast),
    transaction: false,
    slow: slow?.reader ?? reader(writer),
    inTransaction,
    workers: {
      connect: (onEvents = () => {}) => {
        const { port1, port2 } = new MessageChannel()
        serveWriteLock(writeLock, port1, onEvents)
        return { path, durable, lockPort: port2 }
      },
    },
    close: async () => {
      closed = true
      await running
      await slow?.close()
      if (fast !== writer) fast.close()
      writer.close()
    },
  }
}
