import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../sql.ts'
import { openStore, sqliteFile } from './open.ts'
import { describeWriter, leaveWriterNote } from './writer-note.ts'

describe('while another process writes to the embedded store for long', () => {
  let dataDir = ''
  let writer: DatabaseSync
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'muster-turn-'))
    await (await openStore({ dataDir }, 1)).close()
    writer = new DatabaseSync(sqliteFile(dataDir))
    writer.exec('BEGIN IMMEDIATE')
  })
  afterEach(() => {
    writer.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('it is told who writes, and waited for', async () => {
    const forget = leaveWriterNote(sqliteFile(dataDir), 'muster import of accounts.jsonl', 0)
    const told: string[] = []
    const onWait = (reason: string) => {
      told.push(reason)
      writer.exec('COMMIT')
    }
    const db = await openStore({ dataDir, patience: { signal: new AbortController().signal, onWait } }, 1)
    expect(await db.inTransaction((tx) => tx.get('SELECT 1 AS one'))).toEqual({ one: 1 })
    await db.close()
    expect(told).toEqual([
      `muster import of accounts.jsonl writes to it (process ${process.pid}, since 1970-01-01T00:00:00.000Z)`,
    ])
    forget()
    expect(describeWriter(sqliteFile(dataDir))).toBe('another process writes to it')
  })

  test('the waiting ends at once when it is told to', async () => {
    const stop = new AbortController()
    const opening = openStore({ dataDir, patience: { signal: stop.signal, onWait: () => stop.abort() } }, 1)
    await expect(opening).rejects.toThrow('abort')
  })

  test('the waiting has an end', async () => {
    const patience = { signal: new AbortController().signal, onWait: () => undefined, withinMs: 100 }
    const opening = openStore({ dataDir, patience }, 1)
    await expect(opening).rejects.toThrow(StoreUnavailableError)
    await expect(opening).rejects.toThrow('another process writes to it')
  })
})
