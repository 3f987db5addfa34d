import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from './lifecycle/open.ts'
import type { Db, Tx } from './sql.ts'

describe('a long transaction on SQLite', () => {
  let folder = ''
  let db: Db
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-long-'))
    db = await openStore({ dataDir: folder }, 1)
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const addJob = (tx: Tx, name: string) => tx.insert('daily_jobs', ['name', 'day'], [[name, 1]])
  const jobs = async () =>
    (await db.all<{ name: string }>('SELECT name FROM daily_jobs')).map(({ name }) => name)

  test('allows concurrent reads, which see none of its changes', async () => {
    const seen: string[][] = []
    const written = db.inTransaction(async (tx) => {
      // Continues until a concurrent read has run.
      for (let at = 0; seen.length === 0; at += 1) await addJob(tx, `job ${at}`)
    })
    setImmediate(() => void jobs().then((names) => seen.push(names)))
    await written
    expect(seen).toEqual([[]])
    expect((await jobs()).length).toBeGreaterThan(0)
  })

  test('leaves no changes if it fails while statements are queued', async () => {
    const late: Promise<unknown>[] = []
    const failed = db.inTransaction(async (tx) => {
      let others = false
      setImmediate(() => {
        others = true
      })
      while (!others) await addJob(tx, `before ${Math.random()}`)
      const untilMs = performance.now() + 20
      while (performance.now() < untilMs);
      late.push(addJob(tx, 'late').catch((error: unknown) => error))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await db.inTransaction((tx) => addJob(tx, 'next'))
    expect(String((await Promise.all(late))[0])).toContain('the transaction has ended')
    expect(await jobs()).toEqual(['next'])
  })
})
