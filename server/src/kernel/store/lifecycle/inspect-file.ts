import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy } from '../sqlite/sqlite-errors.ts'
import { describeWriter } from './writer-note.ts'

/**
 * Looks at the file of the embedded store from outside. It is not opened for reading only: what a process left behind that
 * was killed may have to be undone first.
 *
 * @param withinMs for so long it is waited for a process that has the file for itself
 * @throws StoreUnavailableError when that takes longer, telling who it is; else the driver's error
 */
export function lookAtFile<T>(path: string, look: (database: DatabaseSync) => T, withinMs = 10_000): T {
  const database = new DatabaseSync(path, { timeout: withinMs })
  try {
    return look(database)
  } catch (error) {
    throw isBusy(error) ? new StoreUnavailableError(describeWriter(path), { cause: error }) : error
  } finally {
    database.close()
  }
}
