import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noStreams } from '../../../../test/support/sink-kinds.ts'
import {
  linesBehavior,
  type SinkReceiver,
  startSinkReceiver,
} from '../../../../test/support/sink-receiver.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { type WebhookWorld, webhookWorld } from '../../../../test/support/webhook-world.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { streamsOf } from './stream-declarations.ts'
import { streamMetrics } from './stream-metrics.ts'
import { startStream } from './stream-queue.ts'
import { type Streams, startStreams } from './streams.ts'

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    let receiver: SinkReceiver
    let streams: Streams | undefined
    let organizations: readonly number[]
    const refused = new Set<string>()
    const warnings: string[] = []
    const registry = new Registry()

    beforeAll(async () => {
      world = await webhookWorld(store)
      organizations = [await world.addOrganization(), await world.addOrganization()]
    })
    afterEach(async () => {
      await streams?.stop()
      await receiver.close()
    })
    afterAll(() => world.close())

    const start = async (): Promise<void> => {
      const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) }
      const settings = { ...noStreams, eventsObjects: ['LOGIN'] as const, eventsHttpUrl: receiver.url }
      const observe = streamMetrics(new Registry(), world.db, systemClock)
      streams = await startStreams({
        db: world.db,
        clock: systemClock,
        log,
        settings,
        hostname: 'here',
        holder: 'one',
        observe,
      })
    }
    const emit = async (each: number): Promise<void> => {
      for (const org of organizations) await world.emit(org, each)
    }
    const stored = async (): Promise<string[]> =>
      (await world.db.all<{ id: string }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id)
    const pending = async (): Promise<number> => {
      const rows = await world.db.all<{ id: string }>(
        'SELECT event_id AS id FROM webhook_deliveries LIMIT 10000',
      )
      return rows.length
    }
    const isAllDelivered = async () => (await pending()) === 0

    test('many batches are in flight to a slow receiver, and every event arrives once', async () => {
      receiver = await startSinkReceiver(linesBehavior({ refused }))
      receiver.delayMs = 100
      await start()
      await emit(2000)
      await until('end of all', isAllDelivered)
      expect(receiver.ids.toSorted()).toEqual(await stored())
      expect(receiver.mostAtOnce()).toBeGreaterThan(1)
    })

    test('nothing is lost while the receiver is broken or gets too much at once', async () => {
      receiver = await startSinkReceiver(linesBehavior({ refused }))
      const before = await stored()
      receiver.faults.push('reset', { status: 413 })
      await start()
      await emit(50)
      await until('end of all', isAllDelivered)
      const known = new Set(before)
      expect(receiver.ids.toSorted()).toEqual((await stored()).filter((id) => !known.has(id)))
      expect(warnings).toContain('Event stream: delivery failed and is retried')
    })

    test('an event that is refused waits until others show that the receiver works, and is skipped then', async () => {
      receiver = await startSinkReceiver(linesBehavior({ refused }))
      const before = new Set(await stored())
      await world.emit(organizations[0] ?? 0)
      const [bad = ''] = (await stored()).filter((id) => !before.has(id))
      refused.add(bad)
      await start()
      await until('a refusal', () => receiver.requests.length > 0)
      expect(await pending()).toBe(1)
      await world.emit(organizations[0] ?? 0, 3)
      await until('end of all', isAllDelivered)
      expect(receiver.ids).toHaveLength(3)
      expect(receiver.ids).not.toContain(bad)
      expect(warnings).toContain('Event stream: the receiver refuses an event, which is skipped')
    })

    test('many organizations with few events are delivered without waiting for another query', async () => {
      receiver = await startSinkReceiver(linesBehavior({ refused }))
      await start()
      await streams?.stop()
      const many: number[] = []
      for (let count = 0; count < 70; count += 1) many.push(await world.addOrganization())
      for (const org of many) await world.emit(org)
      const [stream] = streamsOf({ ...noStreams, eventsHttpUrl: receiver.url })
      const target = stream?.create({ ...noStreams, eventsHttpUrl: receiver.url }, { hostname: 'here' })
      if (!target) throw new Error('no stream')
      const log = { info: () => undefined, warn: () => undefined }
      const { db } = world
      streams = {
        reopen: undefined,
        stop: startStream({ db, clock: systemClock, log, target, holder: 'one', pollMs: 600_000 }).stop,
      }
      await until('end of all', isAllDelivered)
      expect(receiver.ids).toHaveLength(70)
    })

    test('its lag and rejected events are metrics', async () => {
      receiver = await startSinkReceiver(() => ({ status: 503 }))
      const observe = streamMetrics(registry, world.db, systemClock)
      await start()
      await emit(2)
      await until('a failure', () => receiver.requests.length > 0)
      observe('HTTP', 'rejected', 2)
      const text = await registry.metrics()
      expect(text).toContain('muster_stream_pending{stream="http"} 4')
      expect(text).toMatch(/muster_stream_oldest_pending_age_seconds\{stream="http"\} \d+/)
      expect(text).toContain('muster_stream_rejected_events_total{stream="http"} 2')
    })
  })
}
