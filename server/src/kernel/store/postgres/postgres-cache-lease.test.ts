import { employees } from '@muster/contract/records/employee'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migratedDatabase } from '../../../../../test/support/database.ts'
import { anEmployee } from '../../../../../test/support/fixtures.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../../test/support/outbox-events.ts'
import type { Store } from '../../events/unit-of-work.ts'
import { openStore } from '../lifecycle/open.ts'
import { insertRecord } from '../records.ts'

const org = 1
let processes: Store[]
let drop: () => Promise<void>

beforeEach(async () => {
  const database = await migratedDatabase()
  drop = database.drop
  const options = { dataDir: '', databaseUrl: database.url, connections: 4 }
  processes = [await openStore(options, 1), await openStore(options, 1)]
})
afterEach(async () => {
  for (const store of processes) await store.close()
  await drop()
})

test('a process with cached subscriptions reports every change after another process has added an endpoint', async () => {
  const [one, other] = processes
  if (!one || !other) throw new Error('there are two processes')
  const add = () =>
    one.inTransaction((tx) => {
      const record = anEmployee()
      return insertRecord(tx, employees, org, { id: record.id, record, createdAtSeconds: 1 })
    })
  let isAdded = false
  let writtenAfter = 0
  const adding = (async () => {
    while (!isAdded) await add()
    for (; writtenAfter < 5; writtenAfter += 1) await add()
  })()
  for (let round = 0; round < 3; round += 1) await subscribeEndpoint({ db: other }, org + 1 + round)
  await subscribeEndpoint({ db: other }, org, ['EMPLOYEE'])
  const before = (await eventsWritten({ db: one }, org)).length
  isAdded = true
  await adding
  const after = (await eventsWritten({ db: one }, org)).length
  expect(after - before).toBeGreaterThanOrEqual(writtenAfter)
})

test('a transaction that changes subscriptions does not share what it reads', async () => {
  const [one] = processes
  if (!one) throw new Error('there is a process')
  const versions = await one.inTransaction(async (tx) => {
    const before = tx.cacheVersion()
    await tx.run('DELETE FROM webhook_wishes WHERE org = ?', [org])
    return [before, tx.cacheVersion()]
  })
  expect(versions).toEqual([expect.any(Number), undefined])
})

test('a commit in doubt is reported when no process uses older subscriptions any more', async () => {
  const [one] = processes
  if (!one) throw new Error('there is a process')
  await one.inTransaction(async (tx) => {
    await tx.run('CREATE TABLE doubts (doubt int)')
    await tx.run(`CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'`)
    await tx.run(`CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON doubts DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION end_session()`)
  })
  let commitMs = 0
  const work = one.inTransaction(async (tx) => {
    await tx.run('DELETE FROM webhook_wishes WHERE org = ?', [org])
    await tx.run('INSERT INTO doubts VALUES (1)')
    commitMs = performance.now()
  })
  await expect(work).rejects.toMatchObject({ mayBeDone: true })
  expect(performance.now() - commitMs).toBeGreaterThanOrEqual(100)
})
