import { StoreUnavailableError, UniqueViolationError } from '../sql.ts'

/** Deadlocks and serialization failures. They are retried, and reported as unavailable if that does not help. */
const contended = new Set(['40001', '40P01'])
/**
 * Codes and classes of errors that make the store unavailable (postgresql.org/docs/current/errcodes-appendix.html).
 * PostgreSQL cancels a statement with 57014 when it takes too long, and with 55P03 when it waits too long for a lock.
 */
const unavailable = /^(08|25001|25P01|53|55P03|57P|57014|58)/
/** Codes of the driver and the system for a connection that was lost, or could not be opened. */
const connectionFailed =
  /^(CONNECTION_|CONNECT_|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOST|ENET|EADDRNOTAVAIL)/
/** Errors after which nobody knows what was committed: PostgreSQL closed the connection, or it was in another transaction. */
const outcomeUnknown = /^(57P0[12]|25001|25P01)/

/** Converts the errors of `work` to those of the store. */
export const withStoreErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw translated(error)
  })

/** Converts an error of the driver or of PostgreSQL to an error of the store; returns any other error unchanged. */
export function translated(error: unknown): unknown {
  const { code = '', constraint_name, column_name, message } = error as PostgresError
  if (code === '23502' && column_name === 'seq')
    return new StoreUnavailableError(sequenceExhausted, { cause: error })
  if (code === '23505') return new UniqueViolationError(constraint_name ?? '', error)
  if (connectionFailed.test(code) || unavailable.test(code) || code === '25006')
    return new StoreUnavailableError(message, { cause: error, reason: reasons[code] })
  return error
}

/** A record that found no free sequence number has none, see `RecordInsert`. */
const sequenceExhausted =
  'All sequence numbers for records that were created in the same second are in use. Use another creationTimestamp.'

/** Causes to show to callers, by PostgreSQL's codes. */
const reasons: Readonly<Record<string, string>> = {
  '25006': 'The database is read-only.',
  '53100': 'The disk of the database server is full.',
}

/** Properties of errors of the driver and of PostgreSQL. */
interface PostgresError {
  readonly code?: string
  readonly constraint_name?: string
  readonly column_name?: string
  readonly message?: string
}

/** Converts an error of a statement that commits. If the connection was lost, the statement may have been executed. */
export function commitError(error: unknown): unknown {
  const { code = '', message } = (
    error instanceof StoreUnavailableError ? error.cause : error
  ) as PostgresError
  if (connectionFailed.test(code) || outcomeUnknown.test(code))
    return new StoreUnavailableError(message, { cause: error, mayBeDone: true })
  return translated(error)
}

/** Returns true for a deadlock or a serialization failure. */
export const isContended = (error: unknown): boolean => contended.has((error as PostgresError).code ?? '')

/** Converts the error of work that still fails after retries because of contention. */
export function contentionError(error: unknown): unknown {
  if (!isContended(error)) return error
  return new StoreUnavailableError((error as PostgresError).message, { cause: error })
}
