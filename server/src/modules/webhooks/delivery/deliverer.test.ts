import { verifyWebhook } from '@muster/sdk/webhook-verify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { STORES } from '../../../../../test/support/stores.ts'
import { until } from '../../../../../test/support/until.ts'
import {
  acknowledge,
  hang,
  type ReceiverAnswer,
  refuse,
  reset,
  startReceiver,
  type WebhookReceiver,
} from '../../../../../test/support/webhook-receiver.ts'
import { actor, type WebhookWorld, webhookWorld } from '../../../../../test/support/webhook-world.ts'
import type { QueueWorker } from '../../../kernel/jobs/job-queue.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'
import { deriveKeys } from '../../../kernel/lib/secrets/secret.ts'
import { type Db, StoreUnavailableError } from '../../../kernel/store/sql.ts'
import { changeWebhook, removeWebhook, resendEvents, rotateWebhook, testWebhook } from '../manage-webhooks.ts'
import { listAttempts } from '../webhook-attempts.store.ts'
import { leaseDeliveries } from '../webhook-deliveries.store.ts'
import { findWebhook, listWebhookRows } from '../webhooks.service.ts'
import { webhookSender } from './webhook-sender.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

for (const store of STORES) {
  describe(store, () => {
    let world: WebhookWorld
    let org = 0
    const receivers: WebhookReceiver[] = []
    const running: QueueWorker[] = []

    beforeAll(async () => {
      world = await webhookWorld(store)
      org = await world.addOrganization()
    })
    afterAll(() => world.close())
    afterEach(async () => {
      // Receivers first: hanging requests would delay the deliverers.
      for (const receiver of receivers.splice(0)) await receiver.close()
      for (const deliverer of running.splice(0)) await deliverer.stop()
      for (const { id } of await listWebhookRows(world.db, org))
        await removeWebhook(world.parts, org, id, actor)
      org = await world.addOrganization()
    })

    const deliver = (...args: Parameters<WebhookWorld['deliver']>): QueueWorker => {
      const deliverer = world.deliver(...args)
      running.push(deliverer)
      return deliverer
    }
    /** Adds an endpoint that is subscribed to logins, with a receiver. */
    const endpoint = async (answer: ReceiverAnswer = acknowledge, more: object = {}) => {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      const { webhook, secret } = await world.addEndpoint(org, {
        url: receiver.url,
        objects: ['LOGIN'],
        ...more,
      })
      const key = { org, webhookId: webhook.id }
      return { receiver, secret, key, id: webhook.id }
    }
    const delivered = (id: string, count: number) =>
      until(`${count} delivered`, async () => (await world.states(id)).DELIVERED === count)
    const ids = ({ requests }: WebhookReceiver) => requests.map(({ id }) => id)

    test('sends every event once to every subscribed endpoint of its organization, byte for byte', async () => {
      const one = await endpoint()
      const other = await endpoint(acknowledge, { objects: [], categories: ['CONTROL'] })
      const stranger = await world.addOrganization()
      deliver()
      await world.emit(org, 40)
      await world.emit(org, 2, 'BLOCKED_URL_VISITED')
      await world.emit(stranger, 1)
      await Promise.all([delivered(one.id, 40), delivered(other.id, 2)])
      const rows = await world.db.all<{ id: string; body: string }>(
        `SELECT id, body FROM events WHERE org = ? AND object = 'LOGIN'`,
        [org],
      )
      const sent = one.receiver.requests.map(({ id, body }) => ({ id, body }))
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
      expect(sent.sort(byId)).toEqual(rows.sort(byId))
      expect(other.receiver.requests).toHaveLength(2)
      const [request] = one.receiver.requests
      const nowSeconds = unixSeconds(world.clock)
      const verdict = await verifyWebhook({
        body: request?.body ?? '',
        header: request?.headers['x-signature'],
        secrets: [one.secret],
        nowSeconds,
      })
      expect(verdict).toMatchObject({ valid: true })
      expect(await listAttempts(world.db, one.key, rows[0]?.id ?? '')).toEqual([
        {
          attempt: 1,
          atMs: world.clock.nowMs(),
          status: 200,
          answer: 'ok',
          error: null,
          latencyMs: expect.any(Number),
        },
      ])
    })

    test('sends an event exactly four times when the receiver resets the kept-alive connection', async () => {
      const isLogin = ({ body }: { body: string }) => JSON.parse(body).object === 'LOGIN'
      const { receiver, id, key } = await endpoint(
        (...args) => (isLogin(args[1]) ? reset(...args) : acknowledge(...args)),
        { objects: ['LOGIN', 'BLOCKED_URL_VISITED'] },
      )
      deliver()
      for (const [at, minutes] of [0, 1, 5, 15].entries()) {
        // Leaves an idle connection.
        await world.emit(org, 1, 'BLOCKED_URL_VISITED')
        await delivered(id, at + 1)
        if (at === 0) await world.emit(org)
        world.clock.advanceMs(minutes * minuteMs)
        await until(`attempt ${at + 1}`, async () => {
          const event = receiver.requests.find(isLogin)?.id ?? ''
          return (await listAttempts(world.db, key, event)).length === at + 1
        })
      }
      expect(await world.states(id)).toEqual({ DELIVERED: 4, FAILED: 1 })
      expect(receiver.requests.filter(isLogin)).toHaveLength(4)
    })

    test('retries a failed event after 1, 5 and 15 minutes, then gives up', async () => {
      const { receiver, id, key } = await endpoint(refuse)
      const barrier = await endpoint()
      deliver()
      await world.emit(org)
      const requested = (count: number) => until(`attempt ${count}`, () => receiver.requests.length === count)
      const logged = (count: number) =>
        until(`attempt ${count} in the log`, async () => {
          const [attempt] = await world.db.all<{ attempts: number }>(
            'SELECT attempts FROM webhook_deliveries WHERE webhook_id = ? AND attempts = ? AND lease IS NULL',
            [id, count],
          )
          return attempt
        })
      await requested(1)
      await logged(1)
      for (const [at, minutes] of [1, 5, 15].entries()) {
        world.clock.advanceMs(minutes * minuteMs - 1)
        // A delivery to another endpoint proves that due events were queried.
        await world.db.inTransaction((tx) =>
          tx.run('DELETE FROM webhook_deliveries WHERE webhook_id = ?', [barrier.id]),
        )
        const [event = ''] = ids(receiver)
        await resendEvents(world.parts, org, barrier.id, { eventIds: [event] })
        await delivered(barrier.id, 1)
        expect(receiver.requests).toHaveLength(at + 1)
        world.clock.advanceMs(1)
        await requested(at + 2)
        await logged(at + 2)
      }
      expect(await world.states(id)).toEqual({ FAILED: 1 })
      expect(new Set(ids(receiver)).size).toBe(1)
      expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1)
      expect(new Set(receiver.requests.map(({ headers }) => headers['x-signature'])).size).toBe(4)
      const attempts = await listAttempts(world.db, key, ids(receiver)[0] ?? '')
      expect(attempts.map(({ attempt, status, error }) => [attempt, status, error])).toEqual(
        [1, 2, 3, 4].map((attempt) => [attempt, 500, 'HTTP status 500']),
      )
    })

    test('a hanging endpoint does not delay others', async () => {
      const dead = await endpoint(hang)
      const good = await endpoint()
      deliver()
      await world.emit(org, 300)
      await delivered(good.id, 300)
      expect(new Set(ids(good.receiver)).size).toBe(300)
      expect(await world.states(dead.id)).toEqual({ PENDING: 300 })
      expect(dead.receiver.requests.length).toBeLessThanOrEqual(16)
    })

    test('three processes on the same store send every event once', async () => {
      const { receiver, id } = await endpoint()
      await world.emit(org, 400)
      const others = [await world.another(), await world.another()]
      for (const db of [world.db, ...others]) deliver({ db })
      await delivered(id, 400)
      expect(new Set(ids(receiver)).size).toBe(400)
      expect(receiver.requests).toHaveLength(400)
      for (const deliverer of running.splice(0)) await deliverer.stop()
    })

    test('a process whose clock is ahead or behind does not take leased deliveries', async () => {
      const held: (() => void)[] = []
      const { receiver, id } = await endpoint((response) => held.push(() => response.writeHead(200).end()))
      await world.emit(org, 4)
      deliver()
      await until('requests on their way', () => held.length === 4)
      for (const differenceMs of [60_000, -60_000]) {
        const db = await world.another()
        let queries = 0
        const all: Db['all'] = (sql, params) => {
          if (sql.includes('FROM webhooks w WHERE')) queries += 1
          return db.all(sql, params)
        }
        deliver({
          db: { ...db, all },
          clock: { ...world.clock, nowMs: () => world.clock.nowMs() + differenceMs },
        })
        // The exchange after the first query is finished by the third one.
        await until('queries', () => queries >= 3)
      }
      receiver.answer = acknowledge
      for (const answer of held) answer()
      await delivered(id, 4)
      expect(receiver.requests).toHaveLength(4)
      for (const deliverer of running.splice(0)) await deliverer.stop()
    })

    test('delivers events leased by a crashed process when the lease expires', async () => {
      const { receiver, id, key } = await endpoint()
      await world.emit(org, 3)
      const lease = { lease: 'crashed', nowMs: world.clock.nowMs(), leaseMs: 3_600_000, limit: 2 }
      expect(await world.db.inTransaction((tx) => leaseDeliveries(tx, key, lease))).toHaveLength(2)
      deliver()
      await delivered(id, 1)
      const expire = "UPDATE webhook_deliveries SET due_ms = due_ms - 3600000 WHERE lease = 'crashed'"
      await world.db.inTransaction((tx) => tx.run(expire))
      await delivered(id, 3)
      expect(new Set(ids(receiver)).size).toBe(3)
      expect(receiver.requests).toHaveLength(3)
    })

    test('records outcomes when an unavailable store is back, without sending events again', async () => {
      let away = false
      const { receiver, id } = await endpoint((response) => {
        away = true
        response.writeHead(200).end()
      })
      const failures: string[] = []
      const db: Db = {
        ...world.db,
        inTransaction: (work) => {
          if (!away) return world.db.inTransaction(work)
          failures.push('away')
          return Promise.reject(new StoreUnavailableError('it is away'))
        },
      }
      const warnings: string[] = []
      await world.emit(org, 4)
      deliver({ db, log: { warn: (_facts, message) => void warnings.push(message) } })
      await until('failures', () => failures.length >= 2)
      receiver.answer = acknowledge
      away = false
      await delivered(id, 4)
      expect(receiver.requests).toHaveLength(4)
      expect(warnings).toHaveLength(1)
    })

    test('does not record outcomes twice when reading event bodies fails', async () => {
      const { receiver, id } = await endpoint()
      await world.emit(org, 40)
      let failures = 0
      const db: Db = {
        ...world.db,
        all: (sql, params) => {
          // Fails the first read of bodies after an acknowledgment: that exchange has recorded outcomes.
          const fails = receiver.requests.length > 0 && failures === 0 && sql.includes('body FROM events')
          if (!fails) return world.db.all(sql, params)
          failures += 1
          return Promise.reject(new StoreUnavailableError('it is away'))
        },
      }
      const reported: string[] = []
      const warnings: string[] = []
      const log = { warn: (_facts: object, message: string) => void warnings.push(message) }
      deliver({ db, log, onAttempt: ({ eventId }) => void reported.push(eventId) })
      await delivered(id, 40)
      // Rows are visible before the transaction returns to the deliverer.
      await until('all attempts to be reported', () => reported.length === 40)
      expect(failures).toBe(1)
      expect(warnings).toHaveLength(1)
      expect(receiver.requests).toHaveLength(40)
      expect(reported.sort()).toEqual(ids(receiver).sort())
      const hours = 'SELECT delivered, failed FROM webhook_hours WHERE webhook_id = ?'
      expect(await world.db.all(hours, [id])).toEqual([{ delivered: 40, failed: 0 }])
    })

    test('does not send leased deliveries of an endpoint that is disabled or removed', async () => {
      const off = await endpoint()
      const gone = await endpoint()
      const held = new Map([off, gone].map(({ id }) => [id, [] as (() => void)[]]))
      const answerOne = ({ id }: typeof off) => held.get(id)?.shift()?.()
      for (const { id, receiver } of [off, gone])
        receiver.answer = (response) => held.get(id)?.push(() => response.writeHead(200).end())
      const leased = async ({ id }: typeof off) => {
        const sql =
          'SELECT count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? AND lease IS NOT NULL'
        return Number((await world.db.get<{ count: number }>(sql, [id]))?.count)
      }
      const requests = ({ receiver }: typeof off, count: number) =>
        until(`${count} requests`, () => receiver.requests.length === count)
      const deliverer = deliver()
      await world.emit(org, 50)
      for (const one of [off, gone]) {
        await requests(one, 4)
        await until('more leased than in flight', async () => (await leased(one)) === 8)
      }
      await changeWebhook(world.parts, org, off.id, { enabled: false }, actor)
      await removeWebhook(world.parts, org, gone.id, actor)
      // A success raises the concurrency to five.
      answerOne(gone)
      await requests(gone, 6)
      await until('the rest to be released', async () => (await leased(off)) === 4)
      for (const one of [gone, off]) while (held.get(one.id)?.length) answerOne(one)
      await until('requests in flight to end', async () => (await leased(off)) === 0)
      await deliverer.stop()
      expect(await world.states(off.id)).toEqual({ DELIVERED: 4, PENDING: 46 })
      expect([off, gone].map(({ receiver }) => receiver.requests.length)).toEqual([4, 6])
    })

    /** Adds an endpoint with a backlog that answers three requests and holds the others until `letGo`. */
    const heldEndpoint = async () => {
      const held: (() => void)[] = []
      const one = await endpoint((response) => held.push(() => response.writeHead(200).end()))
      deliver()
      await world.emit(org, 60)
      for (let count = 1; count <= 3; count++) {
        await until(`request ${count} to wait`, () => held.length > 0)
        held.shift()?.()
        await until('the next', () => one.receiver.requests.length >= 4 + count)
      }
      const letGo = () => {
        one.receiver.answer = acknowledge
        for (const answer of held.splice(0)) answer()
      }
      return { ...one, letGo }
    }
    /** Counts the leased deliveries of an endpoint. */
    const leasedCount = async (id: string) => {
      const sql =
        'SELECT count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? AND lease IS NOT NULL'
      return Number((await world.db.get<{ count: number }>(sql, [id]))?.count)
    }

    test('sends queued events to the new URL after a change', async () => {
      const { receiver, id, letGo } = await heldEndpoint()
      const next = await startReceiver()
      receivers.push(next)
      await changeWebhook(world.parts, org, id, { url: next.url }, actor)
      const most = 3 + (await leasedCount(id))
      letGo()
      await delivered(id, 60)
      expect(receiver.requests.length).toBeLessThanOrEqual(most)
      expect(next.requests.length).toBe(60 - receiver.requests.length)
      expect(new Set([...ids(receiver), ...ids(next)]).size).toBe(60)
    })

    test('signs queued events with both secrets after a rotation', async () => {
      const { receiver, id, letGo } = await heldEndpoint()
      await rotateWebhook(world.parts, org, id, actor)
      const most = 3 + (await leasedCount(id))
      letGo()
      await delivered(id, 60)
      const signatures = receiver.requests.map(({ headers }) => String(headers['x-signature']))
      const withBoth = signatures.filter((signature) => signature.match(/v1=/g)?.length === 2)
      expect(withBoth.length).toBeGreaterThanOrEqual(60 - most)
    })

    test('on stop, waits for requests in flight and releases the rest', async () => {
      const answers: (() => void)[] = []
      const { receiver, id } = await endpoint((response) => answers.push(() => response.writeHead(200).end()))
      const deliverer = deliver()
      await world.emit(org, 50)
      await until('requests on their way', () => receiver.requests.length > 0)
      const stopped = deliverer.stop()
      receiver.answer = acknowledge
      for (const answer of answers) answer()
      await stopped
      const sent = receiver.requests.length
      expect(await world.states(id)).toEqual({ DELIVERED: sent, PENDING: 50 - sent })
      deliver()
      await delivered(id, 50)
      expect(receiver.requests).toHaveLength(50)
    })

    /** Waits until the outcome of an attempt is recorded for a number of events. */
    const tried = (id: string, count: number, attempt: number) =>
      until(`attempt ${attempt} of ${count} events`, async () => {
        const sql =
          'SELECT count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? AND attempts = ? AND lease IS NULL'
        return Number((await world.db.get<{ count: number }>(sql, [id, attempt]))?.count) === count
      })
    const isOn = async (id: string) => (await findWebhook(world.db, org, id))?.enabled

    test('disables an endpoint with 95 % failures once an event failed for good, and keeps its events', async () => {
      const { id } = await endpoint(refuse)
      const disabled: string[] = []
      deliver({ onDisabled: async (_tx, webhook) => void disabled.push(webhook.id) })
      const failAll = async (count: number, pauses: readonly number[]) => {
        for (const [at, minutes] of pauses.entries()) {
          world.clock.advanceMs(minutes * minuteMs)
          await tried(id, count, at + 1)
        }
      }
      await world.emit(org, 12)
      await failAll(12, [0, 1, 5, 15])
      expect(await world.states(id)).toEqual({ FAILED: 12 })
      expect(await isOn(id)).toBe(true)
      await world.emit(org, 60)
      await failAll(60, [0, 1, 5])
      expect(await isOn(id)).toBe(true)
      world.clock.advanceMs(15 * minuteMs)
      await until('switch-off', async () => !(await isOn(id)))
      expect(disabled).toEqual([id])
      expect(await findWebhook(world.db, org, id)).toMatchObject({ disabledReason: 'FAILURES' })
      await world.emit(org, 5)
      const { PENDING = 0, FAILED = 0 } = await world.states(id)
      expect(PENDING).toBeGreaterThan(0)
      expect(PENDING + FAILED).toBe(72)
    })

    test('enabling a disabled endpoint forgives its earlier failures', async () => {
      const { receiver, id } = await endpoint(refuse)
      deliver()
      await world.emit(org, 60)
      for (const [at, minutes] of [0, 1, 5].entries()) {
        world.clock.advanceMs(minutes * minuteMs)
        await tried(id, 60, at + 1)
      }
      world.clock.advanceMs(15 * minuteMs)
      await until('switch-off', async () => !(await isOn(id)))
      // Leased deliveries are still attempted or released: wait until the states are final.
      await until('all leases to end', async () => (await leasedCount(id)) === 0)
      const { PENDING = 0 } = await world.states(id)
      await changeWebhook(world.parts, org, id, { enabled: true }, actor)
      await world.emit(org, 60 - PENDING)
      await until('the last attempts of pending events', async () => (await world.states(id)).FAILED === 60)
      // Attempts must be recorded before the clock advances, or their retries would be due later than a minute from now.
      await tried(id, 60 - PENDING, 1)
      expect(await isOn(id)).toBe(true)
      receiver.answer = acknowledge
      world.clock.advanceMs(minuteMs)
      await delivered(id, 60 - PENDING)
      expect(await findWebhook(world.db, org, id)).toMatchObject({ enabled: true, disabledReason: null })
    })

    test('signs events with both secrets for 24 hours after a rotation', async () => {
      const { receiver, id, secret } = await endpoint()
      const rotated = await rotateWebhook(world.parts, org, id, actor)
      deliver()
      const signatures = async (count: number) => {
        await world.emit(org)
        await delivered(id, count)
        return String(receiver.requests[count - 1]?.headers['x-signature'])
      }
      const during = await signatures(1)
      expect(during.match(/v1=/g)).toHaveLength(2)
      const check = (header: string, secrets: string[]) =>
        verifyWebhook({
          header,
          secrets,
          body: receiver.requests.at(-1)?.body ?? '',
          nowSeconds: unixSeconds(world.clock),
        })
      expect(await check(during, [secret])).toMatchObject({ valid: true })
      expect(await check(during, [rotated.secret])).toMatchObject({ valid: true })
      world.clock.advanceMs(dayMs)
      const after = await signatures(2)
      expect(after.match(/v1=/g)).toHaveLength(1)
      expect(await check(after, [rotated.secret])).toMatchObject({ valid: true })
    })

    test('reports a secret that cannot be decrypted, and a rotation discards it', async () => {
      const { receiver, id } = await endpoint()
      const parts = { ...world.parts, key: deriveKeys(Buffer.alloc(32, 8)).webhookSecrets }
      const sender = webhookSender({ allowPrivate: true })
      const error = 'The secret was encrypted with another master key. Rotate it.'
      expect(await testWebhook(parts, sender, org, id)).toMatchObject({ status: null, error })
      const { webhook } = await rotateWebhook(parts, org, id, actor)
      expect(webhook).toMatchObject({ previousSecretSealed: null, previousSecretUntil: null })
      expect(await testWebhook(parts, sender, org, id)).toMatchObject({ status: 200, error: null })
      expect(String(receiver.requests[0]?.headers['x-signature']).match(/v1=/g)).toHaveLength(1)
      sender.close()
    })

    test('resends events by ID, by time range or only failed ones, with four new attempts', async () => {
      const { receiver, id, key } = await endpoint()
      deliver()
      await world.emit(org, 3)
      await delivered(id, 3)
      const [first = ''] = ids(receiver)
      expect(await resendEvents(world.parts, org, id, { eventIds: [first] })).toBe(1)
      await until('the event again', () => ids(receiver).filter((one) => one === first).length === 2)
      await until('both attempts', async () => (await listAttempts(world.db, key, first)).length === 2)
      expect((await listAttempts(world.db, key, first)).map(({ attempt }) => attempt)).toEqual([1, 5])
      const sinceMs = world.clock.nowMs() - 1000
      const untilMs = world.clock.nowMs() + 1000
      expect(await resendEvents(world.parts, org, id, { sinceMs, untilMs, onlyFailed: true })).toBe(0)
      expect(await resendEvents(world.parts, org, id, { sinceMs, untilMs, onlyFailed: false })).toBe(3)
      await until('all again', () => receiver.requests.length === 7)
      const later = await endpoint(acknowledge, { objects: [], categories: ['ACTIVITY', 'CONTROL'] })
      expect(await resendEvents(world.parts, org, later.id, { sinceMs, untilMs, onlyFailed: false })).toBe(3)
      await delivered(later.id, 3)
      expect(
        await resendEvents(world.parts, org, later.id, { sinceMs: 0, untilMs: sinceMs, onlyFailed: false }),
      ).toBe(0)
    })

    test('sends nothing to a removed endpoint and deletes all its rows', async () => {
      const { receiver, id } = await endpoint(refuse)
      const deliverer = deliver()
      await world.emit(org, 5)
      await until('attempts', () => receiver.requests.length === 5)
      await removeWebhook(world.parts, org, id, actor)
      world.clock.advanceMs(minuteMs)
      deliverer.wake()
      await deliverer.stop()
      expect(receiver.requests).toHaveLength(5)
      for (const table of [
        'webhooks',
        'webhook_wishes',
        'webhook_deliveries',
        'webhook_attempts',
        'webhook_hours',
      ]) {
        const column = table === 'webhooks' ? 'id' : 'webhook_id'
        expect(await world.db.all(`SELECT 1 AS one FROM ${table} WHERE ${column} = ?`, [id])).toEqual([])
      }
    })
  })
}
