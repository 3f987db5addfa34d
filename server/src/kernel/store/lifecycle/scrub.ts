import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy, translated } from '../sqlite/sqlite-errors.ts'
import { describeWriter, leaveWriterNote } from './writer-note.ts'

/**
 * Rewrites the file of the embedded store to remove all deleted and replaced data from it and its log (ADR 0030). Other
 * processes can read meanwhile, and write before and after. Needs free disk space of twice the size of the file.
 *
 * @param nowMs time for the writer note
 * @param withinMs time to wait for other processes at each step
 * @throws StoreUnavailableError if another process blocks it, or the disk is full; some deleted data may remain then
 */
export function scrubFile(file: string, nowMs: number, withinMs = 60_000): void {
  const database = new DatabaseSync(file, { timeout: withinMs })
  try {
    // The note names the current writer, so get the write lock once before leaving it.
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    const removeNote = leaveWriterNote(file, 'muster employee erase', nowMs)
    try {
      rewrite(database)
    } finally {
      removeNote()
    }
  } catch (error) {
    throw isBusy(error)
      ? new StoreUnavailableError(describeWriter(file), { cause: error })
      : translated(error as Error)
  } finally {
    database.close()
  }
}

function rewrite(database: DatabaseSync): void {
  // Substring indexes keep the trigrams of deleted texts until they are merged.
  const indexes = "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"
  for (const { name } of database.prepare(indexes).all())
    database.exec(`INSERT INTO ${name}(${name}) VALUES ('optimize')`)
  database.exec('VACUUM')
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (checkpoint?.busy !== 0)
    throw new StoreUnavailableError('another process is reading an old snapshot of the database')
}
