import { collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import type { Sql, TransactionSql } from 'postgres'
import {
  type Db,
  type NumberedRow,
  type Param,
  type Reader,
  type RecordPage,
  StoreUnavailableError,
  type Tx,
  UniqueViolationError,
} from '../sql.ts'
import { tableOf } from '../tables.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { postgres } from './postgres-driver.ts'
import { collectPage } from './postgres-page.ts'
import { writesTogether } from './postgres-together.ts'
import { statementOf, type Write } from './postgres-writes.ts'

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

/** Work in a transaction that runs. */
interface Running<T> {
  readonly outcome: Promise<T>
  /** Undoes what was done, and lets the work do nothing more; too late once it was told to commit. */
  giveUp(why: Error): void
}

/**
 * Runs work in a transaction, which is not begun before something is asked of it. So work that only puts rows is one
 * statement, and that is all or nothing by itself.
 */
function runTransaction<T>(
  sql: Sql,
  putTogether: (writes: readonly Write[]) => Promise<void>,
  work: (tx: Tx) => Promise<T>,
  atOnce: boolean,
): Running<T> {
  const put: Write[] = []
  let givenUp: Error | undefined
  const checkGoesOn = (): void => {
    if (givenUp) throw givenUp
  }
  let begun: ReturnType<typeof beginTransaction> | undefined

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
    try {
      const result = await work(transaction(through, put, atOnce))
      checkGoesOn()
      if (begun === undefined) {
        if (put.length > 0) await putTogether(put)
        return result
      }
      const { sql: text, params } = statementOf(put)
      if (put.length > 0) await (await begun.reader).all(text, params)
      checkGoesOn()
      begun.commit()
      await begun.ended
      return result
    } catch (error) {
      if (begun === undefined) throw error
      begun.rollBack(error)
      await begun.ended
      throw error
    }
  }

  return {
    outcome: outcome(),
    giveUp: (why) => {
      givenUp = why
      begun?.rollBack(why)
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

const retried = new Set(['40001', '40P01'])
/** What a statement was put in vain fails with, see `putSql`: no statement of ours divides else. */
const divisionByZero = '22012'
/** 57014 is what PostgreSQL ends a statement with that takes too long. */
const unreachable = /^(08|53|57P|57014|58)/

/** Gives PostgreSQL's errors the names that the rest of Muster knows. */
const attempt = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw translated(error)
  })

/** The keys that hold the places of records: two records can have the same only when the counter has gone round. */
const placeKeys = new Set(
  Object.values<Collection>(collections).flatMap((collection) => {
    const { name, sides } = tableOf(collection)
    return [name, ...sides.map(({ table }) => table)].map((table) => `${table}_pkey`)
  }),
)

/** Whether a record was to get a place that another one has. */
const isPlaceTaken = (error: unknown): boolean =>
  error instanceof UniqueViolationError && placeKeys.has(error.constraint)

function translated(error: unknown): unknown {
  const {
    code,
    constraint_name: constraint,
    message,
  } = error as { code?: string; constraint_name?: string; message?: string }
  if (code === '23505') return new UniqueViolationError(constraint ?? '', error)
  const fromDriver =
    code !== undefined && /^(CONNECTION_|CONNECT_|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOST)/.test(code)
  if (fromDriver || (code && (unreachable.test(code) || code === '25006'))) {
    return new StoreUnavailableError(message, { cause: error })
  }
  return error
}

/**
 * The outcome of work, or an error if there is none in time. PostgreSQL ends its own statements sooner; this is for a
 * network that has lost it without a word, which the system notices only after many minutes.
 *
 * @param giveUp ends the work if it is late
 */
function inTime<T>(ms: number, work: Promise<T>, giveUp?: (why: Error) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => {
      const why = new StoreUnavailableError(`PostgreSQL gave no answer in ${ms} ms`)
      giveUp?.(why)
      reject(why)
    }
    const timer = setTimeout(late, ms)
    work.then(
      (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Some weeks: neither a timer nor PostgreSQL takes more, and the driver leaves out a zero. */
const longestMs = 2 ** 31 - 1

/** After so long PostgreSQL ends a statement, or a transaction of which nothing is heard. */
const statementMs = 60_000

/** How the connections are kept. */
interface PostgresOptions {
  readonly connections?: number | undefined
  readonly answerWithinMs?: number
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
  const answerWithinMs = unhurried ? longestMs : (options.answerWithinMs ?? 65_000)
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
    ...(unhurried ? {} : { silenceMs: answerWithinMs + 1000 }),
    connection: {
      application_name: 'muster',
      // Words, because the driver leaves out what is false.
      jit: 'off',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      enable_sort: 'off',
      statement_timeout: unhurried ? longestMs : statementMs,
      // Else the locks of a process that is gone would be held until the system notices, which may take two hours.
      idle_in_transaction_session_timeout: unhurried ? longestMs : statementMs,
      ...(durable ? {} : { synchronous_commit: 'off' }),
    },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  const bare = reader(sql)
  const base: Reader = {
    ...bare,
    all: (text, params) => inTime(answerWithinMs, bare.all(text, params)),
    get: (text, params) => inTime(answerWithinMs, bare.get(text, params)),
    page: (text, params, limit) => inTime(answerWithinMs, bare.page(text, params, limit)),
  }

  const putTogether = writesTogether(({ sql: text, params }) => bare.all(text, params))

  const inTransaction = async <T>(work: (tx: Tx) => Promise<T>, left = 3, atOnce = true): Promise<T> => {
    try {
      const { outcome, giveUp } = runTransaction(sql, putTogether, work, atOnce)
      return await inTime(answerWithinMs, outcome, giveUp)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (left > 0 && code !== undefined && retried.has(code)) return inTransaction(work, left - 1, atOnce)
      // Once more, and now it is looked for a place that is free, and for what was put in vain.
      if (left > 0 && (isPlaceTaken(error) || code === divisionByZero))
        return inTransaction(work, left - 1, false)
      throw translated(error)
    }
  }

  return {
    ...base,
    transaction: false,
    slow: base,
    inTransaction: (work) => inTransaction(work),
    close: () => sql.end({ timeout: 5 }),
  }
}
