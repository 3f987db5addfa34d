import type { MessagePort } from 'node:worker_threads'
import type { AccessPath } from '../query/predicates.ts'

/**
 * The handle through which all SQL passes. Statements are written once, with `?` for parameters;
 * what differs between the two stores stands in `dialect/`.
 */

export type Param = string | number | null | Uint8Array
export type Row = Record<string, unknown>

export interface Reader {
  readonly dialect: Dialect
  all<T = Row>(sql: string, params?: readonly Param[]): Promise<T[]>
  get<T = Row>(sql: string, params?: readonly Param[]): Promise<T | undefined>
  /**
   * Runs a statement that selects `record, seq` in the order of `seq`, and gives the first `limit`
   * records as bytes, joined by commas. The statement's limit is added here: it is one more, so that
   * nothing has to be asked twice to know whether there are more.
   */
  page(sql: string, params: readonly Param[], limit: number): Promise<RecordPage>
}

export interface RecordPage {
  /** The records joined by commas; empty when there are none. */
  bytes: Uint8Array
  count: number
  /** The next page begins behind this sequence number; 0 when there are no records. */
  lastSeq: number
  /** Whether there are more records behind these. */
  more: boolean
  /**
   * Gives the memory of `bytes` back, once they have been copied: it lies outside of V8's heap, and to wait for a
   * collection of garbage until it is free costs more than the page itself.
   */
  release?(): void
}

/** A transaction: what is read through it is what it will change. */
export interface Tx extends Reader {
  readonly transaction: true
  /** Returns how many rows were changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Param[])[],
    onConflict?: string,
  ): Promise<number>
  /**
   * Adds a row without waiting for the outcome, which may be told as late as at the end of the transaction; what fails
   * then fails all of it. What a row put needs must be there before: another one that is put is not.
   */
  put(table: string, columns: readonly string[], row: readonly Param[], onConflict?: string): void
  /** Like {@link put} for a record, where the store can take its number while it adds it. */
  putNumbered?(row: NumberedRow): void
  /**
   * Like {@link put} for a statement that changes rows, where the store has {@link putNumbered}. One that divides by zero
   * has found that it was put in vain: the transaction is done once more, and without these two.
   */
  putSql?(sql: string, params: readonly Param[]): void
  /**
   * Rises whenever what a process remembers of wishes for events and of heads of the audit trail may no longer be so:
   * others have written, something was undone, or wishes were changed. Only where the store knows that without a look.
   */
  memoryVersion?(): number
  /** The next `count` numbers of the store's one counter, rising; others may take some in between. */
  takeNumbers(count: number): Promise<number[]>
  /** Waits for the named lock and holds it until the transaction ends. */
  lock(name: string): Promise<void>
  /** Whether the named lock could be had; it is held until the transaction ends. */
  tryLock(name: string): Promise<boolean>
}

/** A record that gets its number from the store's counter while it is added. */
export interface NumberedRow {
  readonly table: string
  readonly org: number
  /** The smallest sequence number of its second. */
  readonly firstSeq: number
  /** All columns but `org` and `seq`, and their values. */
  readonly columns: readonly string[]
  readonly values: readonly Param[]
  /** What its arrays hold. */
  readonly sides: readonly { readonly table: string; readonly values: readonly string[] }[]
}

export interface Db extends Reader {
  readonly transaction: false
  /** The same read off the main thread: for what may take longer than a few milliseconds. */
  readonly slow: Reader
  /** Runs `work` in one transaction: all of it, or nothing. Nothing slow may stand inside. */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Makes a place at the store for another thread, which takes it by `openBeside`. Only where writing holds up the thread
   * that does it.
   *
   * @param onTold called when that thread has committed events that are to be delivered
   */
  beside?(onTold?: () => void): StorePlace
  close(): Promise<void>
}

/** What another thread needs to open the same store and to write to it in turn with this one. */
export interface StorePlace {
  readonly path: string
  readonly durable: boolean
  /** To be transferred with the rest. Once it is closed, the place is given up. */
  readonly turns: MessagePort
}

/** A condition that gives rows in their order. */
export interface Walked {
  readonly where: string
  readonly params: readonly Param[]
  readonly order: string
}

/** The words that differ between the two stores. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Behind a table's name: walk it by this index and no other. */
  indexedBy(index: string | null): string
  /** The condition that a row of a collection is at a place; the parameters are org, unlisted and seq. */
  readonly at: string
  /** The same for many places: the last parameter is a JSON array of values of seq. */
  readonly atAny: string
  /** Whether lists leave a row `t` out, 1 or 0: told by whatever index has led to it, and in a form that no index fits. */
  readonly hiddenFlag: string
  /** Assigns whether lists leave a row out, 1 or 0; to be done only where that changes. */
  setHidden(unlisted: 0 | 1): string
  /** The rows `t` of a collection between two bounds of `seq`, both exclusive, in their order and read from the table itself. */
  walk(org: number, unlisted: number, after: number, below: number): Walked
  /** The condition that a row `e` of the audit trail is at a position; the parameter is org. */
  auditAt(position: string): string
  /** The rows `e` of an organization's audit trail behind a position, in their order. */
  auditWalk(org: number, after: number): Walked
  /** The rows of `table` (as `t`) that `from` leads to by the expression `seq`; the parameters are org and unlisted. */
  lookup(from: string, table: string, seq: string): string
  /**
   * Rows of `table` (as `t`) by many values of `column`, each sought by `index`; the parameters are a JSON array of the
   * different values, and org.
   *
   * @param forUpdate whether the rows will be changed
   */
  seek(table: string, column: string, index: string, forUpdate?: boolean): string
  /** The JSON array, as a text, of all values of an expression; an empty one if there are no rows. */
  arrayOf(expression: string): string
  /** The numbers of such an array, its one parameter. */
  readonly fromArray: Pick<AccessPath, 'from' | 'where' | 'seq' | 'order'>
  /** A condition that `column`, of texts, has one of the values of a JSON array, its one parameter; an index fits. */
  amongTexts(column: string): string
  /** The column's value, in a form that no index fits: a test of rows must not lead to them. */
  unindexed(column: string, type: 'text' | 'integer'): string
  /** A condition that `column` holds the text of one parameter. */
  holds(column: string): string
  /** The store's own clock, in milliseconds: the same to all processes that share it, however their clocks differ. */
  readonly nowMs: string
  /** The later of two moments. */
  later(one: string, other: string): string
  /** Behind a SELECT that will be followed by an update of the same row. */
  readonly forUpdate: string
  /** The way to the rows whose column holds `needle`, a folded text of three characters or more. */
  substringPath(table: string, column: string, substrings: string, needle: string): AccessPath
  /** Whether it pays to refuse rows by further indexes before they are fetched. */
  readonly testsByIndex: boolean
  /** Whether the store finds the place of a row in the audit trail and its hash by itself. */
  readonly chainsAuditTrail: boolean
  /** How many rows a walk may look at before it lets other requests run; infinite if they run anyway. */
  readonly chunkRows: number
}

interface UnavailableFacts {
  readonly mayBeDone?: boolean | undefined
  readonly reason?: string | undefined
}

/** The store cannot be reached or cannot take writes now; nothing was changed, unless `mayBeDone`. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  /** What was asked was sent, and no answer came: nobody knows whether it was done. */
  readonly mayBeDone: boolean
  /** Cause as a sentence that callers may read: nothing internal. Undefined if it is not known. */
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

/** A value that must be unique is there already; `constraint` names the index. */
export class UniqueViolationError extends Error {
  override readonly name = 'UniqueViolationError'
  readonly constraint: string
  constructor(constraint: string, cause: unknown) {
    super(`not unique: ${constraint}`, { cause })
    this.constraint = constraint
  }
}
