import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../sql.ts'
import { openStore, sqliteFile } from './open.ts'
import { describeWriter, leaveWriterNote } from './writer-note.ts'

describe('while another process writes to the embedded store', () => {
  let dataDir = ''
  let writer: DatabaseSync
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'muster-wait-'))
    await (await openStore({ dataDir }, 1)).close()
    writer = new DatabaseSync(sqliteFile(dataDir))
    writer.exec('BEGIN IMMEDIATE')
  })
  afterEach(() => {
    writer.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('openStore waits, and reports who writes', async () => {
    const removeNote = leaveWriterNote(sqliteFile(dataDir), 'muster import of accounts.jsonl', 0)
    const reasons: string[] = []
    const onWait = (reason: string) => {
      reasons.push(reason)
      writer.exec('COMMIT')
    }
    const db = await openStore({ dataDir, writerWait: { signal: new AbortController().signal, onWait } }, 1)
    expect(await db.inTransaction((tx) => tx.get('SELECT 1 AS one'))).toEqual({ one: 1 })
    await db.close()
    expect(reasons).toEqual([
      `muster import of accounts.jsonl is writing to it (process ${process.pid}, since 1970-01-01T00:00:00.000Z)`,
    ])
    removeNote()
    expect(describeWriter(sqliteFile(dataDir))).toBe('another process is writing to it')
  })

  test('an abort ends the wait at once', async () => {
    const stop = new AbortController()
    const opening = openStore({ dataDir, writerWait: { signal: stop.signal, onWait: () => stop.abort() } }, 1)
    await expect(opening).rejects.toThrow('abort')
  })

  test('the wait has a time limit', async () => {
    const writerWait = { signal: new AbortController().signal, onWait: () => undefined, withinMs: 100 }
    const opening = openStore({ dataDir, writerWait }, 1)
    await expect(opening).rejects.toThrow(StoreUnavailableError)
    await expect(opening).rejects.toThrow('another process is writing to it')
  })
})
