import { expect, test } from 'vitest'
import { eventMaker, report } from '../../../../test/support/agent-events.ts'
import { addLicensed, enrollBrowser } from '../../../../test/support/agents.ts'
import { expectProblem, recordsOf } from '../../../../test/support/answers.ts'
import { startHarness, useHarness } from '../../../../test/support/harness.ts'
import type { Db, WorkerConnections } from '../../kernel/store/sql.ts'

const h = useHarness('sqlite')

test('answers reads while a batch waits, without uncommitted data', async () => {
  const caller = await h.addCaller()
  const employee = await addLicensed(h, caller)
  const { credential } = await enrollBrowser(h, caller, employee.id)
  const accounts = async () => recordsOf(await h.call(caller, 'GET', '/v1/accounts'))
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const writing = h.db.inTransaction(async () => {
    started.resolve()
    await goOn.promise
  })
  await started.promise
  const order: string[] = []
  const sent = report(h, credential, [eventMaker(h.clock).login()]).then((answer) => {
    order.push('batch')
    return answer
  })
  expect(await accounts()).toEqual([])
  order.push('page')
  goOn.resolve()
  await writing
  expect((await sent).body).toMatchObject({ accepted: 1 })
  expect(order).toEqual(['page', 'batch'])
  expect(await accounts()).toHaveLength(1)
})

test('accepts concurrent batches once each, alongside other writes', async () => {
  const caller = await h.addCaller()
  const browsers = []
  for (let at = 0; at < 8; at += 1)
    browsers.push(await enrollBrowser(h, caller, (await addLicensed(h, caller)).id))
  const make = eventMaker(h.clock)
  const batches = browsers.flatMap(({ credential }) => {
    const events = [make.login(), make.visit()]
    return [report(h, credential, events), report(h, credential, events)]
  })
  const writes = Array.from({ length: 8 }, () => addLicensed(h, caller))
  const answers = await Promise.all(batches)
  await Promise.all(writes)
  expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200))
  const sum = (member: 'accepted' | 'duplicates') =>
    answers.reduce((total, { body }) => total + body[member], 0)
  expect([sum('accepted'), sum('duplicates')]).toEqual([16, 16])
})

test('answers 503 when the thread stops, and starts a new one for the next batch', async () => {
  let away = true
  const storeSeen = (db: Db): Db => ({
    ...db,
    workers: db.workers && {
      connect: (onEvents) => {
        const connection = (db.workers as WorkerConnections).connect(onEvents)
        return away ? { ...connection, path: `${connection.path}/away` } : connection
      },
    },
  })
  const own = await startHarness('sqlite', { storeSeen })
  const caller = await own.addCaller()
  const { credential } = await enrollBrowser(own, caller, (await addLicensed(own, caller)).id)
  const events = [eventMaker(own.clock).login()]
  expectProblem(await report(own, credential, events), 'unavailable')
  away = false
  expect((await report(own, credential, events)).body).toMatchObject({ accepted: 1 })
  // The lock of the stopped thread does not block others.
  await addLicensed(own, caller)
  await own.close()
})
