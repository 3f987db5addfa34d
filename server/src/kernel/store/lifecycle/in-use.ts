import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Returns true if another process has the embedded store open. Tries SQLite's exclusive lock, which also works after a crash:
 * locks end with their process.
 */
export function isStoreInUse(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    return false
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 5) return true
    throw error
  } finally {
    database.close()
  }
}
