import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../lifecycle/open.ts'
import type { Db, Tx } from '../sql.ts'

describe('record numbers on SQLite', () => {
  let dataDir = ''
  let stores: Db[] = []
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'muster-numbers-'))
    stores = [await openStore({ dataDir }, 1), await openStore({ dataDir }, 1)]
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    rmSync(dataDir, { recursive: true })
  })

  const store = (at: number): Db => stores[at] as Db
  const take = (db: Db, count: number, then: (tx: Tx) => Promise<unknown> = async () => undefined) =>
    db.inTransaction(async (tx) => {
      const numbers = await tx.takeNumbers(count)
      await tx.insert('settings', ['name', 'value'], [[`numbers ${numbers[0]}`, '']])
      await then(tx)
      return numbers
    })
  const fail = async () => {
    throw new Error('undone')
  }

  test('rise with every commit of any process', async () => {
    const taken: number[] = []
    for (let at = 0; at < 300; at++) taken.push(...(await take(store(at % 7 === 0 ? 1 : 0), 1 + (at % 3))))
    expect(taken).toEqual(taken.toSorted((one, other) => one - other))
    expect(new Set(taken).size).toBe(taken.length)
  })

  test('stay unique and ascending across rolled back transactions', async () => {
    const taken = await take(store(0), 1)
    for (let at = 0; at < 50; at++) {
      const outcomes = await Promise.allSettled([
        take(store(0), 1, at % 2 === 0 ? fail : undefined),
        take(store(0), 40, at % 3 === 0 ? fail : undefined),
        take(store(0), 1),
      ])
      for (const outcome of outcomes) if (outcome.status === 'fulfilled') taken.push(...outcome.value)
      if (at % 5 === 0) taken.push(...(await take(store(1), 2)))
    }
    expect(taken.length).toBeGreaterThan(100)
    expect(taken).toEqual(taken.toSorted((one, other) => one - other))
    expect(new Set(taken).size).toBe(taken.length)
  })

  test('continue after the store is reopened', async () => {
    const [before = 0] = await take(store(0), 1)
    await store(0).close()
    stores[0] = await openStore({ dataDir }, 1)
    const [after = 0] = await take(store(0), 1)
    expect(after).toBeGreaterThan(before)
  })
})
