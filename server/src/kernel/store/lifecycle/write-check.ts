import { withTimeout } from '../../lib/with-timeout.ts'
import { type Db, StoreUnavailableError } from '../sql.ts'

/** Writes a row that nothing reads, to check that the store is writable; the parameter is its text. */
export const writeCheckSql =
  "INSERT INTO settings (name, value) VALUES ('write_check', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

/** Monitors whether the store is writable. */
export interface WriteCheck {
  /** The same store; failures of its transactions are recorded. */
  readonly db: Db
  /** Records a failure of a write in another thread. */
  track<T>(write: Promise<T>): Promise<T>
  /** Returns why the store is not writable, as a sentence for callers; undefined if it is. */
  problem(): Promise<string | undefined>
}

/** Time for which a successful check is valid. Health probes must not wear out the disk. */
const validForMs = 30_000
/** Maximum wait for a check. A write that waits for others is not a failure, so the last result is returned then. */
const waitMs = 1_500

/**
 * Text that is written after a failure, as large as a large request. A full disk often has room for a small write, while
 * larger ones still fail.
 */
export const largeText = ' '.repeat(1024 * 1024)

const reasonOf = (error: unknown): string =>
  (error instanceof StoreUnavailableError ? error.reason : undefined) ?? 'The store is not writable.'

/** Monitors the writes to a store. `problem` writes a row only after a failure, or if the last check is too old. */
export function writeCheck(store: Db, nowMs: () => number = () => performance.now()): WriteCheck {
  let reason: string | undefined
  let validUntilMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  const recordFailure = (error: unknown): void => {
    if (!(error instanceof StoreUnavailableError)) return
    reason = reasonOf(error)
    validUntilMs = Number.NEGATIVE_INFINITY
  }
  const track = <T>(write: Promise<T>): Promise<T> => {
    write.catch(recordFailure)
    return write
  }
  const tryWrite = async (): Promise<void> => {
    try {
      await store.inTransaction((tx) => tx.run(writeCheckSql, [reason === undefined ? '' : largeText]))
      reason = undefined
      validUntilMs = nowMs() + validForMs
    } catch (error) {
      reason = reasonOf(error)
    } finally {
      running = undefined
    }
  }
  return {
    db: { ...store, inTransaction: (work) => track(store.inTransaction(work)) },
    track,
    problem: async () => {
      if (nowMs() < validUntilMs) return undefined
      running ??= tryWrite()
      await withTimeout(running, waitMs)
      return reason
    },
  }
}
