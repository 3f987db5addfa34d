import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { employees } from '@muster/contract/employee'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsWritten, subscribeEndpoint } from '../../../../../test/support/outbox-events.ts'
import { anEmployee } from '../../../../../test/support/fixtures.ts'
import type { Store } from '../../events/outbox.ts'
import { systemClock } from '../../lib/clock.ts'
import { addOrganization } from '../../organizations/organizations.ts'
import { insertRecord } from '../records.ts'
import type { StorePlace, Tx } from '../sql.ts'
import { openStore } from './open.ts'
import { openBeside } from './open-beside.ts'

describe('a store that is opened once more, for another thread', () => {
  let folder = ''
  let db: Store
  let place: StorePlace
  let beside: Store
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-beside-'))
    db = await openStore({ dataDir: folder }, 1)
    place = db.beside?.() as StorePlace
    beside = openBeside(place, systemClock)
  })
  afterEach(async () => {
    await beside.close()
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const add = async (tx: Tx, name: string) => tx.insert('daily_jobs', ['name', 'day'], [[name, 1]])
  const jobs = async () =>
    (await db.all<{ name: string }>('SELECT name FROM daily_jobs ORDER BY name')).map(({ name }) => name)

  test('is read while it writes, and nothing is seen of what it has not committed', async () => {
    const half = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const written = beside.inTransaction(async (tx) => {
      await add(tx, 'one')
      half.resolve()
      await goOn.promise
      await add(tx, 'two')
    })
    await half.promise
    expect(await jobs()).toEqual([])
    goOn.resolve()
    await written
    expect(await jobs()).toEqual(['one', 'two'])
  })

  test('takes turns at writing, in the order in which they were asked for', async () => {
    const order: string[] = []
    const write = (store: Store, name: string) =>
      store.inTransaction(async (tx) => {
        order.push(`${name} begins`)
        for (let at = 0; at < 3; at += 1) await add(tx, `${name} ${at}`)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${name} ends`)
      })
    const first = write(beside, 'a')
    // The port between the two must have told before the next one asks.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, write(db, 'b'), write(beside, 'c')])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(await jobs()).toHaveLength(9)
  })

  test('forgets what it remembers when the other has written', async () => {
    const version = (store: Store) => store.inTransaction(async (tx) => tx.memoryVersion?.())
    const before = await version(db)
    expect(await version(db)).toBe(before)
    await beside.inTransaction((tx) => add(tx, 'other'))
    expect(await version(db)).not.toBe(before)
  })

  test('wakes who waits for events when the other has committed some', async () => {
    const { no } = await db.inTransaction((tx) => addOrganization(tx, 'o', 'o', 1))
    await subscribeEndpoint({ db }, no)
    const woken = new Promise<void>((resolve) => db.onEvents(resolve))
    const record = anEmployee()
    await beside.inTransaction((tx) =>
      insertRecord(tx, employees, no, { id: record.id, record, createdAtSeconds: 1 }),
    )
    await woken
    expect(await eventsWritten({ db }, no)).toHaveLength(1)
  })

  test('gives its turn back when its thread ends in the middle', async () => {
    const half = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const undone = beside.inTransaction(async (tx) => {
      await add(tx, 'half')
      half.resolve()
      await never.promise
      throw new Error('the end')
    })
    await half.promise
    const order: string[] = []
    const next = db.inTransaction(async (tx) => {
      order.push('next')
      await add(tx, 'next')
    })
    order.push('closed')
    place.turns.close()
    // With a thread, its connection is gone, too; here it has to be told.
    never.resolve()
    await expect(undone).rejects.toThrow('the end')
    await next
    expect(order).toEqual(['closed', 'next'])
    expect(await jobs()).toEqual(['next'])
  })
})
