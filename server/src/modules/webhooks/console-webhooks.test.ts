import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring, schemaMistakes } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { type JsonValue, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import {
  acknowledge,
  refuse,
  startReceiver,
  type WebhookReceiver,
} from '../../../../test/support/webhook-receiver.ts'
import type { QueueWorker } from '../../kernel/jobs/job-queue.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { startDeliverer } from './delivery/deliverer.ts'
import { webhookSender } from './delivery/webhook-sender.ts'
import { listDeliveryRows } from './webhook-log.service.ts'

const sending = { allowPrivate: true }

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store, { app: { console: { webhooks: sending } } })
    let ada: SignedIn
    let receiver: WebhookReceiver
    let deliverer: QueueWorker

    beforeAll(async () => {
      ada = await signedIn(h, await h.addOrganization('default'))
      receiver = await startReceiver()
      deliverer = startDeliverer({
        db: h.db,
        clock: h.clock,
        sender: webhookSender({ ...sending, answerWithinMs: 60_000 }),
        pollMs: 20,
        key: deriveKeys(Buffer.alloc(32, 7)).webhookSecrets,
        log: { warn: () => undefined },
      })
    })
    afterAll(async () => {
      await receiver.close()
      await deliverer.stop()
    })

    const add = async (more: object = {}, by = ada): Promise<JsonValue> => {
      const answer = await by.call('POST', 'webhooks', { url: receiver.url, objects: ['EMPLOYEE'], ...more })
      expect(answer.status).toBe(200)
      return answer.body
    }
    const path = (id: string, rest = '') => `webhooks/${id}${rest}`
    const logOf = async (id: string, filter: object = {}): Promise<JsonValue[]> =>
      (await ada.call('POST', path(id, '/deliveries'), filter)).body.deliveries
    const addEmployee = async () => {
      const caller = await h.addKey(ada.org)
      const email = `${Math.random().toString(36).slice(2)}@example.com`
      return (await h.call(caller, 'POST', '/v1/employees', { body: { email } })).body
    }

    test('lists an added endpoint without its secret and header values', async () => {
      const { webhook, secret } = await add({
        name: ' SIEM ',
        headers: [{ name: 'Authorization', value: 'Bearer x' }],
      })
      expect(secret).toMatch(/^mwhs_[0-9a-f]{32}$/)
      expect(webhook).toEqual({
        id: expect.any(String),
        name: 'SIEM',
        batchSize: 1,
        url: receiver.url,
        enabled: true,
        disabledReason: null,
        categories: [],
        objects: ['EMPLOYEE'],
        headerNames: ['Authorization'],
        previousSecretEndTimestamp: null,
        creationTimestamp: unixSeconds(h.clock),
        createdBy: ada.email,
        pending: 0,
        oldestPendingTimestamp: null,
        dayDelivered: 0,
        dayFailed: 0,
      })
      const { body, text } = await ada.call('GET', 'webhooks')
      expect(body).toMatchObject({ allowsPrivate: true, webhooks: [webhook] })
      expect(text).not.toContain(secret)
      const [row] = await h.db.all<Record<string, string>>('SELECT * FROM webhooks')
      expect(JSON.stringify(row)).not.toMatch(/mwhs_|Bearer/)
      await ada.call('DELETE', path(webhook.id))
      expect((await ada.call('GET', 'webhooks')).body.webhooks).toEqual([])
    })

    test('subscribes an endpoint without categories and objects to all events', async () => {
      const { webhook } = await add({ objects: [] })
      expect(webhook.categories).toEqual(['ENTITY', 'ACTIVITY', 'CONTROL', 'DETECTION', 'AUDIT'])
      await ada.call('DELETE', path(webhook.id))
    })

    test.each([
      [{ url: 'http://siem.example.com/' }, 'url'],
      [{ url: 'no address' }, 'url'],
      [{ headers: [{ name: 'X-Signature', value: 'x' }] }, 'headers'],
      [{ headers: [{ name: 'X', value: 'a\r\nb' }] }, 'headers[0].value'],
      [{ name: 'a\u0007b' }, 'name'],
      [{ objects: ['NOTHING'] }, 'objects[0]'],
      [{ secret: 'mine' }, 'secret'],
    ])('rejects %j and names the member', async (more, name) => {
      const answer = await ada.call('POST', 'webhooks', { url: receiver.url, ...more })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([expect.objectContaining({ in: 'body', name })])
    })

    test('a change applies to the next event, and disabling keeps pending events', async () => {
      const { webhook } = await add()
      const employee = await addEmployee()
      const sent = () => receiver.requests.filter(({ path }) => path === '/other')
      const change = (body: object) => ada.call('PATCH', path(webhook.id), body)
      await until('delivery', async () => (await logOf(webhook.id))[0]?.state === 'DELIVERED')
      expect(JSON.parse(receiver.requests.at(-1)?.body ?? '').new).toEqual(employee)
      const other = receiver.url.replace('/hook', '/other')
      expect((await change({ url: other, name: null })).body).toMatchObject({ url: other, name: null })
      await addEmployee()
      await until('request', () => sent().length === 1)
      expect((await change({ enabled: false })).body).toMatchObject({
        enabled: false,
        disabledReason: 'ADMINISTRATOR',
      })
      await addEmployee()
      expect((await change({ objects: [], categories: [] })).status).toBe(400)
      expect((await change({ enabled: true })).body).toMatchObject({ enabled: true, disabledReason: null })
      await addEmployee()
      await until('request', () => sent().length === 2)
      expect(await logOf(webhook.id)).toHaveLength(3)
      await ada.call('DELETE', path(webhook.id))
    })

    test('audits changes of an endpoint without its secrets and URL path', async () => {
      const host = 'https://hooks.example.com'
      const { webhook } = await add({ url: `${host}/T0/token?key=a`, name: 'chat' })
      const change = (body: object) => () => ada.call('PATCH', path(webhook.id), body)
      const auditedBy = async (change: () => Promise<unknown>) => {
        const [event] = await auditEventsDuring(h.db, ada.org, change)
        expect(event && schemaMistakes(event)).toEqual([])
        expect(JSON.stringify(event)).not.toMatch(/token|key=|Bearer/)
        return event?.new as { url: string; changes: unknown[] }
      }
      const value = (name: string, old: unknown, now: unknown) => ({ name, old, new: now })
      const here = `${host}/***`
      expect(await auditedBy(change({ name: 'news' }))).toMatchObject({
        url: here,
        changes: [value('name', 'chat', 'news')],
      })
      expect(await auditedBy(change({ batchSize: 500 }))).toMatchObject({
        changes: [value('batchSize', 1, 500)],
      })
      expect((await change({ batchSize: 501 })()).status).toBe(400)
      await change({ batchSize: 1 })()
      const headers = (text: string) => [{ name: 'Authorization', value: `Bearer ${text}` }]
      const names = ['Authorization']
      for (const [body, changes] of [
        [{ url: `${host}/T0/token?key=b` }, [value('url', here, here)]],
        [{ url: 'https://b.example.com/token' }, [value('url', here, 'https://b.example.com/***')]],
        [{ headers: headers('a') }, [value('headers', null, names)]],
        [{ headers: headers('b') }, [value('headers', names, names)]],
        [
          { enabled: false, objects: ['LOGIN'] },
          [value('enabled', true, false), value('objects', ['EMPLOYEE'], ['LOGIN'])],
        ],
      ] as const)
        expect((await auditedBy(change(body))).changes).toEqual(changes)
      const rotation = await auditedBy(() => ada.call('POST', path(webhook.id, '/rotate')))
      expect(rotation.changes).toEqual([value('secret', '***', '***')])
      expect(await auditedBy(() => ada.call('DELETE', path(webhook.id)))).toMatchObject({
        url: 'https://b.example.com/***',
      })
    })

    test('sends a test event at once, logs it as a test and does not resend it by time range', async () => {
      const { webhook } = await add({ objects: ['FINDING'] })
      const tried = await ada.call('POST', path(webhook.id, '/test'), { object: 'LOGIN' })
      expect(tried.body).toMatchObject({ delivered: true, attempt: { attempt: 1, status: 200, error: null } })
      const { eventId } = tried.body
      expect(receiver.requests.at(-1)).toMatchObject({ id: eventId })
      receiver.answer = refuse
      const failed = (await ada.call('POST', path(webhook.id, '/test'), {})).body
      expect(failed).toMatchObject({ delivered: false, attempt: { status: 500, error: 'HTTP status 500' } })
      receiver.answer = acknowledge
      expect(await logOf(webhook.id)).toMatchObject([
        {
          eventId: failed.eventId,
          object: 'FINDING',
          test: true,
          state: 'FAILED',
          lastError: 'HTTP status 500',
        },
        {
          eventId,
          object: 'LOGIN',
          category: 'ACTIVITY',
          test: true,
          state: 'DELIVERED',
          dueTimestamp: null,
        },
      ])
      const again = (body: object) => ada.call('POST', path(webhook.id, '/send-again'), body)
      expect((await again({ since: 0 })).body).toEqual({ events: 0 })
      expect((await again({ since: 0, onlyFailed: true })).body).toEqual({ events: 0 })
      expect((await again({ eventIds: [failed.eventId] })).body).toEqual({ events: 1 })
      await until('delivery', async () => (await logOf(webhook.id, { state: 'FAILED' })).length === 0)
      expect((await again({})).status).toBe(400)
      expect((await again({ since: 0, eventIds: [eventId] })).status).toBe(400)
      await ada.call('DELETE', path(webhook.id))
    })

    test('shows request, responses and pages in the log, and attempts in the hourly counts', async () => {
      const { webhook } = await add({ headers: [{ name: 'X-Team', value: 'blue' }] })
      receiver.answer = refuse
      await addEmployee()
      const [waiting] = await until('an attempt', async () => {
        const log = await logOf(webhook.id)
        return log[0]?.attempts === 1 && log
      })
      expect(waiting).toMatchObject({ state: 'PENDING', dueTimestamp: unixSeconds(h.clock) + 60 })
      receiver.answer = acknowledge
      h.clock.advanceMs(60_000)
      await until('delivery', async () => (await logOf(webhook.id, { state: 'DELIVERED' })).length === 1)
      const { body } = await ada.call('POST', path(webhook.id, '/delivery'), { eventId: waiting?.eventId })
      expect(body).toMatchObject({
        eventId: waiting?.eventId,
        state: 'DELIVERED',
        attempts: 2,
        test: false,
        request: { url: receiver.url, body: receiver.requests.at(-1)?.body },
        history: [
          { attempt: 1, status: 500, answer: 'no', error: 'HTTP status 500' },
          { attempt: 2, status: 200, answer: 'ok', error: null },
        ],
      })
      expect(body.request.headers).toContainEqual({ name: 'X-Team', value: null })
      const { hours } = (await ada.call('GET', path(webhook.id, '/hours'))).body
      expect(hours.reduce((sum: number, hour: JsonValue) => sum + hour.delivered, 0)).toBe(1)
      expect(hours.reduce((sum: number, hour: JsonValue) => sum + hour.failed, 0)).toBe(1)
      const nobody = await ada.call('POST', path(webhook.id, '/delivery'), { eventId: 'x' })
      expectProblem(nobody, 'not_found')
      expect(await logOf(webhook.id, { object: 'LOGIN' })).toEqual([])
      expect(await logOf(webhook.id, { since: unixSeconds(h.clock) + 10 })).toEqual([])
      expect(await logOf(webhook.id, { cursor: waiting?.eventId })).toEqual([])
      const wrong = await ada.call('POST', path(webhook.id, '/deliveries'), { cursor: 'x' })
      expect(wrong.body.errors).toMatchObject([{ name: 'cursor' }])
      await ada.call('DELETE', path(webhook.id))
    })

    test('limits the scan of a log page filtered by object and continues where it ended', async () => {
      const { webhook } = await add({ objects: ['EMPLOYEE', 'EMPLOYEE_ADDED'] })
      for (let at = 0; at < 3; at++) await addEmployee()
      const all = await logOf(webhook.id)
      const wanted = all.filter(({ object }) => object === 'EMPLOYEE').map(({ eventId }) => eventId)
      expect([all.length, wanted.length]).toEqual([6, 3])
      expect((await logOf(webhook.id, { object: 'EMPLOYEE' })).map(({ eventId }) => eventId)).toEqual(wanted)
      const key = { org: ada.org, webhookId: webhook.id }
      for (const [looked, limit, pages] of [
        [1, 100, 7],
        [4, 100, 2],
        [6, 100, 2],
        [7, 100, 1],
        [100, 2, 2],
      ] as const) {
        const found: string[] = []
        let before: string | undefined
        let read = 0
        do {
          const filter = { object: 'EMPLOYEE', before }
          const { rows, next } = await listDeliveryRows(h.db, key, filter, limit, looked)
          found.push(...rows.map(({ eventId }) => eventId))
          before = next ?? undefined
          read += 1
        } while (before !== undefined && read < 10)
        expect([looked, found, read]).toEqual([looked, wanted, pages])
      }
      await ada.call('DELETE', path(webhook.id))
    })

    test('a rotation returns the new secret once and the expiry of the old one', async () => {
      const { webhook, secret } = await add()
      const { body } = await ada.call('POST', path(webhook.id, '/rotate'))
      expect(body.secret).not.toBe(secret)
      expect(body.webhook.previousSecretEndTimestamp).toBe(unixSeconds(h.clock) + 86_400)
      await ada.call('DELETE', path(webhook.id))
    })

    test('returns 404 to other organizations and 403 for changes by read-only roles', async () => {
      const { webhook } = await add()
      const eve = await signedIn(h, await h.addOrganization('other'))
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      expect((await eve.call('GET', 'webhooks')).body.webhooks).toEqual([])
      const calls = [
        ['PATCH', '', { name: 'x' }],
        ['POST', '/rotate', undefined],
        ['POST', '/test', {}],
        ['POST', '/send-again', { since: 0 }],
        ['DELETE', '', undefined],
        ['GET', '/hours', undefined],
        ['POST', '/deliveries', {}],
        ['POST', '/delivery', { eventId: 'x' }],
      ] as const
      for (const [method, rest, body] of calls)
        expectProblem(await eve.call(method, path(webhook.id, rest), body), 'not_found')
      for (const [method, rest, body] of calls.slice(0, 5))
        expectProblem(await reader.call(method, path(webhook.id, rest), body), 'role_too_low')
      expect((await reader.call('GET', 'webhooks')).body.webhooks).toHaveLength(1)
      await ada.call('DELETE', path(webhook.id))
    })

    test('read-only roles see the origin of an endpoint but not its path', async () => {
      const { webhook } = await add({ url: 'https://hooks.example/services/T0/secret?code=s' })
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      const [seen] = (await reader.call('GET', 'webhooks')).body.webhooks
      expect(seen.url).toBe('https://hooks.example/***')
      expect((await ada.call('GET', 'webhooks')).body.webhooks[0].url).toBe(webhook.url)
      await ada.call('DELETE', path(webhook.id))
    })

    test('masks responses for read-only roles, since they may echo secrets', async () => {
      const { webhook } = await add({ headers: [{ name: 'X-Team', value: 'blue' }] })
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      receiver.answer = (response, { path, headers }) => void response.end(`${path} ${headers['x-team']}`)
      const sendTest = async () => (await ada.call('POST', path(webhook.id, '/test'), {})).body.eventId
      const echoing = await sendTest()
      receiver.answer = (response) => void response.end()
      const silent = await sendTest()
      receiver.answer = acknowledge
      const answers = async (who: SignedIn, eventId: string) => {
        const { body } = await who.call('POST', path(webhook.id, '/delivery'), { eventId })
        return body.history.map(({ answer }: JsonValue) => answer)
      }
      expect(await answers(ada, echoing)).toEqual(['/hook blue'])
      expect(await answers(reader, echoing)).toEqual(['***'])
      expect(await answers(reader, silent)).toEqual([''])
      await ada.call('DELETE', path(webhook.id))
    })

    test('hides audit events in the log from roles without access to the audit trail', async () => {
      const { webhook } = await add({ objects: ['EMPLOYEE', 'EMPLOYEE_ADDED'] })
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      await addEmployee()
      const log = await logOf(webhook.id)
      expect(log.map(({ object }) => object).sort()).toEqual(['EMPLOYEE', 'EMPLOYEE_ADDED'])
      for (const { eventId, category } of log) {
        expect((await ada.call('POST', path(webhook.id, '/delivery'), { eventId })).status).toBe(200)
        const read = await reader.call('POST', path(webhook.id, '/delivery'), { eventId })
        if (category === 'AUDIT') expectProblem(read, 'role_too_low')
        else expect(read.status).toBe(200)
      }
      await ada.call('DELETE', path(webhook.id))
    })
  })
}
