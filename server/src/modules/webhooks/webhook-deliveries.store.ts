import type { RetrySchedule } from '../../kernel/jobs/retry-schedule.ts'
import { keyInList } from '../../kernel/store/key-in-list.ts'
import { runPerRow } from '../../kernel/store/run-per-row.ts'
import type { Dialect, Reader, Tx } from '../../kernel/store/sql.ts'
import { deliveredKinds } from './webhooks.service.ts'

/** Key of an endpoint. */
export interface WebhookKey {
  readonly org: number
  readonly webhookId: string
}

/** A delivery leased by this process: no other process leases it until the lease expires. */
export interface LeasedDelivery {
  readonly eventId: string
  /** Number of earlier attempts. */
  readonly attempts: number
}

/** Results of the deliveries of one lease, as event IDs. */
export interface SettledDeliveries extends WebhookKey {
  readonly lease: string
  readonly delivered: readonly string[]
  readonly failed: readonly string[]
  /** Not attempted: due again immediately. */
  readonly released: readonly string[]
}

/** Attempts of a delivery (events contract, section 1, rule 3). */
export const deliveryRetries = {
  delaysMs: [60_000, 300_000, 900_000],
  maxAttempts: 4,
} as const satisfies RetrySchedule
const { maxAttempts } = deliveryRetries
const retryDelayMs = `CASE attempts % ${maxAttempts}${deliveryRetries.delaysMs.map((ms, at) => ` WHEN ${at} THEN ${ms}`).join('')} ELSE 0 END`

/** SQL condition for deliveries of an endpoint. Parameters: org, endpoint, JSON array of event IDs. */
const amongDeliveries = (dialect: Dialect): string =>
  keyInList(dialect, 'webhook_deliveries', ['org', 'webhook_id'], 'event_id')

/**
 * SQL condition for due deliveries. Parameters: the time of the process, twice. Leases expire by the store's clock, since
 * another process may have made them. The first half is implied by the second and lets the index be used.
 */
const isDue = ({ nowMs, greatest }: Dialect): string =>
  `due_ms <= ${greatest('CAST(? AS bigint)', nowMs)} AND due_ms <= CASE WHEN lease IS NULL THEN CAST(? AS bigint) ELSE ${nowMs} END`

/** Lists the enabled webhook endpoints and alert rules with due deliveries. */
export const dueWebhooks = (
  reader: Reader,
  nowMs: number,
): Promise<(WebhookKey & { readonly batchSize: number })[]> =>
  reader.all(
    `SELECT w.org, w.id AS "webhookId", w.batch_size AS "batchSize" FROM webhooks w WHERE w.kind IN (${deliveredKinds}) AND w.enabled = 1 AND EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.org = w.org AND d.webhook_id = w.id AND d.state = 'PENDING' AND ${isDue(reader.dialect)} ${runPerRow})`,
    [nowMs, nowMs],
  )

/**
 * Leases due deliveries of an endpoint, longest due first. Unless settled, they are due again when the lease expires by
 * the store's clock. Concurrent processes get different deliveries, even if their clocks differ.
 *
 * @param lease unique ID of the lease
 * @param leaseMs duration of the lease
 */
export async function leaseDeliveries(
  tx: Tx,
  { org, webhookId }: WebhookKey,
  { lease, nowMs, leaseMs, limit }: { lease: string; nowMs: number; leaseMs: number; limit: number },
): Promise<LeasedDelivery[]> {
  const { forUpdate, nowMs: storeMs } = tx.dialect
  // A separate query: as a subquery of the UPDATE, PostgreSQL may run it more than once and exceed the limit.
  const rows = await tx.all<LeasedDelivery>(
    `SELECT event_id AS "eventId", attempts FROM webhook_deliveries
     WHERE org = ? AND webhook_id = ? AND state = 'PENDING' AND ${isDue(tx.dialect)}
     ORDER BY due_ms, event_id LIMIT ?${forUpdate && `${forUpdate} SKIP LOCKED`}`,
    [org, webhookId, nowMs, nowMs, limit],
  )
  if (rows.length === 0) return rows
  const ids = JSON.stringify(rows.map(({ eventId }) => eventId))
  const set = `lease = ?, due_ms = ${storeMs} + CAST(? AS bigint)`
  const sql = `UPDATE webhook_deliveries SET ${set} WHERE ${amongDeliveries(tx.dialect)}`
  await tx.run(sql, [lease, leaseMs, org, webhookId, ids])
  return rows
}

/** Reads the bodies of events by ID, without those that were deleted. */
export async function readEventBodies(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const sql = `SELECT id, body FROM events WHERE ${keyInList(reader.dialect, 'events', ['org'], 'id')}`
  const rows = await reader.all<{ id: string; body: string }>(sql, [org, JSON.stringify(ids)])
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Writes the results of deliveries, unless another process has leased them since. */
export async function settleDeliveries(tx: Tx, settled: SettledDeliveries, nowMs: number): Promise<void> {
  const { org, webhookId, lease, delivered, failed, released } = settled
  const change = async (ids: readonly string[], set: string, params: readonly number[] = []) => {
    if (ids.length === 0) return
    const sql = `UPDATE webhook_deliveries SET ${set}, lease = NULL WHERE ${amongDeliveries(tx.dialect)} AND lease = ?`
    await tx.run(sql, [...params, org, webhookId, JSON.stringify(ids), lease])
  }
  await change(delivered, `state = 'DELIVERED', attempts = attempts + 1`)
  await change(
    failed,
    `state = CASE WHEN (attempts + 1) % ${maxAttempts} = 0 THEN 'FAILED' ELSE 'PENDING' END, attempts = attempts + 1,
     due_ms = ${retryDelayMs} + CAST(? AS bigint)`,
    [nowMs],
  )
  await change(released, 'due_ms = ?', [nowMs])
}

/** Deletes deliveries whose event was deleted. */
export async function dropDeliveries(
  tx: Tx,
  { org, webhookId }: WebhookKey,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const sql = `DELETE FROM webhook_deliveries WHERE ${amongDeliveries(tx.dialect)}`
  await tx.run(sql, [org, webhookId, JSON.stringify(ids)])
}
