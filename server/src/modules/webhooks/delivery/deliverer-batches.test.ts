import { verifyWebhook } from '@muster/sdk/webhook-verify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STORES } from '../../../../../test/support/stores.ts'
import { until } from '../../../../../test/support/until.ts'
import {
  acknowledge,
  type ReceiverAnswer,
  startReceiver,
  type WebhookReceiver,
} from '../../../../../test/support/webhook-receiver.ts'
import { type WebhookWorld, webhookWorld } from '../../../../../test/support/webhook-world.ts'
import type { QueueWorker } from '../../../kernel/jobs/job-queue.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'
import { listAttempts } from '../webhook-attempts.store.ts'
import { batchesOf, settleAndLease } from './settle-and-lease.ts'

const minuteMs = 60_000

test('a retry has a tenth of the events of the attempt before', () => {
  const deliveries = [0, 1, 2, 3, 4].flatMap((attempts) =>
    Array.from({ length: 500 }, (_, at) => ({ eventId: `${attempts}-${at}`, attempts })),
  )
  const sizes = batchesOf(deliveries, 500).map((batch) => batch.length)
  expect(sizes.slice(0, 2)).toEqual([500, 500])
  expect(sizes.filter((size) => size === 50)).toHaveLength(10)
  expect(sizes.filter((size) => size === 5)).toHaveLength(100)
  expect(sizes.filter((size) => size === 1)).toHaveLength(500)
  expect(batchesOf(deliveries.slice(0, 3), 1).map((batch) => batch.length)).toEqual([1, 1, 1])
})

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    let org: number
    let receiver: WebhookReceiver
    let deliverer: QueueWorker
    beforeAll(async () => {
      world = await webhookWorld(store)
      org = await world.addOrganization()
    })
    afterEach(async () => {
      await deliverer.stop()
      await receiver.close()
    })
    afterAll(() => world.close())

    const endpoint = async (answer: ReceiverAnswer, batchSize: number) => {
      receiver = await startReceiver(answer)
      const { webhook, secret } = await world.addEndpoint(org, {
        url: receiver.url,
        objects: ['LOGIN'],
        batchSize,
      })
      deliverer = world.deliver()
      return { id: webhook.id, secret }
    }
    const eventsOf = ({ body }: { body: string }) => JSON.parse(body) as { id: string }[]

    test('an endpoint with batches gets signed arrays of events, each event once', async () => {
      const { id, secret } = await endpoint(acknowledge, 100)
      await world.emit(org, 250)
      await until('delivery', async () => (await world.states(id)).DELIVERED === 250)
      const ids = receiver.requests.flatMap((request) => eventsOf(request).map((event) => event.id))
      expect([ids.length, new Set(ids).size]).toEqual([250, 250])
      expect(receiver.requests.length).toBeLessThan(10)
      const [request] = receiver.requests
      const verdict = await verifyWebhook({
        body: request?.body ?? '',
        header: request?.headers['x-signature'],
        secrets: [secret],
        nowSeconds: unixSeconds(world.clock),
      })
      expect(verdict).toMatchObject({ valid: true, events: eventsOf(request ?? { body: '[]' }) })
      const attempts = await listAttempts(world.db, { org, webhookId: id }, ids[5] ?? '')
      expect(attempts).toMatchObject([{ attempt: 1, status: 200, answer: 'ok', error: null }])
    })

    test('an event that is refused does not take the others along', async () => {
      let bad: string | undefined
      const { id } = await endpoint((response, request, socket) => {
        const events = eventsOf(request)
        bad ??= events[3]?.id
        if (events.some((event) => event.id === bad)) response.writeHead(500).end('no')
        else acknowledge(response, request, socket)
      }, 10)
      await world.emit(org, 10)
      await until('the first attempt', async () => receiver.requests.length > 0)
      await until('its outcome', async () => {
        const rows = await world.db.all('SELECT 1 AS one FROM webhook_attempts WHERE webhook_id = ?', [id])
        return rows.length === 10
      })
      world.clock.advanceMs(minuteMs)
      await until('delivery of the others', async () => (await world.states(id)).DELIVERED === 9)
      expect(await world.states(id)).toEqual({ DELIVERED: 9, PENDING: 1 })
    })

    test('at most 4,096 events are leased at once, also if the batch size was raised since', async () => {
      receiver = await startReceiver(acknowledge)
      const { webhook } = await world.addEndpoint(org, {
        url: receiver.url,
        objects: ['LOGIN'],
        batchSize: 500,
      })
      await world.emit(org, 5000)
      const lane = { org, webhookId: webhook.id, name: webhook.id }
      const work = { outcomes: [], released: [], waiting: [], requests: [{ lane, limit: 1024 }] }
      const options = { nowMs: world.clock.nowMs(), leaseMs: 10_000, onDisabled: async () => undefined }
      const { leased, more } = await settleAndLease(world.db, work, options)
      expect(leased.reduce((sum, { deliveries }) => sum + deliveries.length, 0)).toBe(4096)
      expect(more).toEqual([lane])
      deliverer = world.deliver()
    })

    test('a fast endpoint gets up to 256 requests at the same time', async () => {
      let atOnce = 0
      let most = 0
      const { id } = await endpoint((response) => {
        atOnce += 1
        most = Math.max(most, atOnce)
        setTimeout(() => {
          atOnce -= 1
          response.writeHead(200).end('ok')
        }, 100)
      }, 1)
      await world.emit(org, 3000)
      await until('delivery', async () => (await world.states(id)).DELIVERED === 3000)
      expect(most).toBeGreaterThan(64)
      expect(most).toBeLessThanOrEqual(256)
    })
  })
}
