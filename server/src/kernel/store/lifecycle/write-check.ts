import { withTimeout } from '../../lib/with-timeout.ts'
import { type Db, StoreUnavailableError } from '../sql.ts'

/** Writes a row that nothing reads, to find out whether the store takes writes; the parameter is its text. */
export const writeCheckSql =
  "INSERT INTO settings (name, value) VALUES ('write_check', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

/** Knows whether the store takes writes. */
export interface WriteCheck {
  /** The same store; writes that fail through it are noted. */
  readonly db: Db
  /** Notes whether a write failed that another thread does. */
  note<T>(write: Promise<T>): Promise<T>
  /** Returns why the store takes no writes, as a sentence that anybody may read; undefined if it does. */
  problem(): Promise<string | undefined>
}

/** While no write fails, a write that succeeded counts for so long: probes must not wear the disk. */
const goodForMs = 30_000
/** A write that waits for those of others is no failure; whoever asks gets the last outcome. */
const waitMs = 1_500

/**
 * Text that is written after a write has failed: as much as a large request. On a full disk there is often room for a
 * small one, and the others still fail.
 */
export const largeText = ' '.repeat(1024 * 1024)

const reasonOf = (error: unknown): string =>
  (error instanceof StoreUnavailableError ? error.reason : undefined) ?? 'The store takes no writes.'

/** Watches the writes to a store. Only when one has failed, or none was tried for a while, `problem` writes something itself. */
export function writeCheck(store: Db, nowMs: () => number = () => performance.now()): WriteCheck {
  let reason: string | undefined
  let goodUntilMs = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  const noteFailure = (error: unknown): void => {
    if (!(error instanceof StoreUnavailableError)) return
    reason = reasonOf(error)
    goodUntilMs = Number.NEGATIVE_INFINITY
  }
  const note = <T>(write: Promise<T>): Promise<T> => {
    write.catch(noteFailure)
    return write
  }
  const tryWrite = async (): Promise<void> => {
    try {
      await store.inTransaction((tx) => tx.run(writeCheckSql, [reason === undefined ? '' : largeText]))
      reason = undefined
      goodUntilMs = nowMs() + goodForMs
    } catch (error) {
      reason = reasonOf(error)
    } finally {
      running = undefined
    }
  }
  return {
    db: { ...store, inTransaction: (work) => note(store.inTransaction(work)) },
    note,
    problem: async () => {
      if (nowMs() < goodUntilMs) return undefined
      running ??= tryWrite()
      await withTimeout(running, waitMs)
      return reason
    },
  }
}
