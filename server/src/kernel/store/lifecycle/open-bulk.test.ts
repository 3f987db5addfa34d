import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aBrowserExtension } from '../../../../../test/support/fixtures.ts'
import { bulkLoad } from '../bulk/bulk-load.ts'
import { countRecords } from '../count.ts'
import { insertRecords } from '../records.ts'
import { type Db, StoreUnavailableError, type Tx } from '../sql.ts'
import { diagnoseStore } from './diagnose.ts'
import { schemaNumber } from './migrate.ts'
import { openStore, sqliteFile } from './open.ts'
import { storedFacts } from './stored-schema.ts'
import { leaveWriterNote } from './writer-note.ts'

const org = 1
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-bulk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const insert = (tx: Tx, count: number, description: string) =>
  insertRecords(
    tx,
    browserExtensions,
    org,
    Array.from({ length: count }, (_, number) => {
      const record = aBrowserExtension({ description, creationTimestamp: number + 1 })
      return { id: record.id, record, createdAtSeconds: record.creationTimestamp }
    }),
  )
const open = (dataDir: string): Promise<Db> => openStore({ dataDir }, 1)
const openBulk = (dataDir: string): Promise<Db> => openStore({ dataDir, mode: 'bulk' }, 1)
const counted = (db: Db) => countRecords(db, browserExtensions, org)
const journal = async (db: Db) =>
  (await db.get<{ journal_mode: string }>('PRAGMA journal_mode'))?.journal_mode

/** Copies the files of a store in the state that a killed process leaves. */
function copyAsKilled(from: string, to: string): void {
  mkdirSync(to)
  for (const ending of ['', '-wal', '-shm', '-journal'])
    if (existsSync(sqliteFile(from) + ending))
      copyFileSync(sqliteFile(from) + ending, sqliteFile(to) + ending)
}

describe('a store that is opened in mode bulk', () => {
  test('writes pages in place, and stays consistent if its process is killed', async () => {
    const killed = join(folder, 'killed')
    const dataDir = join(folder, 'data')
    const before = await open(dataDir)
    await before.inTransaction((tx) => insert(tx, 2, 'first'))
    await before.close()
    const bulk = await openBulk(dataDir)
    await bulk.inTransaction(async (tx) => {
      // More than fits into the page cache.
      await insert(tx, 4000, 'x'.repeat(8000))
      copyAsKilled(dataDir, killed)
    })
    expect(statSync(sqliteFile(killed)).size).toBeGreaterThan(2 ** 23)
    expect(existsSync(`${sqliteFile(killed)}-wal`)).toBe(false)
    expect(await counted(bulk)).toBe(4002)
    await bulk.close()

    expect(await storedFacts({ dataDir: killed })).toMatchObject({ schema: schemaNumber })
    const found = await open(killed)
    expect(await counted(found)).toBe(2)
    expect(await found.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    await found.inTransaction((tx) => insert(tx, 1, 'later'))
    expect(await counted(found)).toBe(3)
    expect(await journal(found)).toBe('wal')
    await found.close()

    const after = await open(dataDir)
    expect(await counted(after)).toBe(4002)
    expect(await journal(after)).toBe('wal')
    await after.close()
    expect(existsSync(`${sqliteFile(dataDir)}-journal`)).toBe(false)
  })

  test('is built in bulk, or rolled back completely', async () => {
    const bulk = await openBulk(folder)
    const build = (ends: () => void) =>
      bulk.inTransaction((tx) =>
        bulkLoad(tx, [browserExtensions], async () => {
          await insert(tx, 100, 'one')
          ends()
        }),
      )
    await expect(
      build(() => {
        throw new Error('stopped')
      }),
    ).rejects.toThrow('stopped')
    expect(await counted(bulk)).toBe(0)
    await build(() => undefined)
    expect(await counted(bulk)).toBe(100)
    expect(await bulk.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    await bulk.close()
  })

  test('locks other processes out from the start of a transaction, so that none blocks the commit', async () => {
    const bulk = await openBulk(folder)
    const other = new DatabaseSync(sqliteFile(folder), { timeout: 0 })
    const forgetNote = leaveWriterNote(sqliteFile(folder), 'muster import of accounts.jsonl', 0)
    await bulk.inTransaction(async (tx) => {
      await insert(tx, 5, 'one')
      expect(() => other.exec('BEGIN; SELECT * FROM migrations')).toThrow('database is locked')
      const diagnosed = diagnoseStore({ dataDir: folder }, 0)
      await expect(diagnosed).rejects.toThrow(/^muster import of accounts\.jsonl is writing to it \(process/)
      await expect(diagnosed).rejects.toThrow(StoreUnavailableError)
    })
    forgetNote()
    expect(await counted(bulk)).toBe(5)
    await bulk.close()
    other.close()
  })

  test('uses the write-ahead log while another process has the store open', async () => {
    const first = await open(folder)
    const bulk = await openBulk(folder)
    await bulk.inTransaction(async (tx) => {
      await insert(tx, 5, 'one')
      expect(await counted(first)).toBe(0)
    })
    expect(await counted(first)).toBe(5)
    await first.close()
    await bulk.close()

    const again = await openBulk(folder)
    await again.inTransaction((tx) => insert(tx, 1, 'two'))
    const second = await open(folder)
    await again.inTransaction(async (tx) => {
      await insert(tx, 1, 'three')
      expect(await counted(second)).toBe(6)
    })
    await second.inTransaction((tx) => insert(tx, 1, 'four'))
    expect(await counted(again)).toBe(8)
    await again.close()
    expect(await counted(second)).toBe(8)
    await second.close()
  })
})
