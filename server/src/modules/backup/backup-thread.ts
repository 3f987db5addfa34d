import { once } from 'node:events'
import { startThread } from '../../kernel/lib/process/start-thread.ts'
import type { StoreLocation } from '../../kernel/store/lifecycle/open.ts'
import { BackupError, type BackupFacts } from './backup.store.ts'

/** Call of {@link BackupThread}. */
export interface BackupCall {
  readonly location: StoreLocation
  readonly path: string
  readonly facts: BackupFacts
}

/** Writes a backup, see `writeBackup`. An aborted one leaves no file with its name. */
export type BackupThread = (
  location: StoreLocation,
  path: string,
  facts: BackupFacts,
  signal: AbortSignal,
) => Promise<void>

/** Writes a backup in a thread, because copying the embedded store would block all requests. */
export const writeBackupInThread: BackupThread = async (location, path, facts, signal) => {
  signal.throwIfAborted()
  const call: BackupCall = { location, path, facts }
  const thread = startThread(new URL('./backup-worker.ts', import.meta.url), call)
  thread.unref()
  const onAbort = (): void => void thread.terminate()
  signal.addEventListener('abort', onAbort, { once: true })
  let failure: string | undefined
  thread.on('message', (message: string) => {
    failure = message
  })
  try {
    await once(thread, 'exit')
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  signal.throwIfAborted()
  if (failure !== undefined) throw new BackupError(failure)
}
