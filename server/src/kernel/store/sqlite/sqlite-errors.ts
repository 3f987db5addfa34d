import { StoreUnavailableError, UniqueViolationError } from '../sql.ts'

/** Runs `work` and converts errors of SQLite to those of the store. */
export function translate<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translated(error as SqliteError)
  }
}

/** Properties of Node's SQLite errors. */
interface SqliteError {
  readonly errcode?: number | undefined
  readonly message?: string
}

/** Converts an error of SQLite to an error of the store; returns any other error unchanged. */
export function translated(error: SqliteError): unknown {
  const { errcode, message } = error
  if (errcode === undefined) return error
  const unique = /UNIQUE constraint failed: (.*)/.exec(message ?? '')
  if (unique) return new UniqueViolationError(unique[1] ?? '', error)
  // Busy, locked, out of memory, read-only, I/O error, full, cannot open (sqlite.org/rescode.html).
  if ([5, 6, 7, 8, 10, 13, 14].includes(errcode & 0xff))
    return new StoreUnavailableError(message, { cause: error, reason: reasonOf(errcode) })
  return error
}

/** Returns true for error codes that mean that the disk is full. */
export const isFull = (errcode: number): boolean =>
  errcode === sharedMemoryCode || (errcode & 0xff) === fullCode

function reasonOf(errcode: number): string | undefined {
  if (isFull(errcode)) return 'The disk of the data folder is full.'
  return (errcode & 0xff) === readOnlyCode ? 'The database is read-only.' : undefined
}

/** Returns true if another connection holds the lock: SQLITE_BUSY (sqlite.org/rescode.html). */
export const isBusy = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === busyCode

const busyCode = 5
const readOnlyCode = 8
const fullCode = 13
/** SQLITE_IOERR_SHMSIZE: the index of the write-ahead log could not grow, which happens only on a full disk. */
const sharedMemoryCode = 4874
