import { collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { StoreUnavailableError, UniqueViolationError } from '../sql.ts'
import { tableOf } from '../tables.ts'

/** Two stood in each other's way: it is tried again, and in the end it is the moment that was wrong. */
const contended = new Set(['40001', '40P01'])
/** What a statement was put in vain fails with, see `putSql`: no statement of ours divides else. */
export const divisionByZero = '22012'
/** By classes of errors (postgresql.org/docs/current/errcodes-appendix.html). 57014 is what PostgreSQL ends a statement with that takes too long, 55P03 one that waits too long for a lock. */
const unreachable = /^(08|25001|25P01|53|55P03|57P|57014|58)/
/** What the driver and the system say of a connection that was lost, or not made. */
const unconnected =
  /^(CONNECTION_|CONNECT_|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOST|ENET|EADDRNOTAVAIL)/
/** Errors that leave open what was done: PostgreSQL ends the connection, or the transaction is another one. */
const ended = /^(57P0[12]|25001|25P01)/

/** Gives PostgreSQL's errors the names that the rest of Muster knows. */
export const attempt = <T>(work: Promise<T>): Promise<T> =>
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
export const isPlaceTaken = (error: unknown): boolean =>
  error instanceof UniqueViolationError && placeKeys.has(error.constraint)

/** An error of the driver or of PostgreSQL by the name that the rest of Muster knows; others stay as they are. */
export function translated(error: unknown): unknown {
  const { code = '', constraint_name, message } = error as PostgresFacts
  if (code === '23505') return new UniqueViolationError(constraint_name ?? '', error)
  if (unconnected.test(code) || unreachable.test(code) || code === '25006')
    return new StoreUnavailableError(message, { cause: error, reason: reasons[code] })
  return error
}

/** Causes that callers may read, by PostgreSQL's codes. */
const reasons: Readonly<Record<string, string>> = {
  '25006': 'The database is read-only.',
  '53100': 'The disk of the database server is full.',
}

/** What the driver and PostgreSQL say of an error. */
interface PostgresFacts {
  readonly code?: string
  readonly constraint_name?: string
  readonly message?: string
}

/** What is told of work that was sent to be done for good: that it may be done, if the connection was lost over it. */
export function sentInVain(error: unknown): unknown {
  const { code = '', message } = (
    error instanceof StoreUnavailableError ? error.cause : error
  ) as PostgresFacts
  if (unconnected.test(code) || ended.test(code))
    return new StoreUnavailableError(message, { cause: error, mayBeDone: true })
  return translated(error)
}

/** Whether others stood in the way: a deadlock, or an order of transactions that cannot be. */
export const isContended = (error: unknown): boolean => contended.has((error as PostgresFacts).code ?? '')

/** What is told in the end of work that others stood in the way of. */
export function inTheWay(error: unknown): unknown {
  if (!isContended(error)) return error
  return new StoreUnavailableError((error as PostgresFacts).message, { cause: error })
}
