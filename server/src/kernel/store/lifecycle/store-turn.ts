import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy } from '../sqlite/sqlite-errors.ts'
import { describeWriter } from './writer-note.ts'

/** How somebody waits for the embedded store while another process writes to it for long. */
export interface Patience {
  /** Ends the waiting at once. */
  readonly signal: AbortSignal
  /** Told once what is waited for, when it takes more than a moment. */
  onWait(reason: string): void
  /** For so long at most; ten minutes unless told. */
  readonly withinMs?: number
}

const usualWithinMs = 10 * 60_000
const momentMs = 1_000
const askAgainMs = 50

/**
 * Waits until the embedded store can be written to. An import of a large file is one transaction, which takes minutes.
 *
 * @throws StoreUnavailableError when that takes too long, and the signal's reason when it is aborted
 */
export async function waitForTurn(
  file: string,
  { signal, onWait, withinMs = usualWithinMs }: Patience,
): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 0 })
  const startMs = performance.now()
  let told = false
  try {
    for (;;) {
      signal.throwIfAborted()
      if (isFree(database)) return
      const waitedMs = performance.now() - startMs
      if (waitedMs > withinMs) {
        throw new StoreUnavailableError(
          `it was waited for ${Math.round(withinMs / 1000)} seconds, and ${describeWriter(file)}`,
        )
      }
      if (!told && waitedMs > momentMs) {
        told = true
        onWait(describeWriter(file))
      }
      await delay(askAgainMs, undefined, { signal })
    }
  } finally {
    database.close()
  }
}

function isFree(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}
