import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy, translate } from '../sqlite/sqlite-errors.ts'
import { sqliteFile } from './open.ts'

/**
 * Makes this process the one server of an embedded store. A file beside the store is locked as SQLite locks its own: the
 * lock ends with its process, however that ends, and stands in nobody's way who uses the store without serving it.
 *
 * @returns what gives the place free again
 * @throws StoreUnavailableError when another server has it
 */
export function lockForServer(dataDir: string): () => void {
  makeFolder(dataDir)
  const path = `${sqliteFile(dataDir)}-server`
  makeOnce(path)
  return translate(() => {
    const database = new DatabaseSync(path, { timeout: 0 })
    try {
      database.exec('BEGIN EXCLUSIVE')
      return () => database.close()
    } catch (error) {
      database.close()
      if (!isBusy(error)) throw error
      throw new StoreUnavailableError(
        'another server serves it already, and it serves one. Stop that one first, or give several one PostgreSQL (MUSTER_DATABASE_URL)',
        { cause: error },
      )
    }
  })
}

/** Makes the file for its owner alone. One that is there is not opened: to close it again would end a lock on it. */
function makeOnce(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}
