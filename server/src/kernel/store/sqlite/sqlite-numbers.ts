import type { DatabaseSync } from 'node:sqlite'

/** Numbers reserved at once: each write of the counter adds a page to a commit. */
const numbersPerReservation = 64

/**
 * The counter of the store, for the connection that writes. Numbers rise in the order of commits of all processes:
 * reserved numbers are discarded when another process has written.
 */
export interface RecordNumbers {
  /** Returns the next numbers. Must be called in a transaction. */
  take(count: number): number[]
  /** Discards reserved numbers. Must be called after a rollback, and when another connection has written. */
  discardReserved(): void
}

export function recordNumbers(database: DatabaseSync): RecordNumbers {
  let statements: ReturnType<typeof prepareStatements> | undefined
  let next = 0
  let end = 0

  return {
    take: (count) => {
      if (next + count > end) {
        statements ??= prepareStatements(database)
        const reserved = Math.max(count, numbersPerReservation)
        statements.raise.run(reserved)
        end = (statements.read.get() as { value: number }).value
        next = end - reserved
      }
      next += count
      return Array.from({ length: count }, (_, at) => next - count + at)
    },
    discardReserved: () => {
      end = next
    },
  }
}

/** Two statements, because RETURNING runs in a savepoint, at which FTS5 flushes what it has collected. */
function prepareStatements(database: DatabaseSync) {
  const raise = database.prepare("UPDATE counters SET value = value + ? WHERE name = 'records'")
  // `run` reports the last rowid, and that of the substring index exceeds JavaScript's integers.
  raise.setReadBigInts(true)
  return { raise, read: database.prepare("SELECT value FROM counters WHERE name = 'records'") }
}
