import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy } from '../sqlite/sqlite-errors.ts'
import { describeWriter } from './writer-note.ts'

/**
 * Reads the file of the embedded store without opening the store. The connection is not read-only, because it may have to roll
 * back what a killed process has left.
 *
 * @param withinMs time to wait for a process that has locked the file
 * @throws StoreUnavailableError if that takes longer, with the name of the process; otherwise the driver's error
 */
export function inspectFile<T>(path: string, inspect: (database: DatabaseSync) => T, withinMs = 10_000): T {
  const database = new DatabaseSync(path, { timeout: withinMs })
  try {
    return inspect(database)
  } catch (error) {
    throw isBusy(error) ? new StoreUnavailableError(describeWriter(path), { cause: error }) : error
  } finally {
    database.close()
  }
}
