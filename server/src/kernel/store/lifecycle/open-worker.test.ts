import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { employees } from '@muster/contract/records/employee'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anEmployee } from '../../../../../test/support/fixtures.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../../test/support/outbox-events.ts'
import type { Store } from '../../events/unit-of-work.ts'
import { systemClock } from '../../lib/clock.ts'
import { addOrganization } from '../../organizations/organizations.ts'
import { insertRecord } from '../records.ts'
import type { Tx, WorkerConnection, WorkerConnections } from '../sql.ts'
import { openStore } from './open.ts'

describe('a store that is opened in mode worker', () => {
  let folder = ''
  let db: Store
  let connection: WorkerConnection
  let worker: Store
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-worker-'))
    db = await openStore({ dataDir: folder }, 1)
    connection = (db.workers as WorkerConnections).connect()
    worker = await openStore({ mode: 'worker', connection, clock: systemClock })
  })
  afterEach(async () => {
    await worker.close()
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const add = async (tx: Tx, name: string) => tx.insert('daily_jobs', ['name', 'day'], [[name, 1]])
  const jobs = async () =>
    (await db.all<{ name: string }>('SELECT name FROM daily_jobs ORDER BY name')).map(({ name }) => name)

  test('lets the main thread read, without uncommitted rows', async () => {
    const half = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const written = worker.inTransaction(async (tx) => {
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

  test('shares the write lock in the order of requests', async () => {
    const order: string[] = []
    const write = (store: Store, name: string) =>
      store.inTransaction(async (tx) => {
        order.push(`${name} begins`)
        for (let at = 0; at < 3; at += 1) await add(tx, `${name} ${at}`)
        await new Promise((resolve) => setImmediate(resolve))
        order.push(`${name} ends`)
      })
    const first = write(worker, 'a')
    // The request must have passed the port before the next one is made.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, write(db, 'b'), write(worker, 'c')])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(await jobs()).toHaveLength(9)
  })

  test('changes the cache version when the other thread has written', async () => {
    const version = (store: Store) => store.inTransaction(async (tx) => tx.cacheVersion())
    const before = await version(db)
    expect(await version(db)).toBe(before)
    await worker.inTransaction((tx) => add(tx, 'other'))
    expect(await version(db)).not.toBe(before)
  })

  test('notifies listeners in the main thread of events that it has committed', async () => {
    const { no } = await db.inTransaction((tx) => addOrganization(tx, 'o', 'o', 1))
    await subscribeEndpoint({ db }, no)
    const notified = new Promise<void>((resolve) => db.onEvents(resolve))
    const record = anEmployee()
    await worker.inTransaction((tx) =>
      insertRecord(tx, employees, no, { id: record.id, record, createdAtSeconds: 1 }),
    )
    await notified
    expect(await eventsWritten({ db }, no)).toHaveLength(1)
  })

  test('releases the write lock when its thread ends during a transaction', async () => {
    const half = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const undone = worker.inTransaction(async (tx) => {
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
    connection.lockPort.close()
    // The connection of a real thread would be closed; here the transaction must end.
    never.resolve()
    await expect(undone).rejects.toThrow('the end')
    await next
    expect(order).toEqual(['closed', 'next'])
    expect(await jobs()).toEqual(['next'])
  })
})
