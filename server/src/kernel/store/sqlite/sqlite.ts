import { MessageChannel } from 'node:worker_threads'
import { type Db, type Param, type Reader, StoreUnavailableError, type Tx } from '../sql.ts'
import { heldTooLong, SqliteConnection, turnWithinMs } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isBusy, translate } from './sqlite-errors.ts'
import { insertSql } from './sqlite-inserts.ts'
import { breath, breathAfterMs, transactionPace } from './sqlite-pace.ts'
import { slowReader } from './sqlite-slow.ts'
import { lendTurns, type WriteTurns, writeTurns } from './write-turns.ts'

/** So many parameters a statement that inserts many rows has at most. */
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

/** A transaction that can be ended: what still waits then must not run into the next one. */
interface OpenTransaction {
  readonly tx: Tx
  end(): void
}

function transaction(connection: SqliteConnection): OpenTransaction {
  const inner = reader(connection)
  const { pauseIfLong, end } = transactionPace()
  const run = async (sql: string, params: readonly Param[] = []) => {
    const paused = pauseIfLong()
    if (paused) await paused
    return translate(() => connection.run(sql, params))
  }
  const tx: Tx = {
    ...inner,
    all: async <T>(sql: string, params: readonly Param[] = []) => {
      const paused = pauseIfLong()
      if (paused) await paused
      return inner.all<T>(sql, params)
    },
    transaction: true,
    run,
    insert: async (table, columns, rows, onConflict = '') => {
      const paused = pauseIfLong()
      if (paused) await paused
      // Many rows in one statement cost a third of a statement each; two texts for any number of rows.
      const perStatement = Math.max(1, Math.floor(parametersPerInsert / columns.length))
      const whole = rows.length - (rows.length % perStatement)
      let changed = 0
      const many = whole > 0 ? insertSql(table, columns, perStatement, onConflict) : ''
      for (let from = 0; from < whole; from += perStatement) {
        const part = rows.slice(from, from + perStatement)
        changed += translate(() => connection.run(many, part.flat()))
      }
      const one = whole < rows.length ? insertSql(table, columns, 1, onConflict) : ''
      for (const row of rows.slice(whole)) changed += translate(() => connection.run(one, row))
      return changed
    },
    put: (table, columns, row, onConflict = '') => {
      translate(() => connection.run(insertSql(table, columns, 1, onConflict), row))
    },
    takeNumbers: async (count) => translate(() => connection.numbers.take(count)),
    // There is one writer at a time: every lock is free to the transaction that runs.
    lock: async () => {},
    tryLock: async () => true,
    memoryVersion: () => connection.watch.memoryVersion,
  }
  return { tx, end }
}

/** Does the work of a transaction, and ends it for all that the work has left behind. */
async function inTurn(writer: SqliteConnection, { work }: Turn): Promise<unknown> {
  const { tx, end } = transaction(writer)
  try {
    return await work(tx)
  } finally {
    end()
  }
}

/** Interval at which a transaction asks for its turn again. */
const askAgainMs = 3

async function begin(connection: SqliteConnection): Promise<void> {
  const untilMs = performance.now() + turnWithinMs
  for (;;) {
    try {
      // Without the log, one who reads would stand in the way of the commit.
      connection.run(connection.sole ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE', [])
      if (connection.watch.begin()) connection.numbers.giveUp()
      return
    } catch (error) {
      if (isBusy(error) && performance.now() > untilMs) throw heldTooLong(connection.path, error)
      if (!isBusy(error))
        return translate(() => {
          throw error
        })
    }
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
}

/** A transaction that waits for its turn. */
interface Turn {
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** For how long transactions are taken into one commit. */
const takenWithinMs = 4

/**
 * Runs the transactions that wait, one after the other, and commits them together: to wait for the disk is most of what
 * a small one costs. Each is all or nothing by itself, and none is answered before all are on the disk.
 */
async function commitTogether(writer: SqliteConnection, waiting: Turn[]): Promise<void> {
  const { database } = writer
  const turns: Turn[] = []
  const settled: (() => void)[] = []
  const untilMs = performance.now() + takenWithinMs
  try {
    await begin(writer)
    do {
      const turn = waiting.shift()
      if (!turn) break
      turns.push(turn)
      if (turns.length === 1 && waiting.length === 0) {
        // Alone, it needs no savepoint: what undoes it undoes all there is.
        const result = await inTurn(writer, turn)
        settled.push(() => turn.resolve(result))
        break
      }
      settled.push(await runTurn(writer, turn))
    } while (performance.now() < untilMs)
    // The wait for the disk holds everything, too: after long work it is a hold of its own.
    if (performance.now() > untilMs - takenWithinMs + breathAfterMs) await breath()
    translate(() => writer.run('COMMIT', []))
  } catch (error) {
    writer.giveUp()
    if (database.isTransaction) database.exec('ROLLBACK')
    // If not even a beginning could be made, the first that waits is told so, and the next one tries again.
    for (const turn of turns.length > 0 ? turns : waiting.splice(0, 1)) turn.reject(error)
    return
  }
  for (const settle of settled) settle()
}

/** Runs one transaction, and gives what tells its caller how it ended. */
async function runTurn(writer: SqliteConnection, turn: Turn): Promise<() => void> {
  const { database } = writer
  translate(() => writer.run('SAVEPOINT turn', []))
  try {
    const result = await inTurn(writer, turn)
    translate(() => writer.run('RELEASE turn', []))
    return () => turn.resolve(result)
  } catch (error) {
    writer.giveUp()
    // What is grave ends the transaction around it, too: then nothing of any of them is left.
    if (!database.isTransaction) throw error
    database.exec('ROLLBACK TO turn; RELEASE turn')
    return () => turn.reject(error)
  }
}

/** How the embedded store is to be opened. */
export interface SqliteOptions {
  /**
   * Whether a commit waits until it is on the disk, which it does unless told not to; without, the file is whole at any
   * time all the same.
   */
  readonly durable?: boolean | undefined
  /** The turns at writing, if another thread of this process gives them. */
  readonly turns?: WriteTurns
  /**
   * Whether nobody else uses the store, for work that fills it: it is written without the log, and has one connection, so
   * that what reads beside a transaction sees what is not committed yet.
   */
  readonly sole?: boolean | undefined
}

/**
 * Opens the embedded store: one writer, one reader for what is quick, and a thread with a connection
 * of its own for what is not. Each file has one writer at a time: threads and processes take turns.
 */
export function openSqlite(
  path: string,
  { durable = true, turns = writeTurns(), sole = false }: SqliteOptions = {},
): Db {
  const writer = new SqliteConnection(path, { readOnly: false, sole })
  if (!durable) writer.database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000')
  // From here on it waits for other processes in `begin`, which lets requests run meanwhile.
  writer.database.exec('PRAGMA busy_timeout = 0')
  const quick = sole ? writer : new SqliteConnection(path, { readOnly: true })
  const slow = sole ? undefined : slowReader(path, sqliteDialect)
  const waiting: Turn[] = []
  let running: Promise<void> | undefined
  let closed = false

  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const endTurn = await turns.take()
      await commitTogether(writer, waiting).finally(endTurn)
      // Other requests run in between, and those that wait for a turn come together.
      await breath()
    }
    running = undefined
  }

  const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (closed) throw new StoreUnavailableError('the store is closed')
      waiting.push({ work, resolve: (value) => resolve(value as T), reject })
      running ??= Promise.resolve().then(runAll)
    })

  return {
    ...reader(quick),
    transaction: false,
    slow: slow?.reader ?? reader(writer),
    inTransaction,
    beside: (onTold = () => {}) => {
      const { port1, port2 } = new MessageChannel()
      lendTurns(turns, port1, onTold)
      return { path, durable, turns: port2 }
    },
    close: async () => {
      closed = true
      await running
      await slow?.close()
      if (quick !== writer) quick.close()
      writer.close()
    },
  }
}
