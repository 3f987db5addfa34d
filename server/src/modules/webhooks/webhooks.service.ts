import type { EventCategory } from '@muster/contract/event-envelope'
import { type EventObject, eventDeclarationOf, eventObjects } from '@muster/contract/event-objects'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** An endpoint of webhooks, or a stream of the server's own (`FILE`, `SYSLOG`). */
export interface WebhookRow {
  readonly org: number
  readonly id: string
  readonly kind: 'WEBHOOK' | 'FILE' | 'SYSLOG'
  readonly name: string | null
  readonly url: string
  readonly categories: readonly EventCategory[]
  /** Further objects whose events are sent. */
  readonly objects: readonly EventObject[]
  /** Static headers, the secret and the secret before it are encrypted. */
  readonly headersSealed: string | null
  readonly secretSealed: string | null
  readonly previousSecretSealed: string | null
  /** Until when events are signed with the secret before, too; UNIX seconds. */
  readonly previousSecretUntil: number | null
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

/** What an endpoint is sent: all objects of its categories, and its further objects, in the order of the contract. */
export const wishedObjects = ({
  categories,
  objects,
}: Pick<WebhookRow, 'categories' | 'objects'>): EventObject[] =>
  eventObjects.filter(
    (object) => objects.includes(object) || categories.includes(eventDeclarationOf(object).category),
  )

/** The endpoints of an organization of a kind, oldest first. */
export async function listWebhookRows(
  reader: Reader,
  org: number,
  kind: WebhookRow['kind'] = 'WEBHOOK',
): Promise<WebhookRow[]> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND kind = ? ORDER BY creation_timestamp, id`
  return (await reader.all<Stored>(sql, [org, kind])).map(fromStored)
}

/** An endpoint of webhooks; undefined for streams, too. */
export async function findWebhook(reader: Reader, org: number, id: string): Promise<WebhookRow | undefined> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND id = ? AND kind = 'WEBHOOK'`
  const row = await reader.get<Stored>(sql, [org, id])
  return row && fromStored(row)
}

/** An endpoint of webhooks that will be changed in this transaction: nobody else changes it until then. */
export async function lockWebhook(tx: Tx, org: number, id: string): Promise<WebhookRow | undefined> {
  const sql = `SELECT ${selected} FROM webhooks WHERE org = ? AND id = ? AND kind = 'WEBHOOK'${tx.dialect.forUpdate}`
  const row = await tx.get<Stored>(sql, [org, id])
  return row && fromStored(row)
}

/** Which of some endpoints are there, by their ids; none of them is removed before the transaction ends. */
export async function presentWebhooks(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const keyShare = tx.dialect.forUpdate && ' FOR KEY SHARE'
  const sql = `SELECT id FROM webhooks WHERE ${tx.dialect.textIn('id')} ORDER BY id${keyShare}`
  const rows = await tx.all<{ id: string }>(sql, [JSON.stringify(ids)])
  return new Set(rows.map(({ id }) => id))
}

/** Endpoints of webhooks, of whichever organizations, by their ids; those that are gone are not there. */
export async function findWebhooks(reader: Reader, ids: readonly string[]): Promise<WebhookRow[]> {
  if (ids.length === 0) return []
  const sql = `SELECT ${selected} FROM webhooks WHERE ${reader.dialect.textIn('id')} AND kind = 'WEBHOOK'`
  return (await reader.all<Stored>(sql, [JSON.stringify(ids)])).map(fromStored)
}

/** Adds an endpoint, or changes it to what it is told to be; from the same moment on its events are kept, or not. */
export async function putWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  const stored = toStored(row)
  const changed = members.filter((member) => member !== 'org' && member !== 'id')
  await tx.insert(
    'webhooks',
    members.map((member) => columns[member]),
    [members.map((member) => stored[member])],
    `ON CONFLICT (org, id) DO UPDATE SET ${changed.map((member) => `${columns[member]} = excluded.${columns[member]}`).join(', ')}`,
  )
  await changeWishes(tx, row)
}

/** Keeps what is wished for in step with an endpoint: nothing while it is off. */
async function changeWishes(tx: Tx, row: WebhookRow): Promise<void> {
  const { org, id } = row
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  const rows = row.enabled ? wishedObjects(row).map((object) => [org, object, id]) : []
  if (rows.length > 0) await tx.insert('webhook_wishes', ['org', 'object', 'webhook_id'], rows)
}

/** Switches an endpoint off; false if it is off, or gone, already. */
export async function switchOffWebhook(tx: Tx, org: number, id: string, reason: string): Promise<boolean> {
  const changed = await tx.run(
    'UPDATE webhooks SET enabled = 0, disabled_reason = ? WHERE org = ? AND id = ? AND enabled = 1',
    [reason, org, id],
  )
  if (changed === 0) return false
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  return true
}

/** Removes an endpoint. What waits for it and its log may be much, and go afterwards, by `removeAllRows`. */
export async function deleteWebhook(tx: Tx, org: number, id: string): Promise<void> {
  await tx.run('DELETE FROM webhooks WHERE org = ? AND id = ?', [org, id])
  await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
  await tx.run('DELETE FROM webhook_hours WHERE org = ? AND webhook_id = ?', [org, id])
}

/** Removes secrets that are valid no more, of all organizations. */
export const removeOldSecrets = (tx: Tx, nowSeconds: number): Promise<number> =>
  tx.run(
    'UPDATE webhooks SET previous_secret_sealed = NULL, previous_secret_until = NULL WHERE previous_secret_until <= ?',
    [nowSeconds],
  )
