import type { DeliveryState } from '@muster/contract/console/console-webhooks'
import type { EventObject } from '@muster/contract/event-objects'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import { keyInList } from '../../kernel/store/key-in-list.ts'
import type { Dialect, Reader, Tx } from '../../kernel/store/sql.ts'
import { type AttemptRow, insertAttempts } from './webhook-attempts.store.ts'
import { attemptsMaximum, type WebhookKey } from './webhook-deliveries.store.ts'

/** An event and an endpoint, as the log shows them. */
export interface DeliveryRow {
  readonly eventId: string
  readonly object: EventObject
  /** As it is kept with the event: `TEST` for one that was made up. */
  readonly category: string
  readonly timestamp: number
  readonly state: DeliveryState
  /** How many there were; those of an event that was sent again are numbered from the next multiple of four on. */
  readonly attempts: number
  readonly dueMs: number
  /** Of the last attempt; null if there was none, or no answer came, or nothing was wrong. */
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** What of the log is asked for. Times are milliseconds at which events were written. */
export interface LogFilter {
  readonly state?: DeliveryState | undefined
  readonly object?: string | undefined
  readonly sinceMs?: number | undefined
  readonly untilMs?: number | undefined
  /** Only events with a smaller id. */
  readonly before?: string | undefined
  readonly eventId?: string | undefined
}

/** The category under which events are kept that were made up to test an endpoint: they are never sent again by time. */
export const testCategory = 'TEST'

/** Something of the attempts of a delivery: by itself, since a join would be free to walk through all of the endpoint. */
const ofAttempts = (what: string, order = ''): string =>
  `(SELECT ${what} FROM webhook_attempts a WHERE a.org = d.org AND a.webhook_id = d.webhook_id AND a.event_id = d.event_id${order})`
const lastOf = (column: 'status' | 'error'): string => ofAttempts(column, ' ORDER BY a.attempt DESC LIMIT 1')

/** A page of the log. It may be short, or empty, and yet go on. */
export interface DeliveryPage {
  readonly rows: readonly DeliveryRow[]
  /** What is {@link LogFilter.before} for the next page; null at the end. */
  readonly next: string | null
}

/** So many deliveries are looked at for a page where what is asked for stands with the events. */
const lookedAtOnce = 5000

/**
 * The log of an endpoint, newest event first.
 *
 * @param looked how many deliveries are looked at for a page of one object
 */
export async function listDeliveryRows(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  { state, object, sinceMs, untilMs, before, eventId }: LogFilter,
  limit: number,
  looked = lookedAtOnce,
): Promise<DeliveryPage> {
  const bounds = [
    sinceMs === undefined ? undefined : (['event_id >= ?', firstIdOf(sinceMs)] as const),
    untilMs === undefined ? undefined : (['event_id < ?', firstIdOf(untilMs)] as const),
    before === undefined ? undefined : (['event_id < ?', before] as const),
    eventId === undefined ? undefined : (['event_id = ?', eventId] as const),
  ].filter((bound) => bound !== undefined)
  // Written out, so that the index of those that failed fits.
  const ofState = state === undefined ? '' : ` AND state = '${state}'`
  const walk = `FROM webhook_deliveries WHERE org = ? AND webhook_id = ?${ofState}${bounds.map(([sql]) => ` AND ${sql}`).join('')} ORDER BY event_id DESC LIMIT`
  const params = [org, webhookId, ...bounds.map(([, value]) => value)]
  const most = object === undefined ? limit + 1 : looked
  const rows = await reader.all<DeliveryRow>(
    `SELECT d.event_id AS "eventId", e.object, e.category, e.timestamp, d.state, ${ofAttempts('count(*)')} AS attempts, d.due_ms AS "dueMs",
       ${lastOf('status')} AS "lastStatus", ${lastOf('error')} AS "lastError"
     FROM (SELECT * ${walk} ?) AS d CROSS JOIN events e
     WHERE e.org = d.org AND e.id = d.event_id${object === undefined ? '' : ' AND e.object = ?'}
     ORDER BY d.event_id DESC LIMIT ?`,
    [...params, most, ...(object === undefined ? [] : [object]), limit + 1],
  )
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.eventId ?? null }
  const last = await reader.get<{ id: string }>(`SELECT event_id AS id ${walk} 1 OFFSET ?`, [
    ...params,
    most - 1,
  ])
  return { rows, next: last?.id ?? null }
}

/** What events are about, by their ids; those that are not kept are not there. */
export async function findEventObjects(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const sql = `SELECT id, object FROM events WHERE ${keyInList(reader.dialect, 'events', ['org'], 'id')}`
  const rows = await reader.all<{ id: string; object: string }>(sql, [org, JSON.stringify(ids)])
  return new Map(rows.map(({ id, object }) => [id, object]))
}

/** Deliveries that are due now, in four attempts of their own, unless they are on their way at this moment. */
const dueAgain = ({
  nowMs,
}: Dialect): string => `ON CONFLICT (org, webhook_id, event_id) DO UPDATE SET state = 'PENDING', lease = NULL, due_ms = excluded.due_ms,
  attempts = (webhook_deliveries.attempts + ${attemptsMaximum - 1}) / ${attemptsMaximum} * ${attemptsMaximum}
  WHERE webhook_deliveries.state <> 'PENDING' OR webhook_deliveries.lease IS NULL OR webhook_deliveries.due_ms <= ${nowMs}`

const sendAgainSql = (dialect: Dialect, where: string): string =>
  `INSERT INTO webhook_deliveries (org, webhook_id, event_id, state, attempts, due_ms)
   SELECT org, CAST(? AS text), id, 'PENDING', 0, CAST(? AS bigint) FROM events WHERE ${where} ${dueAgain(dialect)}`

/** Sends events to an endpoint again, whether it was sent them before or not; says how many there are. */
export const sendEventsAgain = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  ids: readonly string[],
  nowMs: number,
): Promise<number> =>
  tx.run(sendAgainSql(tx.dialect, keyInList(tx.dialect, 'events', ['org'], 'id')), [
    webhookId,
    nowMs,
    org,
    JSON.stringify(ids),
  ])

/** A part of the events of an organization, by their ids: from the first, up to but not with the second. */
export type IdRange = readonly [from: string, to: string]

/** Events that one transaction sends again. */
const sentAgainAtOnce = 2000

/** The events that were written in a time, a part at a time, oldest first. */
export async function* eventRanges(
  reader: Reader,
  org: number,
  sinceMs: number,
  untilMs: number,
): AsyncGenerator<IdRange> {
  const end = firstIdOf(untilMs)
  const sql = `SELECT id FROM events WHERE org = ? AND id >= ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${sentAgainAtOnce}`
  for (let from = firstIdOf(sinceMs); ; ) {
    const next = await reader.get<{ id: string }>(sql, [org, from, end])
    yield [from, next?.id ?? end]
    if (!next) return
    from = next.id
  }
}

/** Sends those of a range to an endpoint again that are about objects it wishes for; says how many there are. */
export const sendRangeAgain = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  [from, to]: IdRange,
  objects: readonly string[],
  nowMs: number,
): Promise<number> =>
  tx.run(
    sendAgainSql(
      tx.dialect,
      `org = ? AND id >= ? AND id < ? AND category <> '${testCategory}' AND ${tx.dialect.textIn('object')}`,
    ),
    [webhookId, nowMs, org, from, to, JSON.stringify(objects)],
  )

/** Sends those of a range again that have failed, but for test events, which have one attempt; says how many there are. */
export const sendFailedAgain = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  [from, to]: IdRange,
  nowMs: number,
): Promise<number> =>
  tx.run(
    `UPDATE webhook_deliveries SET state = 'PENDING', due_ms = ?
     WHERE org = ? AND webhook_id = ? AND state = 'FAILED' AND attempts % ${attemptsMaximum} = 0
       AND event_id >= ? AND event_id < ?`,
    [nowMs, org, webhookId, from, to],
  )

/** Keeps an event that was made up to test an endpoint, with what came of it. */
export async function insertTestEvent(
  tx: Tx,
  attempt: AttemptRow,
  event: { readonly timestamp: number; readonly object: EventObject; readonly body: string },
): Promise<void> {
  const { org, webhookId, eventId, atMs, error } = attempt
  await tx.insert(
    'events',
    ['org', 'id', 'timestamp', 'object', 'category', 'body'],
    [[org, eventId, event.timestamp, event.object, testCategory, event.body]],
  )
  await tx.insert(
    'webhook_deliveries',
    ['org', 'webhook_id', 'event_id', 'state', 'attempts', 'due_ms'],
    [[org, webhookId, eventId, error === null ? 'DELIVERED' : 'FAILED', attempt.attempt, atMs]],
  )
  await insertAttempts(tx, [attempt])
}

/** What waits for an endpoint. */
export interface Waiting {
  /** Counted no further than `most`. */
  readonly pending: number
  /** The id of the oldest event that waits. */
  readonly oldest: string | null
}

/** How many events wait for an endpoint, and since when. */
export async function countWaiting(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  most: number,
): Promise<Waiting> {
  const sql = `SELECT count(*) AS pending, min(event_id) AS oldest FROM (SELECT event_id FROM webhook_deliveries
    WHERE org = ? AND webhook_id = ? AND state = 'PENDING' ORDER BY due_ms, event_id LIMIT ?) AS waiting`
  return (await reader.get<Waiting>(sql, [org, webhookId, most])) ?? { pending: 0, oldest: null }
}

/** How many events wait for all endpoints of webhooks that are on, and the id of the oldest. */
export async function countAllWaiting(reader: Reader): Promise<Waiting> {
  const sql = `SELECT count(d.event_id) AS pending, min(d.event_id) AS oldest FROM webhooks w
    JOIN webhook_deliveries d ON d.org = w.org AND d.webhook_id = w.id AND d.state = 'PENDING'
    WHERE w.kind = 'WEBHOOK' AND w.enabled = 1`
  return (await reader.get<Waiting>(sql)) ?? { pending: 0, oldest: null }
}
