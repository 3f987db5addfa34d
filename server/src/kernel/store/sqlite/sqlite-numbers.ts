import type { DatabaseSync } from 'node:sqlite'

/** So many numbers are taken from the counter at once: to write it costs a page of each commit. */
const numbersPerTake = 64

/**
 * The store's counter, by the connection that writes. Numbers rise in the order of commits, of all processes: what was
 * taken ahead is given up when another one has written since.
 */
export interface RecordNumbers {
  /** The next numbers; to be called within a transaction. */
  take(count: number): number[]
  /**
   * Gives up what was taken ahead: to be called when a transaction, or a part of it, was undone, and when another
   * connection has written.
   */
  giveUp(): void
}

export function recordNumbers(database: DatabaseSync): RecordNumbers {
  let statements: ReturnType<typeof prepareStatements> | undefined
  let next = 0
  let end = 0

  return {
    take: (count) => {
      if (next + count > end) {
        statements ??= prepareStatements(database)
        const ahead = Math.max(count, numbersPerTake)
        statements.raise.run(ahead)
        end = (statements.read.get() as { value: number }).value
        next = end - ahead
      }
      next += count
      return Array.from({ length: count }, (_, at) => next - count + at)
    },
    giveUp: () => {
      end = next
    },
  }
}

/** Not one with RETURNING, which is done under a savepoint: at each, FTS5 writes out what it has gathered. */
function prepareStatements(database: DatabaseSync) {
  const raise = database.prepare("UPDATE counters SET value = value + ? WHERE name = 'records'")
  // A run reports the rowid last written, which for the substring index is wider than a number.
  raise.setReadBigInts(true)
  return { raise, read: database.prepare("SELECT value FROM counters WHERE name = 'records'") }
}
