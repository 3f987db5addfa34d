import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy } from '../sqlite/sqlite-errors.ts'
import { describeWriter } from './writer-note.ts'

/** Options for waiting while another process writes to the embedded store for a long time. */
export interface WriterWait {
  /** Ends the wait at once. */
  readonly signal: AbortSignal
  /** Called once with the reason if the wait takes more than a moment. */
  onWait(reason: string): void
  /** Maximum wait; ten minutes by default. */
  readonly withinMs?: number
}

const defaultWithinMs = 10 * 60_000
const momentMs = 1_000
const retryMs = 50

/**
 * Waits until the embedded store can be written to. The import of a large file is one transaction, which takes minutes.
 *
 * @throws StoreUnavailableError when that takes too long, and the signal's reason when it is aborted
 */
export async function waitForWriter(
  file: string,
  { signal, onWait, withinMs = defaultWithinMs }: WriterWait,
): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 0 })
  const startMs = performance.now()
  let isReported = false
  try {
    for (;;) {
      signal.throwIfAborted()
      if (isWritable(database)) return
      const waitedMs = performance.now() - startMs
      if (waitedMs > withinMs) {
        throw new StoreUnavailableError(
          `after ${Math.round(withinMs / 1000)} seconds, ${describeWriter(file)}`,
        )
      }
      if (!isReported && waitedMs > momentMs) {
        isReported = true
        onWait(describeWriter(file))
      }
      await delay(retryMs, undefined, { signal })
    }
  } finally {
    database.close()
  }
}

function isWritable(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
