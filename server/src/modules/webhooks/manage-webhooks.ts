import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalidRequest, type Mistake, notFound } from '@muster/contract/api/errors'
import { webhookBatchMaximum, webhooksMaximum } from '@muster/contract/console/console-webhooks'
import type { Actor } from '@muster/contract/events/event-actor'
import { type EventCategory, eventCategories } from '@muster/contract/events/event-envelope'
import { type EventObject, exampleEventOf } from '@muster/contract/events/event-objects'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { auditedWebhook, auditedWebhookChange } from './audited-webhook.ts'
import { requestBody, sendSigned } from './delivery/send-signed.ts'
import {
  headersMistake,
  type StaticHeader,
  type TargetPolicy,
  targetMistake,
} from './delivery/target.rules.ts'
import type { Sender } from './delivery/webhook-sender.ts'
import { purgeEndpoint } from './purge-deliveries.store.ts'
import { type AttemptRow, forgiveFailures } from './webhook-attempts.store.ts'
import {
  eventRanges,
  insertTestMessage,
  resendEventsById,
  resendFailedInRange,
  resendRange,
} from './webhook-log.service.ts'
import {
  headersOf,
  isSecretReadable,
  newWebhookSecret,
  rotationSeconds,
  sealHeaders,
  sealSecret,
} from './webhook-secrets.ts'
import {
  creatorName,
  deleteWebhook,
  findWebhook,
  listWebhookRows,
  lockWebhook,
  putWebhook,
  subscribedObjects,
  type WebhookRow,
} from './webhooks.service.ts'

/** Dependencies of the operations on endpoints. */
export interface WebhookContext {
  readonly db: Db
  readonly clock: Clock
  /** Encrypts secrets and headers. */
  readonly key: KeyObject
  readonly targetPolicy: TargetPolicy
}

/** Properties of a new endpoint. Without categories and objects it receives all events. */
export interface WebhookInput {
  readonly url: string
  readonly name?: string | null | undefined
  readonly categories?: readonly EventCategory[] | undefined
  readonly objects?: readonly EventObject[] | undefined
  readonly headers?: readonly StaticHeader[] | undefined
  /** Maximum number of events per request. Default: 1, each event by itself. */
  readonly batchSize?: number | undefined
}

/** Properties of an endpoint to change; lists are replaced as a whole. */
export type WebhookChange = Partial<WebhookInput> & { readonly enabled?: boolean | undefined }

/** A new or rotated endpoint with its secret, which is shown only once. */
export interface IssuedWebhook {
  readonly webhook: WebhookRow
  readonly secret: string
}

/** Validates the properties of an endpoint. Returns all mistakes. */
function webhookMistakes(input: WebhookChange, targetPolicy: TargetPolicy): Mistake[] {
  const { url, name, headers, batchSize = 1 } = input
  const found = {
    url: url === undefined ? undefined : targetMistake(url, targetPolicy),
    name: name ? nameMistake(name) : undefined,
    headers: headers && headersMistake(headers),
    batchSize: batchSizeMistake(batchSize),
  }
  return Object.entries(found).flatMap(([member, mistake]) =>
    mistake === undefined ? [] : [{ in: 'body' as const, name: member, message: `must ${mistake}` }],
  )
}

const maxNameLength = 128

function nameMistake(name: string): string | undefined {
  if (name.length > maxNameLength) return `have at most ${maxNameLength} characters`
  return /\p{Cc}/u.test(name) ? 'not contain control characters' : undefined
}

const batchSizeMistake = (size: number): string | undefined =>
  Number.isInteger(size) && size >= 1 && size <= webhookBatchMaximum
    ? undefined
    : `be a whole number from 1 to ${webhookBatchMaximum}`

/** Encrypts headers. Returns the old ciphertext for unchanged headers, since a new one would be audited as a change. */
function resealHeaders(key: KeyObject, old: WebhookRow, headers: readonly StaticHeader[]): string | null {
  try {
    if (isDeepStrictEqual(headersOf(key, old), headers)) return old.headersSealed
  } catch {
    // The old headers were encrypted with another master key and are replaced.
  }
  return sealHeaders(key, old, headers)
}

/** Adds an endpoint. @throws ApiError invalid_request, or conflict when the limit is reached */
export async function addWebhook(
  { db, clock, key, targetPolicy }: WebhookContext,
  org: number,
  input: WebhookInput,
  actor: Actor,
): Promise<IssuedWebhook> {
  rejectMistakes(webhookMistakes(input, targetPolicy))
  const { url, categories = [], objects = [], headers = [], batchSize = 1 } = input
  const receivesAll = categories.length + objects.length === 0
  const webhookId = { org, id: newId(clock.nowMs()) }
  const secret = newWebhookSecret()
  const webhook: WebhookRow = {
    ...webhookId,
    kind: 'WEBHOOK',
    name: input.name ?? null,
    url,
    categories: receivesAll ? eventCategories : categories,
    objects,
    headersSealed: sealHeaders(key, webhookId, headers),
    secretSealed: sealSecret(key, webhookId, secret),
    previousSecretSealed: null,
    previousSecretUntil: null,
    batchSize,
    enabled: true,
    disabledReason: null,
    creationTimestamp: unixSeconds(clock),
    createdBy: creatorName(actor),
  }
  await db.inTransaction(async (tx) => {
    if ((await listWebhookRows(tx, org)).length >= webhooksMaximum)
      throw new ApiError(
        'conflict',
        `The limit of ${webhooksMaximum} endpoints is reached. Remove one first.`,
      )
    await putWebhook(tx, webhook)
    await recordAudit(tx, org, 'WEBHOOK_ADDED', { ...actedBy(actor, clock), new: auditedWebhook(webhook) })
  })
  return { webhook, secret }
}

/**
 * Changes an endpoint. Enabling it forgives its earlier failures. A call that changes nothing is not audited.
 *
 * @throws ApiError invalid_request, not_found
 */
export function changeWebhook(
  { db, clock, key, targetPolicy }: WebhookContext,
  org: number,
  id: string,
  change: WebhookChange,
  actor: Actor,
): Promise<WebhookRow> {
  rejectMistakes(webhookMistakes(change, targetPolicy))
  return db.inTransaction(async (tx) => {
    const old = await required(lockWebhook(tx, org, id))
    const { enabled = old.enabled, url = old.url, name = old.name, headers } = change
    const { batchSize = old.batchSize } = change
    const { categories = old.categories, objects = old.objects } = change
    if (categories.length + objects.length === 0)
      rejectMistakes([
        { in: 'body', name: 'categories', message: 'must not be empty unless objects are selected' },
      ])
    const webhook: WebhookRow = {
      ...old,
      url,
      categories,
      objects,
      batchSize,
      enabled,
      name: name ?? null,
      headersSealed: headers ? resealHeaders(key, old, headers) : old.headersSealed,
      disabledReason: enabled ? null : (old.disabledReason ?? 'ADMINISTRATOR'),
    }
    if (isDeepStrictEqual(webhook, old)) return old
    await putWebhook(tx, webhook)
    if (enabled && !old.enabled) await forgiveFailures(tx, { org, webhookId: id })
    const audited = auditedWebhookChange(key, old, webhook)
    await recordAudit(tx, org, 'WEBHOOK_UPDATED', { ...actedBy(actor, clock), new: audited })
    return webhook
  })
}

/** Removes an endpoint, then its pending deliveries and its log. @throws ApiError not_found */
export async function removeWebhook(
  { db, clock }: WebhookContext,
  org: number,
  id: string,
  actor: Actor,
): Promise<WebhookRow> {
  const webhook = await db.inTransaction(async (tx) => {
    const found = await required(lockWebhook(tx, org, id))
    await deleteWebhook(tx, org, id)
    await recordAudit(tx, org, 'WEBHOOK_REMOVED', { ...actedBy(actor, clock), new: auditedWebhook(found) })
    return found
  })
  // The endpoint is removed even if this fails. Leftover rows are invisible, and the hourly cleanup deletes them.
  await purgeEndpoint(db, { org, webhookId: id }).catch(() => undefined)
  return webhook
}

/**
 * Gives an endpoint a new secret. For 24 hours events are also signed with the old one, if it can be decrypted.
 *
 * @throws ApiError not_found
 */
export function rotateWebhook(
  { db, clock, key }: WebhookContext,
  org: number,
  id: string,
  actor: Actor,
): Promise<IssuedWebhook> {
  const secret = newWebhookSecret()
  return db.inTransaction(async (tx) => {
    const old = await required(lockWebhook(tx, org, id))
    const webhook: WebhookRow = {
      ...old,
      secretSealed: sealSecret(key, old, secret),
      ...(isSecretReadable(key, old)
        ? {
            previousSecretSealed: old.secretSealed,
            previousSecretUntil: unixSeconds(clock) + rotationSeconds,
          }
        : { previousSecretSealed: null, previousSecretUntil: null }),
    }
    await putWebhook(tx, webhook)
    const what = `The secret of webhook ${maskUrlPath(webhook.url)} was rotated`
    const audited = auditedWebhookChange(key, old, webhook)
    await recordAudit(tx, org, 'WEBHOOK_UPDATED', { ...actedBy(actor, clock), new: audited, what })
    return { webhook, secret }
  })
}

/**
 * Sends an example event to an endpoint in one attempt, even if it is disabled, and records it in the delivery log.
 *
 * @param object type of the event; default: the first that the endpoint is subscribed to
 * @throws ApiError not_found
 */
export async function testWebhook(
  { db, clock, key }: WebhookContext,
  sender: Sender,
  org: number,
  id: string,
  object?: EventObject,
): Promise<AttemptRow> {
  const webhook = await required(findWebhook(db, org, id))
  const type = object ?? subscribedObjects(webhook)[0] ?? 'LOGIN'
  const atMs = clock.nowMs()
  const timestamp = unixSeconds(clock)
  const eventId = newId(atMs)
  const description = 'This is a test event. Nothing happened.'
  const body = JSON.stringify({ ...exampleEventOf(type), id: eventId, timestamp, description })
  const message = { body: requestBody(webhook, [body]), nowSeconds: timestamp }
  const outcome = await sendSigned(sender, key, webhook, message)
  const attempt = { org, webhookId: id, eventId, attempt: 1, atMs, ...outcome }
  await db.inTransaction(async (tx) => {
    // The endpoint may have been removed in the meantime, together with its log.
    if (await lockWebhook(tx, org, id))
      await insertTestMessage(tx, attempt, { timestamp, object: type, body })
  })
  return attempt
}

/** Selects events to send again: by ID, or by the time they were written. */
export type ResendSelection =
  | { readonly eventIds: readonly string[] }
  | { readonly sinceMs: number; readonly untilMs: number; readonly onlyFailed: boolean }

/**
 * Sends events to an endpoint again, with four new attempts each. A time range includes events that were not sent to
 * the endpoint before, if it is subscribed to them now.
 *
 * @returns the number of events
 * @throws ApiError not_found
 */
export async function resendEvents(
  { db, clock }: WebhookContext,
  org: number,
  id: string,
  selection: ResendSelection,
): Promise<number> {
  const webhook = await required(findWebhook(db, org, id))
  const key = { org, webhookId: id }
  const nowMs = clock.nowMs()
  if ('eventIds' in selection)
    return db.inTransaction((tx) => resendEventsById(tx, key, selection.eventIds, nowMs))
  const objects = subscribedObjects(webhook)
  let events = 0
  for await (const range of eventRanges(db, org, selection.sinceMs, selection.untilMs))
    events += await db.inTransaction((tx) =>
      selection.onlyFailed
        ? resendFailedInRange(tx, key, range, nowMs)
        : resendRange(tx, key, range, objects, nowMs),
    )
  return events
}

async function required(found: Promise<WebhookRow | undefined>): Promise<WebhookRow> {
  const webhook = await found
  if (!webhook) throw notFound('There is no endpoint with this ID')
  return webhook
}

function rejectMistakes(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw invalidRequest(mistakes)
}

const actedBy = (actor: Actor, clock: Clock) => ({ actor, timestamp: unixSeconds(clock) })
