import { afterAll, describe, expect, test } from 'vitest'
import { STORES, type StoreName } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { acknowledge, hang, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { type WebhookWorld, webhookWorld } from '../support/webhook-world.ts'

/** Number of events. PostgreSQL gets fewer, because only its row access differs. */
const eventsOn: Readonly<Record<StoreName, number>> = { sqlite: 10_000, postgres: 3_000 }
const atOnce = 500
const patienceMs = 300_000

for (const store of STORES) {
  describe(store, () => {
    const events = eventsOn[store]
    const worlds: WebhookWorld[] = []
    const receivers: WebhookReceiver[] = []
    afterAll(async () => {
      for (const receiver of receivers) await receiver.close()
      for (const world of worlds) await world.close()
    })

    test(
      `with three hanging of ten endpoints, the seven others get all of ${events} events once, and the three keep theirs`,
      async () => {
        const world = await webhookWorld(store)
        worlds.push(world)
        const org = await world.addOrganization()
        const endpoints = []
        for (let at = 0; at < 10; at++) {
          const receiver = await startReceiver(at < 3 ? hang : acknowledge)
          receivers.push(receiver)
          const { webhook } = await world.addEndpoint(org, { url: receiver.url, objects: ['LOGIN'] })
          endpoints.push({ receiver, id: webhook.id })
        }
        const deliverer = world.deliver()
        for (let at = 0; at < events; at += atOnce) await world.emit(org, atOnce)
        const good = endpoints.slice(3)
        await until(
          'end of all deliveries to those that answer',
          () => good.every(({ receiver }) => receiver.requests.length >= events),
          patienceMs,
        )
        for (const { id } of good)
          await until('all noted', async () => (await world.states(id)).DELIVERED === events, patienceMs)
        for (const { receiver } of good) {
          expect(receiver.requests).toHaveLength(events)
          expect(new Set(receiver.requests.map((request) => request.id)).size).toBe(events)
        }
        for (const { id } of endpoints.slice(0, 3)) {
          const { PENDING, DELIVERED = 0 } = await world.states(id)
          expect([PENDING, DELIVERED]).toEqual([events, 0])
        }
        for (const { receiver } of endpoints) await receiver.close()
        receivers.length = 0
        await deliverer.stop()
      },
      2 * patienceMs,
    )
  })
}
