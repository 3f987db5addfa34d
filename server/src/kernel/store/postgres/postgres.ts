import postgres from '../../../../vendor/postgres/src/index.js'
import { emptyBulkState } from '../bulk/bulk-state.ts'
import {
  type Param,
  type Reader,
  type RecordPage,
  type SqlDb,
  type SqlTx,
  StoreUnavailableError,
} from '../sql.ts'
import { type CacheLease, cacheLease } from './postgres-cache-lease.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { commitError, contentionError, isContended, translated, withStoreErrors } from './postgres-errors.ts'
import { groupCommit, type Running, type SentStatement } from './postgres-group-commit.ts'
import { collectPage } from './postgres-page.ts'
import { sessionCheck } from './postgres-sessions.ts'
import { shareQueries } from './postgres-shared-queries.ts'
import { combineWrites, type Statement, type Write } from './postgres-writes.ts'

interface DriverStatement {
  text: string
  prepare: boolean
}

const driverStatements = new Map<string, DriverStatement>()

/** Maximum number of prepared statements. Clients choose the combination of filters, so it must be limited. */
const preparedMaximum = 1000

/** Replaces `?` by `$1`, `$2` … Our statements contain no other question marks. */
function numberParams(sql: string): DriverStatement {
  const known = driverStatements.get(sql)
  if (known) return known
  let count = 0
  const text = sql.replace(/\?/g, () => `$${++count}`)
  const statement = { text, prepare: driverStatements.size < preparedMaximum }
  if (statement.prepare) driverStatements.set(sql, statement)
  return statement
}

type Client = Pick<postgres.TransactionSql, 'unsafe'>
type Values = Parameters<Client['unsafe']>[1]

function execute(client: Client, sql: string, params: readonly Param[]) {
  const { text, prepare } = numberParams(sql)
  return withStoreErrors(client.unsafe(text, params as Values, { prepare }))
}

function reader(client: Client): Reader {
  const all = <T>(sql: string, params: readonly Param[] = []): Promise<T[]> =>
    execute(client, sql, params) as unknown as Promise<T[]>
  return {
    dialect: postgresDialect,
    all,
    get: <T>(sql: string, params: readonly Param[] = []) => all<T>(sql, params).then(([first]) => first),
    page: async (sql, params, limit): Promise<RecordPage> => {
      const { text, prepare } = numberParams(`${sql} LIMIT ?`)
      const { row, page } = collectPage(limit)
      await withStoreErrors(client.unsafe(text, [...params, limit + 1] as Values, { prepare, row }))
      return page()
    },
  }
}

/** Sends a statement on the next free connection. */
function sendOnFreeConnection(sql: postgres.Sql, { sql: statement, params }: Statement): SentStatement {
  const { text, prepare } = numberParams(statement)
  const query = sql.unsafe(text, params as Values, { prepare })
  const isOnItsWay = (): boolean => Boolean((query as { state?: unknown }).state)
  return {
    outcome: query.catch((error) => {
      throw isOnItsWay() ? commitError(error) : translated(error)
    }),
    isOnItsWay,
    cancel: () => {
      if (!isOnItsWay()) query.cancel()
    },
  }
}

/** Number of rows from which an INSERT sends them as JSON. Below, each number of rows is another statement. */
const jsonInsertRows = 10

/** Runs a statement on the connection of a transaction. */
type RunStatement = <T>(statement: (reader: Reader) => Promise<T>) => Promise<T>

/**
 * @param queue receives the enqueued writes
 * @param readShared reads outside the transaction, or in it if it has begun
 */
function createTx(
  runStatement: RunStatement,
  queue: Write[],
  readShared: SqlTx['readShared'],
  lease: CacheLease,
): SqlTx {
  const all = <T>(sql: string, params: readonly Param[] = []) => {
    lease.notice(sql)
    return runStatement((connection) => connection.all<T>(sql, params))
  }
  const get = async <T>(sql: string, params: readonly Param[] = []) => (await all<T>(sql, params))[0]
  const run = async (sql: string, params: readonly Param[] = []): Promise<number> =>
    ((await all(sql, params)) as unknown as { count: number }).count
  return {
    dialect: postgresDialect,
    transaction: true,
    all,
    get,
    page: (sql, params, limit) => runStatement((connection) => connection.page(sql, params, limit)),
    run,
    insert: async (table, columns, rows, onConflict = '') => {
      const names = columns.join(', ')
      if (
        rows.length < jsonInsertRows ||
        rows.some((row) => row.some((value) => value instanceof Uint8Array))
      ) {
        const tuple = `(${columns.map(() => '?').join(', ')})`
        const tuples = rows.map(() => tuple).join(', ')
        return run(`INSERT INTO ${table} (${names}) VALUES ${tuples} ${onConflict}`, rows.flat())
      }
      // One statement for any number of rows, prepared once, with one parameter.
      const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?::text::json) ${onConflict}`
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
      return run(sql, [JSON.stringify(objects)])
    },
    enqueueInsert: (table, columns, row, onConflict = '') =>
      void queue.push({ table, columns, row, onConflict }),
    enqueueRecord: (record) => void queue.push(record),
    readShared,
    cacheVersion: lease.version,
    takeNumbers: async (count) => {
      const sql = "SELECT nextval('record_numbers') AS number FROM generate_series(1, ?::int)"
      return (await all<{ number: number }>(sql, [count])).map(({ number }) => number)
    },
    lock: async (name) => {
      await get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
    },
    tryLock: async (name) => {
      const row = await get<{ got: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS got',
        [name],
      )
      return row?.got ?? false
    },
    bulk: emptyBulkState(),
  }
}

/**
 * Runs work in a transaction. BEGIN is sent with the first statement that needs an answer; work that only enqueues writes
 * becomes a single statement, which is atomic without BEGIN and COMMIT.
 */
function runTransaction<T>(
  sql: postgres.Sql,
  commitInGroup: (writes: readonly Write[]) => Running<void>,
  readOutside: SqlTx['readShared'],
  work: (tx: SqlTx) => Promise<T>,
): Running<T> {
  const queue: Write[] = []
  const lease = cacheLease()
  let abandonedFor: Error | undefined
  const checkNotAbandoned = (): void => {
    if (abandonedFor) throw abandonedFor
  }
  let begun: ReturnType<typeof beginTransaction> | undefined
  let hasStatement = false
  let sharedReads: Promise<unknown> | undefined
  let inGroup: Running<void> | undefined
  let isCommitSent = false

  const runStatement: RunStatement = async (statement) => {
    hasStatement = true
    // Shared reads need a connection of their own. If this took one before, all could be taken by transactions that wait.
    if (begun === undefined && sharedReads !== undefined) await sharedReads
    checkNotAbandoned()
    begun ??= beginTransaction(sql)
    const connection = await begun.reader
    // The transaction may have been abandoned while it waited, and its connection given to another one.
    checkNotAbandoned()
    if (queue.length === 0) return statement(connection)
    // Both are sent without waiting in between. If the queued writes fail, their error is the cause.
    const written = writeQueue(connection)
    const answered = statement(connection)
    answered.catch(() => undefined)
    await written
    return answered
  }

  const writeQueue = async (connection: Reader): Promise<void> => {
    const { sql: text, params } = combineWrites(queue.splice(0))
    await connection.all(text, params)
  }

  const readShared: SqlTx['readShared'] = <R>(text: string, params: readonly Param[]) => {
    if (hasStatement) return runStatement((connection) => connection.all<R>(text, params))
    const rows = readOutside<R>(text, params)
    sharedReads = Promise.allSettled([sharedReads, rows])
    return rows
  }

  const outcome = async (): Promise<T> => {
    let result: T
    try {
      result = await work(createTx(runStatement, queue, readShared, lease))
      checkNotAbandoned()
      if (begun !== undefined && queue.length > 0) {
        await writeQueue(await begun.reader)
        checkNotAbandoned()
      }
    } catch (error) {
      begun?.rollBack(error)
      await begun?.ended
      throw error
    }
    try {
      if (begun !== undefined) {
        isCommitSent = true
        begun.commit()
        await begun.ended.catch((error) => {
          throw commitError(error)
        })
      } else if (queue.length > 0) {
        inGroup = commitInGroup(queue)
        await inGroup.outcome
      }
    } finally {
      // Also after an error: PostgreSQL may have committed.
      await lease.expire()
    }
    return result
  }

  return {
    outcome: outcome(),
    mayBeDone: () => isCommitSent || (inGroup?.mayBeDone() ?? false),
    abandon: (reason) => {
      abandonedFor = reason
      begun?.rollBack(reason)
      inGroup?.abandon(reason)
    },
  }
}

/** Begins a transaction that is ended by `commit` or `rollBack`. */
function beginTransaction(sql: postgres.Sql) {
  const { promise, resolve, reject } = Promise.withResolvers<Reader>()
  const end = Promise.withResolvers<void>()
  // If BEGIN fails, nobody waits for the end.
  end.promise.catch(() => undefined)
  const ended = sql.begin((client) => {
    resolve(reader(client))
    return end.promise
  })
  ended.catch((error) => reject(translated(error)))
  return { reader: promise, ended, commit: () => end.resolve(), rollBack: end.reject }
}

/**
 * Rejects if `outcome` takes too long. PostgreSQL cancels its own statements sooner; this limit is for a network that drops
 * the connection silently, which the system notices only after many minutes.
 *
 * @param ms the limit; undefined for none
 * @param running work to abandon when the time is over
 */
function withTimeout<T>(ms: number | undefined, outcome: Promise<T>, running?: Running<T>): Promise<T> {
  if (ms === undefined) return outcome
  return new Promise((resolve, reject) => {
    const onTimeout = () => {
      const mayBeDone = running?.mayBeDone() ?? false
      const error = new StoreUnavailableError(`PostgreSQL did not respond within ${ms} ms`, { mayBeDone })
      running?.abandon(error)
      reject(error)
    }
    const timer = setTimeout(onTimeout, ms)
    outcome.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Maximum pause before a transaction is retried after contention. */
const retryPauseMs = 50

/** Time after which PostgreSQL cancels a statement, or ends an idle transaction. */
const statementMs = 60_000

const settingsSql = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ')

interface PostgresOptions {
  readonly connections?: number | undefined
  readonly answerWithinMs?: number
  /** Interval of the check that connections keep their sessions (`sessionCheck`). */
  readonly recheckSessionsMs?: number
  /** True for work in one long transaction: neither PostgreSQL nor this process limits its duration. */
  readonly noTimeout?: boolean | undefined
  /** False if a commit need not wait for the disk. True by default. */
  readonly durable?: boolean | undefined
}

/**
 * Opens a PostgreSQL store. Every statement is written to follow an index; the session settings keep the planner from
 * choosing another way when the page size is a parameter.
 */
export function openPostgres(
  url: string,
  { connections = 10, noTimeout = false, durable = true, ...options }: PostgresOptions = {},
): SqlDb {
  const answerWithinMs = noTimeout ? undefined : (options.answerWithinMs ?? 65_000)
  const sql = postgres(url, {
    max: connections,
    connect_timeout: 5,
    idle_timeout: 300,
    // Seconds before a connection is retried. By default, the driver lets statements wait up to 20 seconds for it.
    backoff: () => 0.1,
    onnotice: () => undefined,
    // We use no arrays. If a connection were lost while the driver fetches their types, the rejection would be outside every
    // promise, which ends the process.
    fetch_types: false,
    // Later than the timeout of the callers, who should get their own error.
    ...(answerWithinMs === undefined ? {} : { response_timeout: answerWithinMs / 1000 + 1 }),
    connection: { application_name: 'muster' },
    settings: settingsSql({
      jit: 'off',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      enable_sort: 'off',
      // In a transaction with one snapshot, subscriptions could be older than their cache (`CacheLease`).
      default_transaction_isolation: "'read committed'",
      statement_timeout: noTimeout ? 0 : statementMs,
      // Without a limit, the locks of a lost process would be held for up to two hours.
      idle_in_transaction_session_timeout: noTimeout ? 0 : statementMs,
      ...(durable ? {} : { synchronous_commit: 'off' }),
    }),
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  const bare = reader(sql)
  const sessions = sessionCheck(url, options.recheckSessionsMs)
  const afterSessionCheck = <T>(work: () => Promise<T>): Promise<T> => sessions.ensure()?.then(work) ?? work()
  const read = <T>(work: () => Promise<T>): Promise<T> =>
    withTimeout(answerWithinMs, afterSessionCheck(work)).catch((error) => {
      throw contentionError(error)
    })
  const base: Reader = {
    ...bare,
    all: (text, params) => read(() => bare.all(text, params)),
    get: (text, params) => read(() => bare.get(text, params)),
    page: (text, params, limit) => read(() => bare.page(text, params, limit)),
  }

  const readOutside = shareQueries(bare)
  const commitInGroup = groupCommit((statement) => sendOnFreeConnection(sql, statement))

  const inTransaction = async <T>(work: (tx: SqlTx) => Promise<T>, retries = 3): Promise<T> => {
    try {
      const running = runTransaction(sql, commitInGroup, readOutside, work)
      return await withTimeout(answerWithinMs, running.outcome, running)
    } catch (error) {
      if (retries > 0 && isContended(error)) {
        // A random pause keeps both transactions from meeting again.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * retryPauseMs))
        return inTransaction(work, retries - 1)
      }
      throw contentionError(translated(error))
    }
  }

  return {
    ...base,
    transaction: false,
    slow: base,
    inTransaction: (work) => afterSessionCheck(() => inTransaction(work)),
    workers: undefined,
    close: () => sql.end({ timeout: 5 }),
  }
}
