import { invalidRequest, type Mistake, notFound } from '@muster/contract/api/errors'
import { auditAccess } from '@muster/contract/console/console-audit'
import { roleCovers } from '@muster/contract/console/console-operation'
import {
  deliveriesAtOnce,
  type WebhookAttempt,
  type webhookOperations,
} from '@muster/contract/console/console-webhooks'
import { storableId } from '../../kernel/actions/read.ts'
import { isUuid } from '../../kernel/lib/secrets/id.ts'
import { mask, maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import { auditContext } from '../console/audit-context.ts'
import { type ConsoleCall, type ConsoleHandlers, requireRole } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import type { StaticHeader } from './delivery/target.rules.ts'
import { standardHeaders } from './delivery/webhook-sender.ts'
import {
  addWebhook,
  changeWebhook,
  type ResendSelection,
  removeWebhook,
  resendEvents,
  rotateWebhook,
  testWebhook,
} from './manage-webhooks.ts'
import { listAttemptHours, listAttempts } from './webhook-attempts.store.ts'
import { readEventBodies } from './webhook-deliveries.store.ts'
import { listDeliveryRows } from './webhook-log.service.ts'
import { attemptView, deliveryView, headerNamesOf, webhookView } from './webhook-view.ts'
import { findWebhook, listWebhookRows, type WebhookRow } from './webhooks.service.ts'

const daySeconds = 24 * 60 * 60
const healthDays = 30

/** Console operations on webhook endpoints. */
export function webhookHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof webhookOperations> {
  const { db, clock, keys, webhooks } = parts
  const { sender, targetPolicy } = webhooks
  const key = keys.webhookSecrets
  const context = { db, clock, key, targetPolicy }

  const found = async ({ caller }: ConsoleCall, id: string): Promise<WebhookRow> => {
    const webhook = await findWebhook(db, caller.administrator.org, id)
    if (!webhook) throw notFound('There is no endpoint with this ID')
    return webhook
  }
  const view = async (row: WebhookRow, call: ConsoleCall) => ({
    ...(await webhookView(db, key, row, call.origin.nowSeconds)),
    url: visibleUrl(call, row),
  })

  return {
    listWebhooks: async (call) => {
      const rows = await listWebhookRows(db, call.caller.administrator.org)
      const shown = await Promise.all(rows.map((row) => view(row, call)))
      return { webhooks: shown, allowsPrivate: targetPolicy.allowPrivate }
    },

    addWebhook: async (call, { headers, ...body }) => {
      const { org } = call.caller.administrator
      const input = { ...body, headers: headers && headerPairs(headers) }
      const { webhook, secret } = await addWebhook(context, org, input, auditContext(call).actor)
      return { webhook: await view(webhook, call), secret }
    },

    changeWebhook: async (call, { headers, ...body }, id) => {
      const { org } = await found(call, id)
      const change = { ...body, headers: headers && headerPairs(headers) }
      return view(await changeWebhook(context, org, id, change, auditContext(call).actor), call)
    },

    removeWebhook: async (call, _body, id) => {
      const { org } = await found(call, id)
      await removeWebhook(context, org, id, auditContext(call).actor)
      return {}
    },

    rotateWebhook: async (call, _body, id) => {
      const { org } = await found(call, id)
      const { webhook, secret } = await rotateWebhook(context, org, id, auditContext(call).actor)
      return { webhook: await view(webhook, call), secret }
    },

    testWebhook: async (call, { object }, id) => {
      const { org } = await found(call, id)
      const attempt = await testWebhook(context, sender, org, id, object)
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
          hourTimestamp,
          delivered,
          failed,
          latencyMs: Math.round(latencyMsSum / Math.max(1, delivered + failed)),
        })),
      }
    },

    listDeliveries: async (call, { state, object, since, until, cursor }, id) => {
      const { org } = await found(call, id)
      if (cursor !== undefined && !isUuid(cursor))
        throw invalidRequest([bodyMistake('cursor', 'must be the cursor of the previous page')])
      const filter = { state, object, before: cursor, sinceMs: ms(since), untilMs: ms(until) }
      const endpoint = { org, webhookId: id }
      const { rows, next } = await listDeliveryRows(db.slow, endpoint, filter, deliveriesAtOnce)
      return { deliveries: rows.map(deliveryView), cursor: next }
    },

    readDelivery: async (call, { eventId }, id) => {
      const webhook = await found(call, id)
      const endpoint = { org: webhook.org, webhookId: id }
      const [row] = storableId(eventId) ? (await listDeliveryRows(db, endpoint, { eventId }, 1)).rows : []
      const body = row && (await readEventBodies(db, webhook.org, [eventId])).get(eventId)
      if (!row || body === undefined) throw notFound('The log of this endpoint has no event with this ID')
      const { lastStatus: _status, lastError: _error, ...shown } = deliveryView(row)
      if (shown.category === 'AUDIT') requireRole(call.caller, auditAccess)
      const standard = Object.entries(standardHeaders).map(([name, value]) => ({ name, value }))
      const secret = [...headerNamesOf(key, webhook), 'x-signature'].map((name) => ({ name, value: null }))
      return {
        ...shown,
        request: { url: visibleUrl(call, webhook), headers: [...standard, ...secret], body },
        history: (await listAttempts(db, endpoint, eventId)).map(attemptView).map(visibleAttempt(call)),
      }
    },

    sendAgain: async (call, { eventIds, since, until, onlyFailed = false }, id) => {
      const { org } = await found(call, id)
      if ((eventIds === undefined) === (since === undefined))
        throw invalidRequest([bodyMistake('eventIds', 'must be given unless since is, and not both')])
      const nowMs = clock.nowMs()
      const selection: ResendSelection = eventIds
        ? { eventIds: eventIds.filter(storableId) }
        : { sinceMs: ms(since) ?? nowMs, untilMs: ms(until) ?? nowMs + 1, onlyFailed }
      return { events: await resendEvents(context, org, id, selection) }
    },
  }
}

/**
 * Returns the URL of an endpoint as the caller may see it. The path or query often contains a token, so callers without
 * full access see only the origin.
 */
const visibleUrl = (call: ConsoleCall, { url }: WebhookRow): string =>
  maySeeSecrets(call) ? url : maskUrlPath(url)

/** Masks the response for callers without full access, since it may echo the path or header values. */
const visibleAttempt =
  (call: ConsoleCall) =>
  (attempt: WebhookAttempt): WebhookAttempt => ({
    ...attempt,
    answer: maySeeSecrets(call) || attempt.answer === '' ? attempt.answer : mask,
  })

const maySeeSecrets = ({ caller }: ConsoleCall): boolean =>
  roleCovers(caller.administrator.role, 'FULL_ACCESS')

const ms = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000

const bodyMistake = (name: string, message: string): Mistake => ({ in: 'body', name, message })

const headerPairs = (headers: readonly { name: string; value: string }[]): StaticHeader[] =>
  headers.map(({ name, value }) => [name, value])
