import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { browserExtensions } from '@muster/contract/browser-extension'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aBrowserExtension } from '../../../../../test/support/fixtures.ts'
import { bulkLoad } from '../bulk-load.ts'
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
  folder = mkdtempSync(join(tmpdir(), 'muster-sole-'))
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
const open = (dataDir: string, sole = false): Promise<Db> => openStore({ dataDir, sole }, 1)
const counted = (db: Db) => countRecords(db, browserExtensions, org)
const journal = async (db: Db) =>
  (await db.get<{ journal_mode: string }>('PRAGMA journal_mode'))?.journal_mode

/** Copies the files of a store as a process would leave them behind that is killed now. */
function copyAsKilled(from: string, to: string): void {
  mkdirSync(to)
  for (const ending of ['', '-wal', '-shm', '-journal'])
    if (existsSync(sqliteFile(from) + ending))
      copyFileSync(sqliteFile(from) + ending, sqliteFile(to) + ending)
}

describe('a store that nobody else uses', () => {
  test('writes pages to their place at once, and is whole if its process ends in the middle', async () => {
    const killed = join(folder, 'killed')
    const dataDir = join(folder, 'data')
    const before = await open(dataDir)
    await before.inTransaction((tx) => insert(tx, 2, 'first'))
    await before.close()
    const sole = await open(dataDir, true)
    await sole.inTransaction(async (tx) => {
      // More than the pages that are held in memory.
      await insert(tx, 4000, 'x'.repeat(8000))
      copyAsKilled(dataDir, killed)
    })
    expect(statSync(sqliteFile(killed)).size).toBeGreaterThan(2 ** 23)
    expect(existsSync(`${sqliteFile(killed)}-wal`)).toBe(false)
    expect(await counted(sole)).toBe(4002)
    await sole.close()

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

  test('is built in bulk, and undone as a whole', async () => {
    const sole = await open(folder, true)
    const build = (ends: () => void) =>
      sole.inTransaction((tx) =>
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
    expect(await counted(sole)).toBe(0)
    await build(() => undefined)
    expect(await counted(sole)).toBe(100)
    expect(await sole.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    await sole.close()
  })

  test('keeps others out from the beginning of a transaction, so that none stands in the way of its end', async () => {
    const sole = await open(folder, true)
    const other = new DatabaseSync(sqliteFile(folder), { timeout: 0 })
    const forgetNote = leaveWriterNote(sqliteFile(folder), 'muster import of accounts.jsonl', 0)
    await sole.inTransaction(async (tx) => {
      await insert(tx, 5, 'one')
      expect(() => other.exec('BEGIN; SELECT * FROM migrations')).toThrow('database is locked')
      const diagnosed = diagnoseStore({ dataDir: folder }, 0)
      await expect(diagnosed).rejects.toThrow(/^muster import of accounts\.jsonl writes to it \(process/)
      await expect(diagnosed).rejects.toThrow(StoreUnavailableError)
    })
    forgetNote()
    expect(await counted(sole)).toBe(5)
    await sole.close()
    other.close()
  })

  test('goes on with the log when somebody is there after all, or comes in between', async () => {
    const first = await open(folder)
    const sole = await open(folder, true)
    await sole.inTransaction(async (tx) => {
      await insert(tx, 5, 'one')
      expect(await counted(first)).toBe(0)
    })
    expect(await counted(first)).toBe(5)
    await first.close()
    await sole.close()

    const again = await open(folder, true)
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
