import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { describeWriter } from '../lifecycle/writer-note.ts'
import { type Param, type RecordPage, StoreUnavailableError } from '../sql.ts'
import { isBusy } from './sqlite-errors.ts'
import { type RecordNumbers, recordNumbers } from './sqlite-numbers.ts'
import { type StoreWatch, storeWatch } from './sqlite-watch.ts'

/** How long a transaction waits for that of another process. */
export const turnWithinMs = 10_000

/** Error of a transaction, or of an opening, that another process has held up for too long. */
export const heldTooLong = (path: string, cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(`${describeWriter(path)}, and has for ${turnWithinMs} ms`, { cause })

/**
 * SQLite plans a statement anew whenever a parameter gets a value that its planner looks at (sqlite.org/c3ref/prepare.html).
 * The one behind LIMIT is such a one by itself, but not as a part of an expression.
 */
const plannedOnce = (sql: string): string => sql.replaceAll('LIMIT ?', 'LIMIT ? + 0')

/** Beside max(seq), SQLite takes the size from the row that has it: the last one (sqlite.org/lang_select.html, 2.5). */
const pageOf = (sql: string): string =>
  `SELECT CAST(group_concat(record, ',') AS BLOB) AS bytes, count(*) AS count, max(seq) AS last, octet_length(record) AS size FROM (${sql} LIMIT ?)`

const statementsMaximum = 250

/** Pages that a connection holds in memory, beside those that the system does. A commit of another one empties them. */
const cachedKibibytes = 4096

const noBytes = new Uint8Array(0)

interface PageRow {
  bytes: Uint8Array<ArrayBuffer> | null
  count: number
  last: number | null
  size: number
}

/**
 * A connection: its prepared statements are kept. Results are read as arrays or objects of plain
 * JavaScript values; every number that Muster stores fits into one.
 */
export class SqliteConnection {
  readonly path: string
  readonly database: DatabaseSync
  readonly numbers: RecordNumbers
  readonly watch: StoreWatch
  readonly sole: boolean
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string, options: { readOnly: boolean; sole?: boolean }) {
    this.path = path
    this.sole = options.sole ?? false
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: 10_000, defensive: true })
    this.numbers = recordNumbers(this.database)
    this.watch = storeWatch(this.database)
    try {
      this.#setUp(options.readOnly)
    } catch (error) {
      this.database.close()
      throw isBusy(error) ? heldTooLong(path, error) : error
    }
  }

  #setUp(readOnly: boolean): void {
    // The wait for a lock comes first, so that switching to WAL waits too.
    this.database.exec('PRAGMA busy_timeout = 10000')
    if (!readOnly) {
      this.database.exec(
        'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864',
      )
      if (this.sole) this.#keepSafeBy('TRUNCATE')
    }
    // What a transaction may have to undo costs less in memory, where it is little.
    this.database.exec(
      `PRAGMA temp_store = ${this.sole ? 'FILE' : 'MEMORY'}; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA cache_size = -${cachedKibibytes}; PRAGMA trusted_schema = OFF`,
    )
  }

  /**
   * Chooses what makes commits safe: the log, which others can read beside; or, where nobody else uses the file, what
   * pages held before is kept aside, so that each is written to its place at once. Others wait until a transaction ends.
   * If somebody else is in the way it stays as it was.
   */
  #keepSafeBy(mode: 'WAL' | 'TRUNCATE'): void {
    try {
      this.database.exec(`PRAGMA journal_mode = ${mode}`)
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }

  prepare(sql: string, reportsRowid = false): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    // Clients choose which filters they combine: what is kept of that is bounded.
    if (this.#statements.size >= statementsMaximum) this.#statements.clear()
    const made = this.database.prepare(plannedOnce(sql))
    // A run reports the rowid last written, which for the substring index is wider than a number.
    made.setReadBigInts(reportsRowid)
    this.#statements.set(sql, made)
    this.watch.prepared(sql, made)
    return made
  }

  all(sql: string, params: readonly Param[]): unknown[] {
    return this.prepare(sql).all(...params)
  }

  run(sql: string, params: readonly Param[]): number {
    const statement = this.prepare(sql, true)
    this.watch.ran(statement)
    return Number(statement.run(...params).changes)
  }

  page(sql: string, params: readonly Param[], limit: number): RecordPage {
    const row = this.prepare(pageOf(sql)).get(...params, limit + 1) as unknown as PageRow
    const { bytes, count, last, size } = row
    if (bytes === null || last === null) return { bytes: noBytes, count: 0, lastSeq: 0, more: false }
    const release = () => void bytes.buffer.transfer(0)
    if (count <= limit) return { bytes, count, lastSeq: last, more: false, release }
    // The record too many, and the comma before it, are left out: the next page begins with it.
    return { bytes: bytes.subarray(0, -size - 1), count: limit, lastSeq: last - 1, more: true, release }
  }

  /** To be called when a transaction, or a part of it, was undone. */
  giveUp(): void {
    this.numbers.giveUp()
    this.watch.undone()
  }

  close(): void {
    this.#statements.clear()
    if (this.sole) this.#keepSafeBy('WAL')
    this.database.close()
  }
}
