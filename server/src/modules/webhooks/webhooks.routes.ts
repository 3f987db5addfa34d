import { auditAccess } from '@muster/contract/console/console-audit'
import { roleCovers } from '@muster/contract/console/console-operation'
import {
  deliveriesAtOnce,
  type WebhookAttempt,
  type webhookOperations,
} from '@muster/contract/console/console-webhooks'
import { invalidRequest, type Mistake, notFound } from '@muster/contract/errors'
import { storableId } from '../../kernel/actions/read.ts'
import { isUuid } from '../../kernel/lib/secrets/id.ts'
import { mask, maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import { type ConsoleCall, type ConsoleHandlers, requireRole } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { auditContext } from '../console/audit-context.ts'
import { ownHeaders } from './delivery/deliver-send.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import { listAttemptHours, listAttempts } from './webhook-attempts.store.ts'
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhook,
  type SentAgain,
  sendAgain,
  testWebhook,
} from './webhook-book.ts'
import { readEventBodies } from './webhook-deliveries.store.ts'
import { listDeliveryRows } from './webhook-log.service.ts'
import { attemptView, deliveryView, headerNamesOf, webhookView } from './webhook-view.ts'
import { findWebhook, listWebhookRows, type WebhookRow } from './webhooks.service.ts'

const daySeconds = 24 * 60 * 60
const healthDays = 30

/** Endpoints that events are sent to. */
export function webhookHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof webhookOperations> {
  const { db, clock, keys, webhooks } = parts
  const { sender, terms } = webhooks
  const key = keys.webhookSecrets
  const book = { db, clock, key, terms }

  const found = async ({ caller }: ConsoleCall, id: string): Promise<WebhookRow> => {
    const webhook = await findWebhook(db, caller.administrator.org, id)
    if (!webhook) throw notFound('There is no endpoint with this id')
    return webhook
  }
  const view = async (row: WebhookRow, call: ConsoleCall) => ({
    ...(await webhookView(db, key, row, call.origin.nowSeconds)),
    url: addressFor(call, row),
  })

  return {
    listWebhooks: async (call) => {
      const rows = await listWebhookRows(db, call.caller.administrator.org)
      const shown = await Promise.all(rows.map((row) => view(row, call)))
      return { webhooks: shown, allowsPrivate: terms.allowPrivate }
    },

    addWebhook: async (call, { headers, ...plan }) => {
      const { org } = call.caller.administrator
      const whole = { ...plan, headers: headers && pairsOf(headers) }
      const { webhook, secret } = await addWebhook(book, org, whole, auditContext(call).actor)
      return { webhook: await view(webhook, call), secret }
    },

    changeWebhook: async (call, { headers, ...change }, id) => {
      const { org } = await found(call, id)
      const whole = { ...change, headers: headers && pairsOf(headers) }
      return view(await changeWebhook(book, org, id, whole, auditContext(call).actor), call)
    },

    removeWebhook: async (call, _body, id) => {
      const { org } = await found(call, id)
      await removeWebhook(book, org, id, auditContext(call).actor)
      return {}
    },

    rotateWebhook: async (call, _body, id) => {
      const { org } = await found(call, id)
      const { webhook, secret } = await rotateWebhook(book, org, id, auditContext(call).actor)
      return { webhook: await view(webhook, call), secret }
    },

    testWebhook: async (call, { object }, id) => {
      const { org } = await found(call, id)
      const attempt = await testWebhook(book, sender, org, id, object)
      return {
        eventId: attempt.eventId,
        delivered: attempt.error === null,
        attempt: attemptView(attempt),
      }
    },

    readWebhookHours: async (call, _body, id) => {
      const { org } = await found(call, id)
      const from = call.origin.nowSeconds - healthDays * daySeconds
      const hours = await listAttemptHours(db, { org, webhookId: id }, from)
      return {
        hours: hours.map(({ hourTimestamp, delivered, failed, latencyMsSum }) => ({
          ...{ hourTimestamp, delivered, failed },
          latencyMs: Math.round(latencyMsSum / Math.max(1, delivered + failed)),
        })),
      }
    },

    listDeliveries: async (call, { state, object, since, until, cursor }, id) => {
      const { org } = await found(call, id)
      if (cursor !== undefined && !isUuid(cursor))
        throw invalidRequest([bodyMistake('cursor', 'must be the cursor of the page before')])
      const filter = { state, object, before: cursor, sinceMs: ms(since), untilMs: ms(until) }
      const place = { org, webhookId: id }
      const { rows, next } = await listDeliveryRows(db.slow, place, filter, deliveriesAtOnce)
      return { deliveries: rows.map(deliveryView), cursor: next }
    },

    readDelivery: async (call, { eventId }, id) => {
      const webhook = await found(call, id)
      const place = { org: webhook.org, webhookId: id }
      const [row] = storableId(eventId) ? (await listDeliveryRows(db, place, { eventId }, 1)).rows : []
      const body = row && (await readEventBodies(db, webhook.org, [eventId])).get(eventId)
      if (!row || body === undefined) throw notFound('This endpoint has no such event in its log')
      const { lastStatus: _status, lastError: _error, ...shown } = deliveryView(row)
      if (shown.category === 'AUDIT') requireRole(call.caller, auditAccess)
      const own = Object.entries(ownHeaders).map(([name, value]) => ({ name, value }))
      const secret = [...headerNamesOf(key, webhook), 'x-signature'].map((name) => ({ name, value: null }))
      return {
        ...shown,
        request: { url: addressFor(call, webhook), headers: [...own, ...secret], body },
        history: (await listAttempts(db, place, eventId)).map(attemptView).map(answerFor(call)),
      }
    },

    sendAgain: async (call, { eventIds, since, until, onlyFailed = false }, id) => {
      const { org } = await found(call, id)
      if ((eventIds === undefined) === (since === undefined))
        throw invalidRequest([bodyMistake('eventIds', 'must be given, or else since')])
      const nowMs = clock.nowMs()
      const what: SentAgain = eventIds
        ? { eventIds: eventIds.filter(storableId) }
        : { sinceMs: ms(since) ?? nowMs, untilMs: ms(until) ?? nowMs + 1, onlyFailed }
      return { events: await sendAgain(book, org, id, what) }
    },
  }
}

/**
 * The address of an endpoint as the caller may see it. Of many the path, or the query, is what lets one post to them, so
 * those who could not have added it see where it is, and no more.
 */
const addressFor = (call: ConsoleCall, { url }: WebhookRow): string =>
  mayPost(call) ? url : maskUrlPath(url)

/** An answer may repeat that path, or the values of headers, in whatever form: the same people see only that there was one. */
const answerFor =
  (call: ConsoleCall) =>
  (attempt: WebhookAttempt): WebhookAttempt => ({
    ...attempt,
    answer: mayPost(call) || attempt.answer === '' ? attempt.answer : mask,
  })

const mayPost = ({ caller }: ConsoleCall): boolean => roleCovers(caller.administrator.role, 'FULL_ACCESS')

const ms = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000

const bodyMistake = (name: string, message: string): Mistake => ({ in: 'body', name, message })

const pairsOf = (headers: readonly { name: string; value: string }[]): StaticHeader[] =>
  headers.map(({ name, value }) => [name, value])
