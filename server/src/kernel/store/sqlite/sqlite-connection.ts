import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { describeWriter } from '../lifecycle/writer-note.ts'
import { type Param, type RecordPage, StoreUnavailableError } from '../sql.ts'
import { type CacheVersion, trackCacheVersion } from './sqlite-cache-version.ts'
import { isBusy } from './sqlite-errors.ts'
import { type RecordNumbers, recordNumbers } from './sqlite-numbers.ts'

/** Time for which a transaction waits for that of another process. */
export const busyTimeoutMs = 10_000

/** Returns the error for a transaction, or an opening, that another process has blocked for too long. */
export const blockedError = (path: string, cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(`${describeWriter(path)}, for more than ${busyTimeoutMs} ms`, { cause })

/**
 * Keeps SQLite from planning the statement again for each limit. It does so when a parameter that the planner uses changes
 * (sqlite.org/c3ref/prepare.html), which holds for `LIMIT ?` but not for a parameter within an expression.
 */
const withStablePlan = (sql: string): string => sql.replaceAll('LIMIT ?', 'LIMIT ? + 0')

/** Selects a page as one row. With max(seq), `record` is taken from the row with the maximum (sqlite.org/lang_select.html, 2.5). */
const pageSql = (sql: string): string =>
  `SELECT CAST(group_concat(record, ',') AS BLOB) AS bytes, count(*) AS count, max(seq) AS last, octet_length(record) AS size FROM (${sql} LIMIT ?)`

const statementsMaximum = 250

/** Page cache of a connection, in addition to that of the system. A commit of another connection empties it. */
const cacheKibibytes = 4096

const noBytes = new Uint8Array(0)

interface PageRow {
  bytes: Uint8Array<ArrayBuffer> | null
  count: number
  last: number | null
  size: number
}

/** A connection with a cache of prepared statements. */
export class SqliteConnection {
  readonly path: string
  readonly database: DatabaseSync
  readonly numbers: RecordNumbers
  readonly cacheVersion: CacheVersion
  readonly bulk: boolean
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string, options: { readOnly: boolean; bulk?: boolean }) {
    this.path = path
    this.bulk = options.bulk ?? false
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: 10_000, defensive: true })
    this.numbers = recordNumbers(this.database)
    this.cacheVersion = trackCacheVersion(this.database)
    try {
      this.#setUp(options.readOnly)
    } catch (error) {
      this.database.close()
      throw isBusy(error) ? blockedError(path, error) : error
    }
  }

  #setUp(readOnly: boolean): void {
    // First, because switching to WAL needs a lock, too.
    this.database.exec('PRAGMA busy_timeout = 10000')
    if (!readOnly) {
      this.database.exec(
        'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864',
      )
      if (this.bulk) this.#setJournalMode('TRUNCATE')
    }
    // The statement journal of a small transaction is faster in memory.
    this.database.exec(
      `PRAGMA temp_store = ${this.bulk ? 'FILE' : 'MEMORY'}; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA cache_size = -${cacheKibibytes}; PRAGMA trusted_schema = OFF`,
    )
  }

  /**
   * Sets the journal mode. WAL lets others read during a transaction. TRUNCATE writes each page once, to its place, and
   * blocks others until the transaction ends. Keeps the current mode if another connection is open.
   */
  #setJournalMode(mode: 'WAL' | 'TRUNCATE'): void {
    try {
      this.database.exec(`PRAGMA journal_mode = ${mode}`)
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }

  prepare(sql: string, reportsRowid = false): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    // Clients choose the combination of filters, so the number of statements must be limited.
    if (this.#statements.size >= statementsMaximum) this.#statements.clear()
    const statement = this.database.prepare(withStablePlan(sql))
    // `run` reports the last rowid, and that of the substring index exceeds JavaScript's integers.
    statement.setReadBigInts(reportsRowid)
    this.#statements.set(sql, statement)
    this.cacheVersion.prepared(sql, statement)
    return statement
  }

  all(sql: string, params: readonly Param[]): unknown[] {
    return this.prepare(sql).all(...params)
  }

  run(sql: string, params: readonly Param[]): number {
    const statement = this.prepare(sql, true)
    this.cacheVersion.ran(statement)
    return Number(statement.run(...params).changes)
  }

  page(sql: string, params: readonly Param[], limit: number): RecordPage {
    const row = this.prepare(pageSql(sql)).get(...params, limit + 1) as unknown as PageRow
    const { bytes, count, last, size } = row
    if (bytes === null || last === null) return { bytes: noBytes, count: 0, lastSeq: 0, more: false }
    const release = () => void bytes.buffer.transfer(0)
    if (count <= limit) return { bytes, count, lastSeq: last, more: false, release }
    // Drop the extra record and the comma before it; the next page starts with it.
    return { bytes: bytes.subarray(0, -size - 1), count: limit, lastSeq: last - 1, more: true, release }
  }

  /** Must be called after a rollback, also of a savepoint. */
  rolledBack(): void {
    this.numbers.discardReserved()
    this.cacheVersion.rolledBack()
  }

  close(): void {
    this.#statements.clear()
    if (this.bulk) this.#setJournalMode('WAL')
    this.database.close()
  }
}
