import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../sql.ts'
import { isBusy, translated } from '../sqlite/sqlite-errors.ts'
import { describeWriter, leaveWriterNote } from './writer-note.ts'

/**
 * Rewrites the file of the embedded store, so that nothing that was deleted or replaced is left in it or in its log (ADR
 * 0030). Others may read meanwhile, and write before and after. It needs free disk space of twice the size of the file.
 *
 * @param nowMs time for the note to those who wait
 * @param withinMs how long to wait for others at each step
 * @throws StoreUnavailableError if others stand in the way, or the disk is full; then some of it may be left
 */
export function scrubFile(file: string, nowMs: number, withinMs = 60_000): void {
  const database = new DatabaseSync(file, { timeout: withinMs })
  try {
    // The note is about who writes now: first its turn, then the note.
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    const forgetNote = leaveWriterNote(file, 'muster employee erase', nowMs)
    try {
      rewrite(database)
    } finally {
      forgetNote()
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
  // The indexes of substrings keep the trigrams of deleted texts until they are merged.
  const indexes = "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5%'"
  for (const { name } of database.prepare(indexes).all())
    database.exec(`INSERT INTO ${name}(${name}) VALUES ('optimize')`)
  database.exec('VACUUM')
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (checkpoint?.busy !== 0)
    throw new StoreUnavailableError('another process reads an old state of the database')
}
