import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { STORES } from '../../../../../test/support/stores.ts'
import { type WebhookWorld, webhookWorld } from '../../../../../test/support/webhook-world.ts'
import { streamMetrics } from '../../streams/stream-metrics.ts'
import { webhookMetrics } from './webhook-metrics.ts'

const worlds: WebhookWorld[] = []
afterAll(async () => {
  for (const world of worlds) await world.close()
})

test.each(STORES)('reports pending events, their age and the outcomes of attempts: %s', async (store) => {
  const world = await webhookWorld(store)
  worlds.push(world)
  const registry = new Registry()
  const note = webhookMetrics(registry, world.db, world.clock)
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^muster/.test(line))
  expect(await lines()).toEqual([
    'muster_webhook_attempts_total{outcome="delivered"} 0',
    'muster_webhook_attempts_total{outcome="failed"} 0',
    'muster_alert_attempts_total{outcome="delivered"} 0',
    'muster_alert_attempts_total{outcome="failed"} 0',
    'muster_webhook_pending 0',
    'muster_webhook_oldest_pending_age_seconds 0',
  ])
  const org = await world.addOrganization()
  const { webhook } = await world.addEndpoint(org, { url: 'https://siem.test/', objects: ['LOGIN'] })
  await world.emit(org, 3)
  world.clock.advanceMs(90_000)
  await world.emit(org, 2)
  note({ kind: 'WEBHOOK', error: null })
  note({ kind: 'WEBHOOK', error: 'HTTP status 500' })
  note({ kind: 'ALERT', error: 'HTTP status 403' })
  expect(await lines()).toEqual([
    'muster_webhook_attempts_total{outcome="delivered"} 1',
    'muster_webhook_attempts_total{outcome="failed"} 1',
    'muster_alert_attempts_total{outcome="delivered"} 0',
    'muster_alert_attempts_total{outcome="failed"} 1',
    'muster_webhook_pending 5',
    'muster_webhook_oldest_pending_age_seconds 90',
    `muster_webhook_endpoint_pending{endpoint="${webhook.id}"} 5`,
    `muster_webhook_endpoint_oldest_pending_age_seconds{endpoint="${webhook.id}"} 90`,
  ])
})

test.each(STORES)('reports attempts while the store is unavailable: %s', async (store) => {
  const world = await webhookWorld(store)
  const registry = new Registry()
  const note = webhookMetrics(registry, world.db, world.clock)
  streamMetrics(registry, world.db, world.clock)('FILE', 'delivered', 3)
  note({ kind: 'WEBHOOK', error: null })
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^muster/.test(line))
  const own = [
    'muster_webhook_attempts_total{outcome="delivered"} 1',
    'muster_webhook_attempts_total{outcome="failed"} 0',
    'muster_alert_attempts_total{outcome="delivered"} 0',
    'muster_alert_attempts_total{outcome="failed"} 0',
    'muster_stream_events_total{stream="file"} 3',
  ]
  expect(await lines()).toEqual(expect.arrayContaining([...own, 'muster_webhook_pending 0']))
  await world.close()
  expect(await lines()).toEqual(own)
})
