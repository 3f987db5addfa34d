import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '../../kernel/lib/process/thread-priority.ts'
import { writeBackup } from './backup.store.ts'
import type { BackupCall } from './backup-thread.ts'

/** Runs the thread behind `writeBackupInThread`. Sends the message of an error. */
export async function runThread({ location, path, facts }: BackupCall): Promise<void> {
  lowerThreadPriority()
  try {
    await writeBackup(location, path, facts)
  } catch (error) {
    parentPort?.postMessage(error instanceof Error ? error.message : String(error))
  }
}
