import { StoreUnavailableError, UniqueViolationError } from '../sql.ts'

/** Gives SQLite's errors the names that the rest of Muster knows. */
export function translate<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translated(error as SqliteFacts)
  }
}

/** What Node says of an error of SQLite. */
interface SqliteFacts {
  readonly errcode?: number | undefined
  readonly message?: string
}

/** An error of SQLite by the name that the rest of Muster knows; others stay as they are. */
export function translated(error: SqliteFacts): unknown {
  const { errcode, message } = error
  if (errcode === undefined) return error
  const unique = /UNIQUE constraint failed: (.*)/.exec(message ?? '')
  if (unique) return new UniqueViolationError(unique[1] ?? '', error)
  // Busy, locked, out of memory, read-only, I/O error, full, cannot open (sqlite.org/rescode.html).
  if ([5, 6, 7, 8, 10, 13, 14].includes(errcode & 0xff))
    return new StoreUnavailableError(message, { cause: error, reason: reasonOf(errcode) })
  return error
}

/** True for an error of SQLite that means that the disk is full. */
export const isFull = (errcode: number): boolean =>
  errcode === sharedMemoryCode || (errcode & 0xff) === fullCode

function reasonOf(errcode: number): string | undefined {
  if (isFull(errcode)) return 'The disk of the data folder is full.'
  return (errcode & 0xff) === readOnlyCode ? 'The database is read-only.' : undefined
}

/** Whether another connection stood in the way: SQLITE_BUSY (sqlite.org/rescode.html). */
export const isBusy = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === busyCode

const busyCode = 5
const readOnlyCode = 8
const fullCode = 13
/** SQLITE_IOERR_SHMSIZE: the index of the log could not grow, which only a full disk prevents. */
const sharedMemoryCode = 4874
