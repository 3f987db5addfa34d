import type { DatabaseSync, StatementSync } from 'node:sqlite'

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
  let update: StatementSync | undefined
  let next = 0
  let end = 0

  return {
    take: (count) => {
      if (next + count > end) {
        update ??= database.prepare(
          "UPDATE counters SET value = value + ? WHERE name = 'records' RETURNING value",
        )
        const ahead = Math.max(count, numbersPerTake)
        end = (update.get(ahead) as { value: number }).value
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
