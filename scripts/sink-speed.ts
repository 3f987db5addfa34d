import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { exampleEventOf } from '../contract/src/events/event-objects.ts'
import { emitEvent } from '../server/src/kernel/events/outbox.ts'
import type { Store } from '../server/src/kernel/events/unit-of-work.ts'
import { systemClock, unixSeconds } from '../server/src/kernel/lib/clock.ts'
import { newId } from '../server/src/kernel/lib/secrets/id.ts'
import { deriveKeys } from '../server/src/kernel/lib/secrets/secret.ts'
import { addOrganization } from '../server/src/kernel/organizations/organizations.ts'
import { openStore } from '../server/src/kernel/store/lifecycle/open.ts'
import type { StreamSettings } from '../server/src/modules/streams/stream-declarations.ts'
import { startStreams } from '../server/src/modules/streams/streams.ts'
import { startDeliverer } from '../server/src/modules/webhooks/delivery/deliverer.ts'
import { webhookSender } from '../server/src/modules/webhooks/delivery/webhook-sender.ts'
import { addWebhook } from '../server/src/modules/webhooks/manage-webhooks.ts'
import { startRedis } from '../test/support/services.ts'
import { newSinkStates, noStreams, sinkKinds } from '../test/support/sink-kinds.ts'
import { startSinkReceiver } from '../test/support/sink-receiver.ts'
import { startReceiver } from '../test/support/webhook-receiver.ts'

/**
 * Measures how many events per second each sink and a webhook deliver to a receiver on this machine that takes 100 ms per request. The
 * receiver shares the process and the CPU, so the figures are lower bounds.
 *
 *     node scripts/sink-speed.ts [--events 20000] [--database-url postgres://…]
 */

const { values } = parseArgs({
  options: { events: { type: 'string', default: '20000' }, 'database-url': { type: 'string' } },
})
const events = Number(values.events)
const delayMs = 100
const nothing: StreamSettings = { ...noStreams, eventsObjects: ['LOGIN'] }

/** Starts to deliver to a receiver. */
type Start = (db: Store, org: number) => Promise<{ stop(): Promise<void> }>

const log = { info: () => undefined, warn: (facts: object, message: string) => console.warn(message, facts) }

const startStream =
  (settings: Partial<StreamSettings>): Start =>
  (db) =>
    startStreams({
      db,
      clock: systemClock,
      log,
      hostname: 'here',
      holder: 'one',
      settings: { ...nothing, ...settings },
    })

const startWebhook =
  (url: string, batchSize: number): Start =>
  async (db, org) => {
    const key = deriveKeys(Buffer.alloc(32, 7)).webhookSecrets
    const targetPolicy = { allowPrivate: true }
    const context = { db, clock: systemClock, key, targetPolicy }
    if ((await db.get('SELECT 1 AS one FROM webhooks WHERE org = ?', [org])) === undefined)
      await addWebhook(context, org, { url, objects: ['LOGIN'], batchSize }, { source: 'CLI', user: 'test' })
    const sender = webhookSender(targetPolicy)
    return startDeliverer({ db, key, clock: systemClock, log, sender, onSignal: db.onEvents })
  }

/** Delivers events to one receiver. @returns events per second */
async function measure(start: Start): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-sink-speed-'))
  const clock = systemClock
  const db = await openStore(
    { dataDir: folder, databaseUrl: values['database-url'], connections: 4, clock },
    unixSeconds(clock),
  )
  try {
    const id = newId(clock.nowMs())
    const { no } = await db.inTransaction((tx) => addOrganization(tx, id, id, unixSeconds(clock)))
    // Removes the streams of earlier measurements in the same database.
    await (await startStream({})(db, no)).stop()
    await (await start(db, no)).stop()
    const { id: _id, ...members } = exampleEventOf('LOGIN')
    for (let at = 0; at < events; at += 1000)
      await db.inTransaction(async (tx) => {
        for (let one = 0; one < 1000; one += 1)
          await emitEvent(tx, no, 'LOGIN', { ...members, timestamp: unixSeconds(clock) } as never)
      })
    const startMs = performance.now()
    const running = await start(db, no)
    const isPending = () =>
      db.get("SELECT 1 AS one FROM webhook_deliveries WHERE org = ? AND state = 'PENDING' LIMIT 1", [no])
    while (await isPending()) await wait(20)
    const seconds = (performance.now() - startMs) / 1000
    await running.stop()
    return Math.round(events / seconds)
  } finally {
    await db.close()
    rmSync(folder, { recursive: true })
  }
}

/** Starts a proxy that delays every answer. */
async function slowProxy(port: number) {
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1')
    let last = Promise.resolve()
    socket.pipe(upstream)
    upstream.on('data', (chunk) => {
      const due = wait(delayMs)
      last = last.then(() => due).then(() => void socket.write(chunk))
    })
    for (const one of [socket, upstream]) one.on('error', () => undefined)
    upstream.on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

for (const [name, { behavior, settings }] of Object.entries(sinkKinds)) {
  const receiver = await startSinkReceiver(behavior(newSinkStates()))
  receiver.delayMs = delayMs
  const speed = await measure(startStream(settings(receiver.url)))
  const most = receiver.mostAtOnce()
  const isComplete = new Set(receiver.ids).size === events && receiver.ids.length === events
  console.log(
    `${name}: ${speed} events/s, ${receiver.requests.length} requests, at most ${most} at once${isComplete ? '' : ', NOT COMPLETE'}`,
  )
  await receiver.close()
}
const redis = await startRedis()
const proxy = await slowProxy(Number(new URL(redis.url).port))
const speed = await measure(
  startStream({
    eventsRedisUrl: `redis://127.0.0.1:${proxy.port}`,
    eventsRedisStream: 'muster:events',
    eventsRedisMaxLength: 0,
  }),
)
console.log(`Redis: ${speed} events/s`)
proxy.close()
await redis.stop()
for (const batchSize of [1, 500]) {
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(200).end('ok'), delayMs)
  })
  const speed = await measure(startWebhook(receiver.url, batchSize))
  console.log(
    `Webhook, ${batchSize} events per request: ${speed} events/s, ${receiver.requests.length} requests`,
  )
  await receiver.close()
}
