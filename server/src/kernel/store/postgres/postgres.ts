import type { Sql, TransactionSql } from 'postgres'
import {
  type Db,
  type NumberedRow,
  type Param,
  type Reader,
  type RecordPage,
  StoreUnavailableError,
  type Tx,
} from '../sql.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { postgres } from './postgres-driver.ts'
import {
  attempt,
  divisionByZero,
  inTheWay,
  isContended,
  isPlaceTaken,
  sentInVain,
  translated,
} from './postgres-errors.ts'
import { collectPage } from './postgres-page.ts'
import { sessionCheck } from './postgres-sessions.ts'
import { type Running, type Sent, writesTogether } from './postgres-together.ts'
import { type Statement, statementOf, type Write } from './postgres-writes.ts'

interface Numbered {
  text: string
  prepare: boolean
}

const numbered = new Map<string, Numbered>()

/** Clients choose which filters they combine; the server keeps at most this many prepared of them. */
const preparedMaximum = 1000

/** Writes `?` as `$1`, `$2` … No statement of ours holds a question mark otherwise. */
function numberParams(sql: string): Numbered {
  const known = numbered.get(sql)
  if (known) return known
  let count = 0
  const text = sql.replace(/\?/g, () => `$${++count}`)
  const made = { text, prepare: numbered.size < preparedMaximum }
  if (made.prepare) numbered.set(sql, made)
  return made
}

type Client = Pick<TransactionSql, 'unsafe'>
type Values = Parameters<Client['unsafe']>[1]
type QueryOptions = Parameters<Client['unsafe']>[2]

function execute(client: Client, sql: string, params: readonly Param[]) {
  const { text, prepare } = numberParams(sql)
  return attempt(client.unsafe(text, params as Values, { prepare }))
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
      await attempt(client.unsafe(text, [...params, limit + 1] as Values, { prepare, row } as QueryOptions))
      return page()
    },
  }
}

/** Sends a statement by whichever connection is free, now or later. */
function sendOn(sql: Sql, { sql: statement, params }: Statement): Sent {
  const { text, prepare } = numberParams(statement)
  const query = sql.unsafe(text, params as Values, { prepare })
  const isOnItsWay = (): boolean => Boolean((query as { state?: unknown }).state)
  return {
    outcome: query.catch((error) => {
      throw isOnItsWay() ? sentInVain(error) : translated(error)
    }),
    isOnItsWay,
    takeBack: () => {
      if (!isOnItsWay()) query.cancel()
    },
  }
}

/** From so many rows on they are sent as JSON; below, each number of rows is a statement of its own. */
const manyRows = 10

/** Runs one statement of a transaction on the connection that the transaction has. */
type Through = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>

/** @param atOnce whether records get their numbers while they are added, whether or not their places are free; and what else is put unseen */
function transaction(through: Through, put: Write[], atOnce: boolean): Tx {
  const all = <T>(sql: string, params: readonly Param[] = []) => through((on) => on.all<T>(sql, params))
  const get = async <T>(sql: string, params: readonly Param[] = []) => (await all<T>(sql, params))[0]
  const run = async (sql: string, params: readonly Param[] = []): Promise<number> =>
    ((await all(sql, params)) as unknown as { count: number }).count
  return {
    dialect: postgresDialect,
    transaction: true,
    all,
    get,
    page: (sql, params, limit) => through((on) => on.page(sql, params, limit)),
    run,
    insert: async (table, columns, rows, onConflict = '') => {
      const names = columns.join(', ')
      if (rows.length < manyRows || rows.some((row) => row.some((value) => value instanceof Uint8Array))) {
        const tuple = `(${columns.map(() => '?').join(', ')})`
        const tuples = rows.map(() => tuple).join(', ')
        return run(`INSERT INTO ${table} (${names}) VALUES ${tuples} ${onConflict}`, rows.flat())
      }
      // One text for any number of rows, prepared once, with one parameter.
      const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?::text::json) ${onConflict}`
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
      return run(sql, [JSON.stringify(objects)])
    },
    put: (table, columns, row, onConflict = '') => void put.push({ table, columns, row, onConflict }),
    ...(atOnce
      ? {
          putNumbered: (row: NumberedRow) => void put.push(row),
          putSql: (sql: string, params: readonly Param[]) => void put.push({ sql, params }),
        }
      : {}),
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
  }
}

/**
 * Runs work in a transaction, which is not begun before something is asked of it. So work that only puts rows is one
 * statement, and that is all or nothing by itself.
 */
function runTransaction<T>(
  sql: Sql,
  putTogether: (writes: readonly Write[]) => Running<void>,
  work: (tx: Tx) => Promise<T>,
  atOnce: boolean,
): Running<T> {
  const put: Write[] = []
  let givenUp: Error | undefined
  const checkGoesOn = (): void => {
    if (givenUp) throw givenUp
  }
  let begun: ReturnType<typeof beginTransaction> | undefined
  let together: Running<void> | undefined
  let isTold = false

  const through: Through = async (statement) => {
    checkGoesOn()
    begun ??= beginTransaction(sql)
    const on = await begun.reader
    // The connection may be somebody else's by now.
    checkGoesOn()
    if (put.length === 0) return statement(on)
    // Sent together; what was put before is the reason if either fails.
    const { sql: text, params } = statementOf(put.splice(0))
    const written = on.all(text, params)
    const answered = statement(on)
    answered.catch(() => undefined)
    await written
    return answered
  }

  const outcome = async (): Promise<T> => {
    let result: T
    try {
      result = await work(transaction(through, put, atOnce))
      checkGoesOn()
      if (begun !== undefined && put.length > 0) {
        const { sql: text, params } = statementOf(put)
        await (await begun.reader).all(text, params)
        checkGoesOn()
      }
    } catch (error) {
      begun?.rollBack(error)
      await begun?.ended
      throw error
    }
    if (begun !== undefined) {
      isTold = true
      begun.commit()
      await begun.ended.catch((error) => {
        throw sentInVain(error)
      })
    } else if (put.length > 0) {
      together = putTogether(put)
      await together.outcome
    }
    return result
  }

  return {
    outcome: outcome(),
    mayBeDone: () => isTold || (together?.mayBeDone() ?? false),
    giveUp: (why) => {
      givenUp = why
      begun?.rollBack(why)
      together?.giveUp(why)
    },
  }
}

/** Begins a transaction, whose end is told to it from outside. */
function beginTransaction(sql: Sql) {
  const { promise, resolve, reject } = Promise.withResolvers<Reader>()
  const end = Promise.withResolvers<void>()
  // If no beginning can be made, nobody waits for the end.
  end.promise.catch(() => undefined)
  const ended = sql.begin((client) => {
    resolve(reader(client))
    return end.promise
  })
  ended.catch((error) => reject(translated(error)))
  return { reader: promise, ended, commit: () => end.resolve(), rollBack: end.reject }
}

/**
 * The outcome of work, or an error if there is none in time. PostgreSQL ends its own statements sooner; this is for a
 * network that has lost it without a word, which the system notices only after many minutes.
 *
 * @param ms the limit; undefined: none, and no timer
 * @param running the work, if it can be given up when it is late
 */
function inTime<T>(ms: number | undefined, outcome: Promise<T>, running?: Running<T>): Promise<T> {
  if (ms === undefined) return outcome
  return new Promise((resolve, reject) => {
    const late = () => {
      const mayBeDone = running?.mayBeDone() ?? false
      const why = new StoreUnavailableError(`PostgreSQL gave no answer in ${ms} ms`, { mayBeDone })
      running?.giveUp(why)
      reject(why)
    }
    const timer = setTimeout(late, ms)
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

/** So long it is waited at the most until what others stood in the way of is tried again. */
const pauseMs = 50

/** After so long PostgreSQL ends a statement, or a transaction of which nothing is heard. */
const statementMs = 60_000

const settingsSql = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ')

/** How the connections are kept. */
interface PostgresOptions {
  readonly connections?: number | undefined
  readonly answerWithinMs?: number
  /** Interval of the check that connections keep their sessions (`sessionCheck`). */
  readonly recheckSessionsMs?: number
  /** Whether it may take as long as it likes: for work in one transaction that looks at all there is. */
  readonly unhurried?: boolean | undefined
  /** Whether a commit waits until it is on the disk. */
  readonly durable?: boolean | undefined
}

/**
 * Opens the scale-out store. Every statement of ours is a walk along an index, written so; the
 * settings keep the planner from guessing otherwise where the page size is a parameter.
 */
export function openPostgres(
  url: string,
  { connections = 10, unhurried = false, durable = true, ...options }: PostgresOptions = {},
): Db {
  const answerWithinMs = unhurried ? undefined : (options.answerWithinMs ?? 65_000)
  const sql = postgres(url, {
    max: connections,
    connect_timeout: 5,
    idle_timeout: 300,
    // Seconds before a connection is tried again. The driver's own way lets statements wait up to 20 of them for it.
    backoff: () => 0.1,
    onnotice: () => undefined,
    // We have no arrays. The driver asks for their types when it has connected, and if the connection is lost while it
    // does, that is a rejection outside of every promise, which ends the process.
    fetch_types: false,
    // When whoever waits has been told.
    ...(answerWithinMs === undefined ? {} : { silenceMs: answerWithinMs + 1000 }),
    connection: { application_name: 'muster' },
    // Members of the changed driver, which its types do not know.
    ...{
      settings: settingsSql({
        jit: 'off',
        enable_seqscan: 'off',
        enable_hashjoin: 'off',
        enable_mergejoin: 'off',
        enable_sort: 'off',
        statement_timeout: unhurried ? 0 : statementMs,
        // Without a limit, the locks of a process that is gone are held for up to two hours.
        idle_in_transaction_session_timeout: unhurried ? 0 : statementMs,
        ...(durable ? {} : { synchronous_commit: 'off' }),
      }),
    },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  const bare = reader(sql)
  const sessions = sessionCheck(url, options.recheckSessionsMs)
  const onKeptSession = <T>(work: () => Promise<T>): Promise<T> => sessions.ensure()?.then(work) ?? work()
  const answered = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(answerWithinMs, onKeptSession(work)).catch((error) => {
      throw inTheWay(error)
    })
  const base: Reader = {
    ...bare,
    all: (text, params) => answered(() => bare.all(text, params)),
    get: (text, params) => answered(() => bare.get(text, params)),
    page: (text, params, limit) => answered(() => bare.page(text, params, limit)),
  }

  const putTogether = writesTogether((statement) => sendOn(sql, statement))

  const inTransaction = async <T>(work: (tx: Tx) => Promise<T>, left = 3, atOnce = true): Promise<T> => {
    try {
      const running = runTransaction(sql, putTogether, work, atOnce)
      return await inTime(answerWithinMs, running.outcome, running)
    } catch (error) {
      if (left > 0 && isContended(error)) {
        // Not at the same time as the other once more.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs))
        return inTransaction(work, left - 1, atOnce)
      }
      // Once more, and now it is looked for a place that is free, and for what was put in vain.
      if (left > 0 && (isPlaceTaken(error) || (error as { code?: unknown }).code === divisionByZero))
        return inTransaction(work, left - 1, false)
      throw inTheWay(translated(error))
    }
  }

  return {
    ...base,
    transaction: false,
    slow: base,
    inTransaction: (work) => onKeptSession(() => inTransaction(work)),
    close: () => sql.end({ timeout: 5 }),
  }
}
