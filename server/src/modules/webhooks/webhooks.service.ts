import type { Actor } from '@muster/contract/events/event-actor'
import type { EventCategory } from '@muster/contract/events/event-envelope'
import { type EventObject, eventDeclarationOf, eventObjects } from '@muster/contract/events/event-objects'
import type { StreamKind } from '@muster/contract/events/stream-kinds'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/**
 * A webhook endpoint, or another receiver of events: an event stream of the server (`FILE`, `SYSLOG`, …), an alert rule (`ALERT`),
 * or what collects events for all alert rules of an organization (`ALERTS`).
 */
export interface WebhookRow {
  readonly org: number
  readonly id: string
  readonly kind: 'WEBHOOK' | StreamKind | 'ALERT' | 'ALERTS'
  readonly name: string | null
  readonly url: string
  readonly categories: readonly EventCategory[]
  /** Subscribed objects in addition to the categories. */
  readonly objects: readonly EventObject[]
  /** Encrypted static headers. */
  readonly headersSealed: string | null
  /** Encrypted signing secret. */
  readonly secretSealed: string | null
  readonly previousSecretSealed: string | null
  /** UNIX seconds until which events are also signed with the previous secret. */
  readonly previousSecretUntil: number | null
  /** Maximum number of events per request; 1: the event itself, more: an array of events. */
  readonly batchSize: number
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly creationTimestamp: number
  readonly createdBy: string
}

const columns = {
  org: 'org',
  id: 'id',
  kind: 'kind',
  name: 'name',
  url: 'url',
  categories: 'categories',
  objects: 'objects',
  headersSealed: 'headers_sealed',
  secretSealed: 'secret_sealed',
  previousSecretSealed: 'previous_secret_sealed',
  previousSecretUntil: 'previous_secret_until',
  batchSize: 'batch_size',
  enabled: 'enabled',
  disabledReason: 'disabled_reason',
  creationTimestamp: 'creation_timestamp',
  createdBy: 'created_by',
} as const satisfies Record<keyof WebhookRow, string>

const members = Object.keys(columns) as (keyof WebhookRow)[]
const selected = members.map((member) => `${columns[member]} AS "${member}"`).join(', ')

type Stored = Omit<WebhookRow, 'categories' | 'objects' | 'enabled'> & {
  readonly categories: string
  readonly objects: string
  readonly enabled: number
}

const fromStored = (row: Stored): WebhookRow => ({
  ...row,
  categories: JSON.parse(row.categories) as EventCategory[],
  objects: JSON.parse(row.objects) as EventObject[],
  enabled: row.enabled === 1,
})

const toStored = (row: WebhookRow): Stored => ({
  ...row,
  categories: JSON.stringify(row.categories),
  objects: JSON.stringify(row.objects),
  enabled: Number(row.enabled),
})

/** Returns the name shown as creator of an endpoint. */
export function creatorName(actor: Actor): string {
  if (actor.source === 'CLI') return actor.user
  return actor.source === 'API' ? actor.apiKeyName : (actor.email ?? '')
}

/** Returns the objects an endpoint is subscribed to, by category or individually, in contract order. */
export const subscribedObjects = ({
  categories,
  objects,
}: Pick<WebhookRow, 'categories' | 'objects'>): EventObject[] =>
  eventObjects.filter(
    (object) => objects.includes(object) || categories.includes(eventDeclarationOf(object).category),
  )

/** Lists the endpoints or streams of an organization, oldest first. */
export async function listWebhookRows(
  reader: Reader,
  org: number,
  kind: WebhookRow['kind'] = 'WEBHOOK',
): Promise<WebhookRow[]> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND kind = ? ORDER BY creation_timestamp, id`
  return (await reader.all<Stored>(sql, [org, kind])).map(fromStored)
}

/** Finds an endpoint of a kind. */
export async function findEndpoint(
  reader: Reader,
  org: number,
  id: string,
  kind: WebhookRow['kind'],
): Promise<WebhookRow | undefined> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND id = ? AND kind = ?`
  const row = await reader.get<Stored>(sql, [org, id, kind])
  return row && fromStored(row)
}

/** Finds a webhook endpoint. Returns undefined for other kinds. */
export const findWebhook = (reader: Reader, org: number, id: string): Promise<WebhookRow | undefined> =>
  findEndpoint(reader, org, id, 'WEBHOOK')

/** Finds a webhook endpoint and locks its row until the transaction ends. */
export async function lockWebhook(tx: Tx, org: number, id: string): Promise<WebhookRow | undefined> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND id = ? AND kind = 'WEBHOOK'${tx.dialect.forUpdate}`
  const row = await tx.get<Stored>(sql, [org, id])
  return row && fromStored(row)
}

/** Returns those of the IDs that exist, and prevents their removal until the transaction ends. */
export async function lockExistingWebhooks(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const keyShare = tx.dialect.forUpdate && ' FOR KEY SHARE'
  const sql = `SELECT id FROM webhooks WHERE ${tx.dialect.textIn('id')} ORDER BY id${keyShare}`
  const rows = await tx.all<{ id: string }>(sql, [JSON.stringify(ids)])
  return new Set(rows.map(({ id }) => id))
}

/** Kinds of endpoints that the deliverer sends to. */
export const deliveredKinds = "'WEBHOOK', 'ALERT'"

/** Finds webhook endpoints and alert rules of any organization by ID, without those that do not exist. */
export async function findWebhooks(reader: Reader, ids: readonly string[]): Promise<WebhookRow[]> {
  if (ids.length === 0) return []
  const sql = `SELECT ${selected} FROM webhooks WHERE ${reader.dialect.textIn('id')} AND kind IN (${deliveredKinds})`
  return (await reader.all<Stored>(sql, [JSON.stringify(ids)])).map(fromStored)
}

/** Inserts or replaces an endpoint and updates its subscriptions in the same transaction. */
export async function putWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const stored = toStored(row)
  const changed = members.filter((member) => member !== 'org' && member !== 'id')
  await tx.insert(
    'webhooks',
    members.map((member) => columns[member]),
    [members.map((member) => stored[member])],
    `ON CONFLICT (org, id) DO UPDATE SET ${changed.map((member) => `${columns[member]} = excluded.${columns[member]}`).join(', ')}`,
  )
  await updateSubscriptions(tx, row)
}

/** Replaces the subscriptions of an endpoint. A disabled endpoint has none. */
async function updateSubscriptions(tx: Tx, row: WebhookRow): Promise<void> {
  const { org, id } = row
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  const rows = row.enabled ? subscribedObjects(row).map((object) => [org, object, id]) : []
  if (rows.length > 0) await tx.insert('webhook_wishes', ['org', 'object', 'webhook_id'], rows)
}

/** Disables an endpoint. @returns false if it is already disabled or removed */
export async function disableWebhook(tx: Tx, org: number, id: string, reason: string): Promise<boolean> {
  const changed = await tx.run(
    'UPDATE webhooks SET enabled = 0, disabled_reason = ? WHERE org = ? AND id = ? AND enabled = 1',
    [reason, org, id],
  )
  if (changed === 0) return false
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  return true
}

/** Deletes an endpoint, without its deliveries, which may be many: `purgeEndpoint` deletes them afterwards. */
export async function deleteWebhook(tx: Tx, org: number, id: string): Promise<void> {
  await tx.run('DELETE FROM webhooks WHERE org = ? AND id = ?', [org, id])
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  await tx.run('DELETE FROM webhook_hours WHERE org = ? AND webhook_id = ?', [org, id])
}

/** Deletes expired previous secrets in all organizations. */
export const deleteExpiredSecrets = (tx: Tx, nowSeconds: number): Promise<number> =>
  tx.run(
    'UPDATE webhooks SET previous_secret_sealed = NULL, previous_secret_until = NULL WHERE previous_secret_until <= ?',
    [nowSeconds],
  )
