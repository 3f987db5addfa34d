import type { DeliveryState } from '@muster/contract/console/console-webhooks'
import type { EventObject } from '@muster/contract/events/event-objects'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import { keyInList } from '../../kernel/store/key-in-list.ts'
import type { Dialect, Reader, Tx } from '../../kernel/store/sql.ts'
import { type AttemptRow, insertAttempts } from './webhook-attempts.store.ts'
import { deliveryRetries, type WebhookKey } from './webhook-deliveries.store.ts'

const { maxAttempts } = deliveryRetries

/** An entry of the delivery log: one event for one endpoint. */
export interface DeliveryRow {
  readonly eventId: string
  readonly object: EventObject
  /** Category of the stored event, or `TEST` for a test event. */
  readonly category: string
  readonly timestamp: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly dueMs: number
  /** Status of the last attempt; null without an attempt or response. */
  readonly lastStatus: number | null
  /** Error of the last attempt; null without an attempt or after a success. */
  readonly lastError: string | null
}

/** Filter of the delivery log. Times are those of the events, in milliseconds. */
export interface LogFilter {
  readonly state?: DeliveryState | undefined
  readonly object?: string | undefined
  readonly sinceMs?: number | undefined
  readonly untilMs?: number | undefined
  /** Only events with smaller IDs. */
  readonly before?: string | undefined
  readonly eventId?: string | undefined
}

/** Stored category of test events, which are excluded when a time range is sent again. */
export const testCategory = 'TEST'

/** Scalar subquery on the attempts of a delivery. With a join, the planner might scan all attempts of the endpoint. */
const ofAttempts = (what: string, order = ''): string =>
  `(SELECT ${what} FROM webhook_attempts a WHERE a.org = d.org AND a.webhook_id = d.webhook_id AND a.event_id = d.event_id${order})`
const lastOf = (column: 'status' | 'error'): string => ofAttempts(column, ' ORDER BY a.attempt DESC LIMIT 1')

/** A page of the log. A short or empty page is not the end unless `next` is null. */
export interface DeliveryPage {
  readonly rows: readonly DeliveryRow[]
  /** Value of {@link LogFilter.before} for the next page; null at the end. */
  readonly next: string | null
}

/** Maximum number of deliveries scanned per page when filtering by object, a column of the events table. */
const maxScannedPerPage = 5000

/**
 * Lists the log of an endpoint, newest event first.
 *
 * @param maxScanned maximum number of deliveries scanned when filtering by object
 */
export async function listDeliveryRows(
  reader: Reader,
  { org, webhookId }: WebhookKey,
  { state, object, sinceMs, untilMs, before, eventId }: LogFilter,
  limit: number,
  maxScanned = maxScannedPerPage,
): Promise<DeliveryPage> {
  const bounds = [
    sinceMs === undefined ? undefined : (['event_id >= ?', firstIdOf(sinceMs)] as const),
    untilMs === undefined ? undefined : (['event_id < ?', firstIdOf(untilMs)] as const),
    before === undefined ? undefined : (['event_id < ?', before] as const),
    eventId === undefined ? undefined : (['event_id = ?', eventId] as const),
  ].filter((bound) => bound !== undefined)
  // A literal instead of a parameter, to match the partial index of failed deliveries.
  const ofState = state === undefined ? '' : ` AND state = '${state}'`
  const scan = `FROM webhook_deliveries WHERE org = ? AND webhook_id = ?${ofState}${bounds.map(([sql]) => ` AND ${sql}`).join('')} ORDER BY event_id DESC LIMIT`
  const params = [org, webhookId, ...bounds.map(([, value]) => value)]
  const scanLimit = object === undefined ? limit + 1 : maxScanned
  const rows = await reader.all<DeliveryRow>(
    `SELECT d.event_id AS "eventId", e.object, e.category, e.timestamp, d.state, ${ofAttempts('count(*)')} AS attempts, d.due_ms AS "dueMs",
       ${lastOf('status')} AS "lastStatus", ${lastOf('error')} AS "lastError"
     FROM (SELECT * ${scan} ?) AS d CROSS JOIN events e
     WHERE e.org = d.org AND e.id = d.event_id${object === undefined ? '' : ' AND e.object = ?'}
     ORDER BY d.event_id DESC LIMIT ?`,
    [...params, scanLimit, ...(object === undefined ? [] : [object]), limit + 1],
  )
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.eventId ?? null }
  const last = await reader.get<{ id: string }>(`SELECT event_id AS id ${scan} 1 OFFSET ?`, [
    ...params,
    scanLimit - 1,
  ])
  return { rows, next: last?.id ?? null }
}

/** Returns the objects of events by ID, without events that were deleted. */
export async function findEventObjects(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const sql = `SELECT id, object FROM events WHERE ${keyInList(reader.dialect, 'events', ['org'], 'id')}`
  const rows = await reader.all<{ id: string; object: string }>(sql, [org, JSON.stringify(ids)])
  return new Map(rows.map(({ id, object }) => [id, object]))
}

/**
 * Conflict clause that makes existing deliveries due with four new attempts, unless one is in flight. Attempts continue
 * after the next multiple of four.
 */
const onConflictResend = ({
  nowMs,
}: Dialect): string => `ON CONFLICT (org, webhook_id, event_id) DO UPDATE SET state = 'PENDING', lease = NULL, due_ms = excluded.due_ms,
  attempts = (webhook_deliveries.attempts + ${maxAttempts - 1}) / ${maxAttempts} * ${maxAttempts}
  WHERE webhook_deliveries.state <> 'PENDING' OR webhook_deliveries.lease IS NULL OR webhook_deliveries.due_ms <= ${nowMs}`

const resendSql = (dialect: Dialect, where: string): string =>
  `INSERT INTO webhook_deliveries (org, webhook_id, event_id, state, attempts, due_ms)
   SELECT org, CAST(? AS text), id, 'PENDING', 0, CAST(? AS bigint) FROM events WHERE ${where} ${onConflictResend(dialect)}`

/** Queues events for an endpoint by ID, even if it has never received them. @returns the number of events */
export const resendEventsById = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  ids: readonly string[],
  nowMs: number,
): Promise<number> =>
  tx.run(resendSql(tx.dialect, keyInList(tx.dialect, 'events', ['org'], 'id')), [
    webhookId,
    nowMs,
    org,
    JSON.stringify(ids),
  ])

/** Half-open range of event IDs. */
export type IdRange = readonly [from: string, to: string]

const eventsPerRange = 2000

/** Splits the events of a time range into ID ranges of limited size, oldest first. */
export async function* eventRanges(
  reader: Reader,
  org: number,
  sinceMs: number,
  untilMs: number,
): AsyncGenerator<IdRange> {
  const end = firstIdOf(untilMs)
  const sql = `SELECT id FROM events WHERE org = ? AND id >= ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${eventsPerRange}`
  for (let from = firstIdOf(sinceMs); ; ) {
    const next = await reader.get<{ id: string }>(sql, [org, from, end])
    yield [from, next?.id ?? end]
    if (!next) return
    from = next.id
  }
}

/** Queues the events of a range that are about some objects. @returns the number of events */
export const resendRange = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  [from, to]: IdRange,
  objects: readonly string[],
  nowMs: number,
): Promise<number> =>
  tx.run(
    resendSql(
      tx.dialect,
      `org = ? AND id >= ? AND id < ? AND category <> '${testCategory}' AND ${tx.dialect.textIn('object')}`,
    ),
    [webhookId, nowMs, org, from, to, JSON.stringify(objects)],
  )

/** Queues the failed deliveries of a range, without test events, which have one attempt. @returns their number */
export const resendFailedInRange = (
  tx: Tx,
  { org, webhookId }: WebhookKey,
  [from, to]: IdRange,
  nowMs: number,
): Promise<number> =>
  tx.run(
    `UPDATE webhook_deliveries SET state = 'PENDING', due_ms = ?
     WHERE org = ? AND webhook_id = ? AND state = 'FAILED' AND attempts % ${maxAttempts} = 0
       AND event_id >= ? AND event_id < ?`,
    [nowMs, org, webhookId, from, to],
  )

/** Stores a test event, or a test message of an alert rule, with its attempt. */
export async function insertTestMessage(
  tx: Tx,
  attempt: AttemptRow,
  event: { readonly timestamp: number; readonly object: string; readonly body: string },
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

/** Pending deliveries. */
export interface PendingCount {
  readonly pending: number
  /** ID of the oldest pending event. */
  readonly oldest: string | null
}

/** Counts the pending deliveries of an endpoint. */
export async function countPending(reader: Reader, { org, webhookId }: WebhookKey): Promise<PendingCount> {
  const sql = `SELECT count(*) AS pending, min(event_id) AS oldest FROM webhook_deliveries
    WHERE org = ? AND webhook_id = ? AND state = 'PENDING'`
  return (await reader.get<PendingCount>(sql, [org, webhookId])) ?? { pending: 0, oldest: null }
}

/** Counts the pending deliveries of each enabled webhook endpoint. */
export const countAllPending = (reader: Reader): Promise<(PendingCount & { readonly id: string })[]> =>
  reader.all(
    `SELECT w.id, count(d.event_id) AS pending, min(d.event_id) AS oldest FROM webhooks w
     LEFT JOIN webhook_deliveries d ON d.org = w.org AND d.webhook_id = w.id AND d.state = 'PENDING'
     WHERE w.kind = 'WEBHOOK' AND w.enabled = 1 GROUP BY w.org, w.id`,
  )
