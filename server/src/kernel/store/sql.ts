import type { MessagePort } from 'node:worker_threads'
import type { UnitOfWork } from '../events/unit-of-work.ts'
import type { TextIndex } from '../query/predicates.ts'
import type { BulkState } from './bulk/bulk-state.ts'

/**
 * Interface of both stores. Statements are written once, with `?` for parameters; everything that differs between SQLite
 * and PostgreSQL is a member of {@link Dialect}.
 */

export type Param = string | number | null | Uint8Array
export type Row = Record<string, unknown>

export interface Reader {
  readonly dialect: Dialect
  all<T = Row>(sql: string, params?: readonly Param[]): Promise<T[]>
  get<T = Row>(sql: string, params?: readonly Param[]): Promise<T | undefined>
  /**
   * Runs a statement that selects `record, seq` first, ordered by `seq`, and returns the first `limit` records as bytes.
   * Further columns are ignored. Adds `LIMIT limit + 1` to the statement; the extra row shows whether there are more.
   */
  page(sql: string, params: readonly Param[], limit: number): Promise<RecordPage>
}

export interface RecordPage {
  /** The records joined by commas; empty if there are none. */
  bytes: Uint8Array
  count: number
  /** Sequence number after which the next page starts; 0 if there are no records. */
  lastSeq: number
  /** True if there are more records after these. */
  more: boolean
  /**
   * Frees the memory of `bytes` once they have been copied. The memory is outside V8's heap, and leaving it to the garbage
   * collector costs more than the page itself.
   */
  release?(): void
}

/** The SQL of a transaction. */
export interface SqlTx extends Reader {
  readonly transaction: true
  /** Returns the number of changed rows. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Param[])[],
    onConflict?: string,
  ): Promise<number>
  /**
   * Inserts a row without waiting for the result. Enqueued writes run in their order, before the next other statement or at
   * commit; an error then fails the whole transaction. They must not depend on each other.
   */
  enqueueInsert(table: string, columns: readonly string[], row: readonly Param[], onConflict?: string): void
  /**
   * Inserts a record without waiting for the result, like {@link enqueueInsert}. The INSERT takes the next free sequence
   * number. Undefined if sequence numbers cost no round trip, so that they are allocated first.
   */
  readonly enqueueRecord: ((record: RecordInsert) => void) | undefined
  /**
   * Reads what was committed before the call. Until another statement of this transaction runs, the query is not part of it,
   * and transactions that ask the same at the same time share it.
   */
  readShared<T = Row>(sql: string, params: readonly Param[]): Promise<T[]>
  /**
   * Returns the version of cached subscriptions and audit heads. It changes before they may be stale: when another connection
   * wrote, a transaction was rolled back or subscriptions changed, or with time. Undefined if nothing may be cached.
   */
  cacheVersion(): number | undefined
  /** Returns the next `count` numbers of the store's counter, ascending. Other transactions may take numbers in between. */
  takeNumbers(count: number): Promise<number[]>
  /** Waits for the named lock and holds it until the transaction ends. */
  lock(name: string): Promise<void>
  /** Takes the named lock until the transaction ends. Returns false if another transaction holds it. */
  tryLock(name: string): Promise<boolean>
  readonly bulk: BulkState
}

/** A transaction. Its unit of work collects events and audit entries, which are written after the work. */
export interface Tx extends SqlTx {
  readonly unit: UnitOfWork
}

/** A record that gets its sequence number in the INSERT. */
export interface RecordInsert {
  readonly table: string
  readonly org: number
  /** The smallest sequence number of the record's second. */
  readonly firstSeq: number
  /** All columns except `org` and `seq`, and their values. */
  readonly columns: readonly string[]
  readonly values: readonly Param[]
  /** Values of the array members. */
  readonly sides: readonly { readonly table: string; readonly values: readonly string[] }[]
}

interface Database<T extends SqlTx> extends Reader {
  readonly transaction: false
  /** The same reads off the main thread, for queries that may take longer than a few milliseconds. */
  readonly slow: Reader
  /** Runs `work` in one transaction, which commits completely or not at all. Never wait for anything slow in `work`. */
  readonly inTransaction: <R>(work: (tx: T) => Promise<R>) => Promise<R>
  /** Connections for worker threads; undefined if writes do not block the thread and no worker is needed. */
  readonly workers: WorkerConnections | undefined
  close(): Promise<void>
}

/** A store without events and audit trail: for migrations, diagnosis and copies. */
export type SqlDb = Database<SqlTx>

/** A store as `openStore` opens it. */
export type Db = Database<Tx>

export interface WorkerConnections {
  /**
   * Prepares a connection for a worker thread, which opens it with `openStore({ mode: 'worker' })`.
   *
   * @param onEvents called after the worker has committed events to deliver
   */
  connect(onEvents?: () => void): WorkerConnection
}

/** Everything that a worker thread needs to open the same store. */
export interface WorkerConnection {
  readonly path: string
  readonly durable: boolean
  /** Write lock shared with the worker. Must be transferred to it; closing it ends the connection. */
  readonly lockPort: MessagePort
}

/** A condition that returns rows in order. */
interface OrderedRange {
  readonly where: string
  readonly params: readonly Param[]
  readonly order: string
}

/** A join that finds the rows of a table by an index, once for each row before it. */
interface IndexedJoin {
  readonly table: string
  readonly alias: string
  readonly index: string
  /** Columns that the statement uses; all by default. */
  readonly columns?: string
  /** Conditions on the table, each starting with the name of a column. */
  readonly where: readonly string[]
}

/** Everything that differs between the SQL of the two stores. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Follows the name of a table: forces this index, or no index for null. */
  indexedBy(index: string | null): string
  /** Follows `CROSS JOIN`: the joined table. Keeps the planner from scanning it first. */
  indexedJoin(join: IndexedJoin): string
  /** Condition for the record with a key; the parameters are org, unlisted and seq. */
  readonly recordAt: string
  /** Condition for the records with any of many keys; the last parameter is a JSON array of sequence numbers. */
  readonly recordsAt: string
  /** SQL for `t.unlisted` (1 or 0) that the planner cannot use as an index condition. */
  readonly hiddenFlag: string
  /** Assigns `unlisted`. Use it only if the value changes. */
  setHidden(unlisted: 0 | 1): string
  /** The rows `t` of a collection between two values of `seq`, both exclusive, read from the table itself. */
  scan(org: number, unlisted: number, after: number, below: number): OrderedRange
  /** Condition for the row `e` of the audit trail at a position; the parameter is org. */
  auditAt(position: string): string
  /** The rows `e` of an organization's audit trail after a position. */
  auditScan(org: number, after: number): OrderedRange
  /** Joins `from` with the rows of `table` (as `t`) that have the sequence number `seq`; the parameters are org and unlisted. */
  joinBySeq(from: string, table: string, seq: string): string
  /**
   * Finds rows of `table` (as `t`) by many values of `column`, one index lookup per value. The parameters are a JSON array of
   * distinct values, and org.
   *
   * @param forUpdate true if the rows will be changed
   */
  seekByValues(table: string, column: string, index: string, forUpdate?: boolean): string
  /** Members of a JSON column as a JSON array, as text. */
  jsonMembers(column: string, members: readonly string[]): string
  /** Condition that `column`, of type text, has one of the values of a JSON array, its one parameter. Can use an index. */
  textIn(column: string): string
  /** The value of a column, in a form that no index matches. */
  withoutIndex(column: string, type: 'text' | 'integer'): string
  /** Condition that `column` contains the text of one parameter. */
  contains(column: string): string
  /** The store's own clock in milliseconds, the same for all processes that share the store. */
  readonly nowMs: string
  /** The greater of two expressions. */
  greatest(one: string, other: string): string
  /** Ends a SELECT that is followed by an update of the same row. */
  readonly forUpdate: string
  /** Index of the rows whose column contains `needle`, a case-folded text of at least three characters. */
  textIndex(table: string, column: string, substrings: string, needle: string): TextIndex
  /** True if the store assigns the positions and hashes of the audit trail itself. */
  readonly chainsAuditTrail: boolean
  /** Highest number of an organization that fits into the keys of records. */
  readonly organizationsMaximum: number
  /** Records per transaction of an import. */
  readonly importBatchRecords: number
  /** True if several servers can share the store. */
  readonly allowsSeveralServers: boolean
}

interface UnavailableFacts {
  readonly mayBeDone?: boolean | undefined
  readonly reason?: string | undefined
}

/** The store cannot be reached or cannot take writes now. Nothing was changed, unless `mayBeDone` is true. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** True if the statement was sent and no reply came: nobody knows whether it was executed. */
  readonly mayBeDone: boolean
  /** Cause as a sentence for callers, without internal details. Undefined if it is not known. */
  readonly reason: string | undefined
  constructor(
    message?: string,
    { mayBeDone = false, reason, ...options }: ErrorOptions & UnavailableFacts = {},
  ) {
    super(message, options)
    this.mayBeDone = mayBeDone
    this.reason = reason
  }
}

/** A value that must be unique exists already. */
export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError'
  /** Name of the index or constraint. */
  readonly constraint: string
  constructor(constraint: string, cause: unknown) {
    super(`not unique: ${constraint}`, { cause })
    this.constraint = constraint
  }
}
