import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STORES } from '../../../../test/support/stores.ts'
import { actor, type WebhookWorld, webhookWorld } from '../../../../test/support/webhook-world.ts'
import { type Db, StoreUnavailableError } from '../../kernel/store/sql.ts'
import { removeWebhook, rotateWebhook } from './manage-webhooks.ts'
import { insertAttempts } from './webhook-attempts.store.ts'
import { cleanUpWebhooks } from './webhook-retention.service.ts'
import { findWebhook, listWebhookRows } from './webhooks.service.ts'

const dayMs = 86_400_000

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    beforeAll(async () => {
      world = await webhookWorld(store)
    })
    afterAll(() => world.close())

    const countsOf = async (webhookId: string) => {
      const counts: number[] = []
      for (const table of ['webhook_deliveries', 'webhook_attempts', 'webhook_hours']) {
        const sql = `SELECT count(*) AS count FROM ${table} WHERE webhook_id = ?`
        counts.push((await world.db.get<{ count: number }>(sql, [webhookId]))?.count ?? -1)
      }
      return counts
    }

    test('deletes log entries after 30 days, expired secrets, and rows of removed endpoints', async () => {
      const org = await world.addOrganization()
      const { webhook } = await world.addEndpoint(org, { url: 'https://siem.test/', objects: ['LOGIN'] })
      await rotateWebhook(world.parts, org, webhook.id, actor)
      const write = async () => {
        await world.emit(org, 3)
        const [last] = await world.db.all<{ id: string }>(
          'SELECT id FROM events WHERE org = ? ORDER BY id DESC',
          [org],
        )
        const made = { org, webhookId: webhook.id, eventId: last?.id ?? '', attempt: 1, latencyMs: 1 }
        const outcome = { atMs: world.clock.nowMs(), status: 200, answer: '', error: null }
        await world.db.inTransaction((tx) => insertAttempts(tx, [{ ...made, ...outcome }]))
      }
      await write()
      world.clock.advanceMs(29 * dayMs)
      await write()
      await cleanUpWebhooks(world.db, world.clock.nowMs())
      expect(await countsOf(webhook.id)).toEqual([6, 2, 2])
      expect(await findWebhook(world.db, org, webhook.id)).toMatchObject({ previousSecretSealed: null })
      world.clock.advanceMs(2 * dayMs)
      await cleanUpWebhooks(world.db, world.clock.nowMs())
      expect(await countsOf(webhook.id)).toEqual([3, 1, 1])
      await world.db.inTransaction((tx) => tx.run('DELETE FROM webhooks WHERE id = ?', [webhook.id]))
      await cleanUpWebhooks(world.db, world.clock.nowMs())
      expect((await countsOf(webhook.id)).slice(0, 2)).toEqual([0, 0])
    })

    test('keeps pending events of an endpoint that is added during the cleanup', async () => {
      const add = async () => {
        const org = await world.addOrganization()
        const { webhook } = await world.addEndpoint(org, { url: 'https://siem.test/', objects: ['LOGIN'] })
        await world.emit(org, 3)
        return webhook.id
      }
      const before = await add()
      let added = ''
      const andAdd = async <T>(answer: Promise<T>): Promise<T> => {
        const read = await answer
        if (added === '') added = await add()
        return read
      }
      const db: Db = {
        ...world.db,
        all: (sql, params) => andAdd(world.db.all(sql, params)),
        get: (sql, params) => andAdd(world.db.get(sql, params)),
      }
      await cleanUpWebhooks(db, world.clock.nowMs())
      expect(await countsOf(before)).toEqual([3, 0, 0])
      expect(await countsOf(added)).toEqual([3, 0, 0])
    })

    test('removes an endpoint at once and its rows in batches, and cleans up after an interrupted removal', async () => {
      const org = await world.addOrganization()
      const add = async () =>
        (await world.addEndpoint(org, { url: 'https://siem.test/', objects: ['LOGIN'] })).webhook.id
      const [whole, cut] = [await add(), await add()]
      await world.emit(org, 4500)
      let left = 2
      const db: Db = {
        ...world.db,
        inTransaction: (work) =>
          left-- > 0 ? world.db.inTransaction(work) : Promise.reject(new StoreUnavailableError('it is away')),
      }
      await removeWebhook({ ...world.parts, db }, org, cut, actor)
      expect(await countsOf(cut)).toEqual([2500, 0, 0])
      expect((await listWebhookRows(world.db, org)).map(({ id }) => id)).toEqual([whole])
      await removeWebhook(world.parts, org, whole, actor)
      expect(await countsOf(whole)).toEqual([0, 0, 0])
      await cleanUpWebhooks(world.db, world.clock.nowMs())
      expect(await countsOf(cut)).toEqual([0, 0, 0])
    })

    test('makes deliveries due that were written while the clock was ahead', async () => {
      const org = await world.addOrganization()
      const { webhook } = await world.addEndpoint(org, { url: 'https://siem.test/', objects: ['LOGIN'] })
      const dues = async () => {
        const sql = 'SELECT due_ms AS "dueMs" FROM webhook_deliveries WHERE webhook_id = ? ORDER BY due_ms'
        return (await world.db.all<{ dueMs: number }>(sql, [webhook.id])).map(({ dueMs }) => dueMs)
      }
      const nowMs = world.clock.nowMs()
      world.clock.advanceMs(20 * 60_000)
      await world.emit(org, 1)
      world.clock.advanceMs(dayMs)
      await world.emit(org, 1)
      await cleanUpWebhooks(world.db, nowMs)
      expect(await dues()).toEqual([nowMs, nowMs + 20 * 60_000])
    })
  })
}
