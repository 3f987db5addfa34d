import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { webhooksMaximum } from '@muster/contract/console/console-webhooks'
import { ApiError, invalidRequest, type Mistake, notFound } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { type EventCategory, eventCategories } from '@muster/contract/event-envelope'
import { type EventObject, exampleEventOf } from '@muster/contract/event-objects'
import { tellAudit } from '../../kernel/events/audit-trail.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { maskUrlPath } from '../../kernel/lib/secrets/redact.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { auditedWebhook, auditedWebhookChange } from './audited-webhook.ts'
import { sendSigned } from './delivery/send-signed.ts'
import {
  headersMistake,
  type StaticHeader,
  type TargetTerms,
  targetMistake,
} from './delivery/target.rules.ts'
import type { Sender } from './delivery/webhook-sender.ts'
import { removeAllRows } from './purge-deliveries.store.ts'
import { type AttemptRow, forgiveFailures } from './webhook-attempts.store.ts'
import {
  eventRanges,
  insertTestEvent,
  sendEventsAgain,
  sendFailedAgain,
  sendRangeAgain,
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
  deleteWebhook,
  findWebhook,
  listWebhookRows,
  lockWebhook,
  putWebhook,
  type WebhookRow,
  wishedObjects,
} from './webhooks.service.ts'

/** What the book of endpoints works with. */
export interface BookParts {
  readonly db: Db
  readonly clock: Clock
  /** Encrypts secrets and headers. */
  readonly key: KeyObject
  readonly terms: TargetTerms
}

/** What an endpoint is made of. Without categories and objects it is sent everything. */
export interface WebhookPlan {
  readonly url: string
  readonly name?: string | null | undefined
  readonly categories?: readonly EventCategory[] | undefined
  readonly objects?: readonly EventObject[] | undefined
  readonly headers?: readonly StaticHeader[] | undefined
}

/** What of an endpoint is to change; lists are replaced as a whole. */
export type WebhookChange = Partial<WebhookPlan> & { readonly enabled?: boolean | undefined }

/** An endpoint, and its secret, which is shown this once. */
export interface IssuedWebhook {
  readonly webhook: WebhookRow
  readonly secret: string
}

/** What is wrong with a plan or a change; nothing if it is right. */
export function webhookMistakes(plan: WebhookChange, terms: TargetTerms): Mistake[] {
  const { url, name, headers } = plan
  const found = {
    url: url === undefined ? undefined : targetMistake(url, terms),
    name: name ? nameMistake(name) : undefined,
    headers: headers && headersMistake(headers),
  }
  return Object.entries(found).flatMap(([member, mistake]) =>
    mistake === undefined ? [] : [{ in: 'body' as const, name: member, message: `must ${mistake}` }],
  )
}

/** How long the name of an endpoint may be, in characters. */
const nameLengthMaximum = 128

function nameMistake(name: string): string | undefined {
  if (name.length > nameLengthMaximum) return `have at most ${nameLengthMaximum} characters`
  return /\p{Cc}/u.test(name) ? 'not hold control characters' : undefined
}

/** Headers that stay the same stay sealed as they are: sealed anew they would look changed. */
function sealedAgain(key: KeyObject, old: WebhookRow, headers: readonly StaticHeader[]): string | null {
  try {
    if (isDeepStrictEqual(headersOf(key, old), headers)) return old.headersSealed
  } catch {
    // They were sealed with another master key, and are replaced.
  }
  return sealHeaders(key, old, headers)
}

/** Adds an endpoint. @throws ApiError invalid_request, or conflict when there are too many */
export async function addWebhook(
  { db, clock, key, terms }: BookParts,
  org: number,
  plan: WebhookPlan,
  actor: Actor,
): Promise<IssuedWebhook> {
  refuse(webhookMistakes(plan, terms))
  const { url, categories = [], objects = [], headers = [] } = plan
  const everything = categories.length + objects.length === 0
  const place = { org, id: newId(clock.nowMs()) }
  const secret = newWebhookSecret()
  const webhook: WebhookRow = {
    ...place,
    kind: 'WEBHOOK',
    name: plan.name ?? null,
    url,
    categories: everything ? eventCategories : categories,
    objects,
    headersSealed: sealHeaders(key, place, headers),
    secretSealed: sealSecret(key, place, secret),
    previousSecretSealed: null,
    previousSecretUntil: null,
    enabled: true,
    disabledReason: null,
    creationTimestamp: unixSeconds(clock),
    createdBy: nameOf(actor),
  }
  await db.inTransaction(async (tx) => {
    if ((await listWebhookRows(tx, org)).length >= webhooksMaximum)
      throw new ApiError('conflict', `There are ${webhooksMaximum} endpoints already: remove one first.`)
    await putWebhook(tx, webhook)
    await tellAudit(tx, org, 'WEBHOOK_ADDED', { ...by(actor, clock), new: auditedWebhook(webhook) })
  })
  return { webhook, secret }
}

/**
 * Changes an endpoint. When it is switched on, what has failed before counts no more against it. What changes nothing is
 * not told.
 *
 * @throws ApiError invalid_request, not_found
 */
export function changeWebhook(
  { db, clock, key, terms }: BookParts,
  org: number,
  id: string,
  change: WebhookChange,
  actor: Actor,
): Promise<WebhookRow> {
  refuse(webhookMistakes(change, terms))
  return db.inTransaction(async (tx) => {
    const old = await existing(lockWebhook(tx, org, id))
    const { enabled = old.enabled, url = old.url, name = old.name, headers } = change
    const { categories = old.categories, objects = old.objects } = change
    if (categories.length + objects.length === 0)
      refuse([{ in: 'body', name: 'categories', message: 'must name at least one, or objects must' }])
    const webhook: WebhookRow = {
      ...old,
      ...{ url, categories, objects, enabled },
      name: name ?? null,
      headersSealed: headers ? sealedAgain(key, old, headers) : old.headersSealed,
      disabledReason: enabled ? null : (old.disabledReason ?? 'ADMINISTRATOR'),
    }
    if (isDeepStrictEqual(webhook, old)) return old
    await putWebhook(tx, webhook)
    if (enabled && !old.enabled) await forgiveFailures(tx, { org, webhookId: id })
    const told = auditedWebhookChange(key, old, webhook)
    await tellAudit(tx, org, 'WEBHOOK_UPDATED', { ...by(actor, clock), new: told })
    return webhook
  })
}

/** Removes an endpoint, and then what waits for it and its log. @throws ApiError not_found */
export async function removeWebhook(
  { db, clock }: BookParts,
  org: number,
  id: string,
  actor: Actor,
): Promise<WebhookRow> {
  const webhook = await db.inTransaction(async (tx) => {
    const found = await existing(lockWebhook(tx, org, id))
    await deleteWebhook(tx, org, id)
    await tellAudit(tx, org, 'WEBHOOK_REMOVED', { ...by(actor, clock), new: auditedWebhook(found) })
    return found
  })
  // The endpoint is gone, whatever comes now: nobody sees what is left, and the housekeeping removes it.
  await removeAllRows(db, { org, webhookId: id }).catch(() => undefined)
  return webhook
}

/**
 * Gives an endpoint a new secret; events are signed with the old one, too, for 24 hours, if it can be read.
 *
 * @throws ApiError not_found
 */
export function rotateWebhook(
  { db, clock, key }: BookParts,
  org: number,
  id: string,
  actor: Actor,
): Promise<IssuedWebhook> {
  const secret = newWebhookSecret()
  return db.inTransaction(async (tx) => {
    const old = await existing(lockWebhook(tx, org, id))
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
    const told = auditedWebhookChange(key, old, webhook)
    await tellAudit(tx, org, 'WEBHOOK_UPDATED', { ...by(actor, clock), new: told, what })
    return { webhook, secret }
  })
}

/**
 * Sends a made-up event to an endpoint at once, in one attempt, whether it is on or off; it is kept in the log.
 *
 * @param object what it is about; the first that the endpoint is sent unless told
 * @throws ApiError not_found
 */
export async function testWebhook(
  { db, clock, key }: BookParts,
  sender: Sender,
  org: number,
  id: string,
  object?: EventObject,
): Promise<AttemptRow> {
  const webhook = await existing(findWebhook(db, org, id))
  const about = object ?? wishedObjects(webhook)[0] ?? 'LOGIN'
  const atMs = clock.nowMs()
  const timestamp = unixSeconds(clock)
  const eventId = newId(atMs)
  const description = 'This is a test event: nothing has happened.'
  const body = JSON.stringify({ ...exampleEventOf(about), id: eventId, timestamp, description })
  const outcome = await sendSigned(sender, key, webhook, { body, nowSeconds: timestamp })
  const attempt = { org, webhookId: id, eventId, attempt: 1, atMs, ...outcome }
  await db.inTransaction(async (tx) => {
    // It may have been removed meanwhile, and its log with it.
    if (await lockWebhook(tx, org, id)) await insertTestEvent(tx, attempt, { timestamp, object: about, body })
  })
  return attempt
}

/** Events that are to be sent again: some by their ids, or those that were written in a time. */
export type SentAgain =
  | { readonly eventIds: readonly string[] }
  | { readonly sinceMs: number; readonly untilMs: number; readonly onlyFailed: boolean }

/**
 * Sends events to an endpoint again, in four attempts of their own: also those that it was not sent before, of a time
 * as far as it wishes for them.
 *
 * @returns how many there are
 * @throws ApiError not_found
 */
export async function sendAgain(
  { db, clock }: BookParts,
  org: number,
  id: string,
  what: SentAgain,
): Promise<number> {
  const webhook = await existing(findWebhook(db, org, id))
  const key = { org, webhookId: id }
  const nowMs = clock.nowMs()
  if ('eventIds' in what) return db.inTransaction((tx) => sendEventsAgain(tx, key, what.eventIds, nowMs))
  const objects = wishedObjects(webhook)
  let events = 0
  for await (const range of eventRanges(db, org, what.sinceMs, what.untilMs))
    events += await db.inTransaction((tx) =>
      what.onlyFailed
        ? sendFailedAgain(tx, key, range, nowMs)
        : sendRangeAgain(tx, key, range, objects, nowMs),
    )
  return events
}

/** Who an actor is, in the list of endpoints. */
function nameOf(actor: Actor): string {
  if (actor.source === 'CLI') return actor.user
  return actor.source === 'API' ? actor.apiKeyName : (actor.email ?? '')
}

async function existing(found: Promise<WebhookRow | undefined>): Promise<WebhookRow> {
  const webhook = await found
  if (!webhook) throw notFound('There is no endpoint with this id')
  return webhook
}

function refuse(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw invalidRequest(mistakes)
}

const by = (actor: Actor, clock: Clock) => ({ actor, timestamp: unixSeconds(clock) })
