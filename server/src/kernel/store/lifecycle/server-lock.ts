import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy, translate } from '../sqlite/sqlite-errors.ts'
import { sqliteFile } from './open.ts'

/**
 * Makes this process the only server of an embedded store. Uses SQLite's lock on a file next to the store: the lock ends
 * with its process, however that ends, and does not affect other programs that use the store.
 *
 * @returns a function that releases the lock
 * @throws StoreUnavailableError if another server holds it
 */
export function lockForServer(dataDir: string): () => void {
  makeFolder(dataDir)
  const path = `${sqliteFile(dataDir)}-server`
  createOnce(path)
  return translate(() => {
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('BEGIN EXCLUSIVE')
      return () => database.close()
    } catch (error) {
      database.close()
      if (!isBusy(error)) throw error
      throw new StoreUnavailableError(
        'another server is already running on it. Stop that server first, or use PostgreSQL for several servers (MUSTER_DATABASE_URL)',
        { cause: error },
      )
    }
  })
}

/** Creates the file for its owner only. An existing file must not be opened: closing it would release a lock on it. */
function createOnce(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}
