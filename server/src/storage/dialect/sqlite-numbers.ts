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
  /** Gives up what was taken ahead: to be called when a transaction, or a part of it, was undone. */
  giveUp(): void
}

export function recordNumbers(database: DatabaseSync): RecordNumbers {
  let version: StatementSync | undefined
  let update: StatementSync | undefined
  let next = 0
  let end = 0
  let takenAt = 0

  /** Changes when another connection has written to the file (sqlite.org/pragma.html#pragma_data_version). */
  const versionNow = (): number => {
    version ??= database.prepare('PRAGMA data_version')
    return (version.get() as { data_version: number }).data_version
  }

  return {
    take: (count) => {
      const now = versionNow()
      if (now !== takenAt || next + count > end) {
        update ??= database.prepare(
          "UPDATE counters SET value = value + ? WHERE name = 'records' RETURNING value",
        )
        const ahead = Math.max(count, numbersPerTake)
        end = (update.get(ahead) as { value: number }).value
        next = end - ahead
        takenAt = now
      }
      next += count
      return Array.from({ length: count }, (_, at) => next - count + at)
    },
    giveUp: () => {
      end = next
    },
  }
}
