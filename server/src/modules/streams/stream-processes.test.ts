import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { until } from '../../../../test/support/until.ts'
import { applyStreams } from '../../kernel/events/stream-endpoints.ts'
import { fakeClock, systemClock } from '../../kernel/lib/clock.ts'
import { acquireStreamLease, releaseStreamLease } from './stream-deliveries.store.ts'
import { startStream } from './stream-queue.ts'
import { type Streams, startStreams } from './streams.ts'

const h = useHarness('postgres')
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
  path = join(folder, 'events.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const settings = () => ({
  eventsFile: path,
  eventsFileMaxMib: 100,
  eventsFileKeep: 10,
  eventsSyslogUrl: undefined,
  eventsSyslogCa: undefined,
  eventsFormat: 'json' as const,
  eventsCategories: undefined,
  eventsObjects: ['EMPLOYEE'] as const,
})
const start = (holder: string): Promise<Streams> => {
  const log = { info: () => undefined, warn: () => undefined }
  return startStreams({ db: h.db, clock: systemClock, log, settings: settings(), hostname: 'here', holder })
}
const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)
const emails = () => lines().map((line) => JSON.parse(line).new.email as string)
const isAllDelivered = async () =>
  (await h.db.get('SELECT 1 AS one FROM webhook_deliveries LIMIT 1')) === undefined

const oneByOne = { maxEvents: 1, maxLength: 10_000, maxInFlight: 1 }

test('one process delivers at a time, and the next one continues without repeating events', async () => {
  const caller = await h.addCaller()
  const add = async (name: string) => {
    const wanted = Array.from({ length: 10 }, (_, index) => `${name}${index}@example.com`)
    for (const email of wanted) await h.call(caller, 'POST', '/v1/employees', { body: { email } })
    return wanted
  }
  const first = await start('first')
  const second = await start('second')
  const wanted = await add('a')
  await first.stop()
  wanted.push(...(await add('b')))
  await until('all events', async () => lines().length >= wanted.length && (await isAllDelivered()))
  await second.stop()
  expect(emails()).toEqual(wanted)
})

test('delivers the events of a crashed process when its lease expires', async () => {
  const caller = await h.addCaller()
  const nowMs = systemClock.nowMs()
  const leaseUntil = (holder: string, untilMs: number) =>
    h.db.inTransaction((tx) => acquireStreamLease(tx, 'FILE', { holder, nowMs, untilMs }))
  expect(await leaseUntil('dead', nowMs + 120_000)).toBe(true)
  const streams = await start('alive')
  await h.call(caller, 'POST', '/v1/employees', { body: { email: 'late@example.com' } })
  await h.db.inTransaction((tx) => releaseStreamLease(tx, 'FILE', 'other'))
  expect([await leaseUntil('other', nowMs), await isAllDelivered()]).toEqual([false, false])
  await leaseUntil('dead', nowMs - 1)
  await until('event', () => emails().includes('late@example.com'))
  await streams.stop()
})

test('ignores a lease of a process whose clock was ahead', async () => {
  const nowMs = systemClock.nowMs()
  const aheadMs = nowMs + 86_400_000
  const lease = { holder: 'dead', nowMs: aheadMs, untilMs: aheadMs + 10_000 }
  expect(await h.db.inTransaction((tx) => acquireStreamLease(tx, 'FILE', lease))).toBe(true)
  const mine = { holder: 'alive', nowMs, untilMs: nowMs + 10_000 }
  expect(await h.db.inTransaction((tx) => acquireStreamLease(tx, 'FILE', mine))).toBe(true)
})

test('a process that lost its lease stops delivering', async () => {
  const callers = [await h.addCaller(), await h.addCaller(), await h.addCaller()]
  const plan = { kind: 'FILE', url: `file://${path}`, categories: [], objects: ['EMPLOYEE'] } as const
  await h.db.inTransaction((tx) => applyStreams(tx, [plan], 1))
  for (const [at, caller] of callers.entries())
    await h.call(caller, 'POST', '/v1/employees', { body: { email: `${at}@example.com` } })
  const clock = fakeClock()
  /** Starts the stream of a process and collects what it delivers. */
  const deliverAs = (holder: string, onBatch = async () => undefined as unknown) => {
    const taken: string[] = []
    const target = {
      kind: 'FILE' as const,
      limits: oneByOne,
      deliver: async (events: readonly { readonly body: string }[]) => {
        for (const { body } of events) taken.push(JSON.parse(body).new.email)
        await onBatch()
        return undefined
      },
      close: async () => undefined,
    }
    const log = { info: () => undefined, warn: () => undefined }
    return { taken, queue: startStream({ db: h.db, clock, log, target, holder }) }
  }
  let isTaken: boolean | undefined
  const first = deliverAs('first', async () => {
    clock.advanceMs(11_000)
    const nowMs = clock.nowMs()
    const lease = { holder: 'second', nowMs, untilMs: nowMs + 10_000 }
    isTaken ??= await h.db.inTransaction((tx) => acquireStreamLease(tx, 'FILE', lease))
  })
  await until('other holder', () => isTaken !== undefined)
  const second = deliverAs('second')
  await until('end of all', isAllDelivered)
  await first.queue.stop()
  await second.queue.stop()
  expect(isTaken).toBe(true)
  expect(first.taken).toEqual(['0@example.com'])
  expect(second.taken).toEqual(expect.arrayContaining(['1@example.com', '2@example.com']))
})

test('a busy organization does not keep back the others', async () => {
  const busy = await h.addCaller()
  const quiet = await h.addCaller()
  const plan = { kind: 'FILE', url: `file://${path}`, categories: [], objects: ['EMPLOYEE'] } as const
  await h.db.inTransaction((tx) => applyStreams(tx, [plan], 1))
  const add = (caller: Caller, email: string) => h.call(caller, 'POST', '/v1/employees', { body: { email } })
  await add(busy, 'busy@example.com')
  await add(quiet, 'quiet@example.com')
  const batches: string[] = []
  const target = {
    kind: 'FILE' as const,
    limits: oneByOne,
    deliver: async ([first]: readonly { readonly body: string }[]) => {
      batches.push(JSON.parse(first?.body ?? '').new.email)
      // Each batch is followed by a further event of the busy organization.
      if (batches.length < 10) await add(busy, `busy${batches.length}@example.com`)
      return undefined
    },
    close: async () => undefined,
  }
  const log = { info: () => undefined, warn: () => undefined }
  const { db } = h
  const queue = startStream({ db, clock: systemClock, log, target, holder: 'one', onSignal: db.onEvents })
  await until('end of all', isAllDelivered)
  await queue.stop()
  expect(batches.indexOf('quiet@example.com')).toBe(1)
})
