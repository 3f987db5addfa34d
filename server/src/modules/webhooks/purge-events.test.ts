import { exampleEventOf } from '@muster/contract/events/event-objects'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STORES } from '../../../../test/support/stores.ts'
import { type WebhookWorld, webhookWorld } from '../../../../test/support/webhook-world.ts'
import { emitEvent } from '../../kernel/events/outbox.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { deleteEventsNaming } from './purge-events.service.ts'

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    beforeEach(async () => {
      world = await webhookWorld(store)
    })
    afterEach(() => world.close())

    test('deletes all events that name an address, with their deliveries', async () => {
      const { db, clock } = world
      const [org, other] = [await world.addOrganization(), await world.addOrganization()]
      for (const one of [org, other]) {
        await world.addEndpoint(one, { url: 'https://a.example', objects: ['LOGIN'] })
        await db.inTransaction(async (tx) => {
          const { id: _id, ...event } = exampleEventOf('LOGIN')
          const timestamp = unixSeconds(clock)
          for (let at = 0; at < 4500; at++) {
            const email = `${at % 2 ? 'P' : 'p'}${at % 500}.@example.com`
            await emitEvent(tx, one, 'LOGIN', { ...event, timestamp, new: { ...event.new, email } })
          }
        })
      }
      const spellings = ['p7.@example.com', 'p8.@example.com', 'nobody@example.com']
      const names = { ids: [], spellings }
      expect(await db.inTransaction((tx) => deleteEventsNaming(tx, org, names))).toBe(18)
      const left = await db.all<{ org: number; events: number; deliveries: number }>(
        `SELECT e.org, count(*) AS events, count(d.event_id) AS deliveries FROM events e
         LEFT JOIN webhook_deliveries d ON d.org = e.org AND d.event_id = e.id GROUP BY e.org ORDER BY e.org`,
      )
      const rest = await db.get<{ count: number }>('SELECT count(*) AS count FROM webhook_deliveries')
      expect(left).toEqual([
        { org, events: 4482, deliveries: 4482 },
        { org: other, events: 4500, deliveries: 4500 },
      ])
      expect(rest?.count).toBe(8982)
    })

    test('keeps events that name an address which only contains the given one', async () => {
      const { db, clock } = world
      const org = await world.addOrganization()
      await world.addEndpoint(org, { url: 'https://a.example', objects: ['LOGIN'] })
      const emails = ['joann@acme.com', 'jo.Ann@acme.com', 'ann@acme.com.au', 'Ann@acme.com']
      await db.inTransaction(async (tx) => {
        const { id: _id, ...event } = exampleEventOf('LOGIN')
        for (const email of emails)
          await emitEvent(tx, org, 'LOGIN', {
            ...event,
            timestamp: unixSeconds(clock),
            new: { ...event.new, email },
          })
      })
      const names = { ids: [], spellings: ['ann@acme.com'] }
      expect(await db.inTransaction((tx) => deleteEventsNaming(tx, org, names))).toBe(1)
      const left = await db.all<{ body: string }>(
        `SELECT e.body FROM events e JOIN webhook_deliveries d ON d.org = e.org AND d.event_id = e.id ORDER BY e.id`,
      )
      expect(left.map(({ body }) => JSON.parse(body).new.email)).toEqual(emails.slice(0, 3))
    })
  })
}
