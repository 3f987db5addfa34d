import { keyInList } from '../../kernel/store/key-in-list.ts'
import type { Dialect, Reader, Tx } from '../../kernel/store/sql.ts'

/** The endpoint that events are delivered to. */
export interface WebhookKey {
  readonly org: number
  readonly webhookId: string
}

/** An event that was taken to be delivered: nobody else takes it until the lease is over. */
export interface LeasedDelivery {
  readonly eventId: string
  /** How many attempts there were before. */
  readonly attempts: number
}

/** What became of deliveries of one lease. */
export interface SettledDeliveries extends WebhookKey {
  readonly lease: string
  readonly delivered: readonly string[]
  readonly failed: readonly string[]
  /** Not tried: they are due again at once. */
  readonly released: readonly string[]
}

/** After so many attempts an event has failed (events contract, section 1, rule 3). */
export const attemptsMaximum = 4
/** How long after the first, second and third attempt the next one is due, in milliseconds. */
export const retryDelaysMs = [60_000, 300_000, 900_000] as const

/** A condition that a delivery is one of an endpoint; the parameters are org, endpoint and a JSON array of events. */
const amongDeliveries = (dialect: Dialect): string =>
  keyInList(dialect, 'webhook_deliveries', ['org', 'webhook_id'], 'event_id')

/**
 * A condition that a delivery is due: one that waits by the clock of the process, whose time is its parameter, twice; one
 * that is leased by that of the store, since another process may have leased it. The first half is for the index.
 */
const isDue = ({ nowMs, greatest }: Dialect): string =>
  `due_ms <= ${greatest('CAST(? AS bigint)', nowMs)} AND due_ms <= CASE WHEN lease IS NULL THEN CAST(? AS bigint) ELSE ${nowMs} END`

/** The endpoints of webhooks that are on and have something due. */
export const dueWebhooks = (reader: Reader, nowMs: number): Promise<WebhookKey[]> =>
  reader.all<WebhookKey>(
    `SELECT w.org, w.id AS "webhookId" FROM webhooks w WHERE w.kind = 'WEBHOOK' AND w.enabled = 1 AND EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.org = w.org AND d.webhook_id = w.id AND d.state = 'PENDING' AND ${isDue(reader.dialect)})`,
    [nowMs, nowMs],
  )

/**
 * Takes deliveries of an endpoint that are due, what is due for longest first. They are due again when the lease is
 * over, by the store's clock, unless they are settled before; of several processes that ask at the same time, each gets
 * others, also if their clocks differ.
 *
 * @param lease names it: one of its own for every call
 * @param leaseMs how long it lasts
 */
export async function leaseDeliveries(
  tx: Tx,
  { org, webhookId }: WebhookKey,
  { lease, nowMs, leaseMs, limit }: { lease: string; nowMs: number; leaseMs: number; limit: number },
): Promise<LeasedDelivery[]> {
  const { forUpdate, nowMs: storeMs } = tx.dialect
  // Not within the update: PostgreSQL may run a query with a limit there more than once, and take more than that.
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

/** The texts of events as they are sent, by their ids; those that are gone are not there. */
export async function readEventBodies(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const sql = `SELECT id, body FROM events WHERE ${keyInList(reader.dialect, 'events', ['org'], 'id')}`
  const rows = await reader.all<{ id: string; body: string }>(sql, [org, JSON.stringify(ids)])
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Notes what became of deliveries, if their lease is not over, or at least nobody else has taken them since. */
export async function settleDeliveries(tx: Tx, settled: SettledDeliveries, nowMs: number): Promise<void> {
  const { org, webhookId, lease, delivered, failed, released } = settled
  const [first, second, third] = retryDelaysMs
  const change = async (ids: readonly string[], set: string, params: readonly number[] = []) => {
    if (ids.length === 0) return
    const sql = `UPDATE webhook_deliveries SET ${set}, lease = NULL WHERE ${amongDeliveries(tx.dialect)} AND lease = ?`
    await tx.run(sql, [...params, org, webhookId, JSON.stringify(ids), lease])
  }
  await change(delivered, `state = 'DELIVERED', attempts = attempts + 1`)
  await change(
    failed,
    `state = CASE WHEN (attempts + 1) % ${attemptsMaximum} = 0 THEN 'FAILED' ELSE 'PENDING' END, attempts = attempts + 1,
     due_ms = CASE attempts % ${attemptsMaximum} WHEN 0 THEN ${first} WHEN 1 THEN ${second} ELSE ${third} END + CAST(? AS bigint)`,
    [nowMs],
  )
  await change(released, 'due_ms = ?', [nowMs])
}

/** Forgets deliveries whose event is gone: there is nothing to send. */
export async function dropDeliveries(
  tx: Tx,
  { org, webhookId }: WebhookKey,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const sql = `DELETE FROM webhook_deliveries WHERE ${amongDeliveries(tx.dialect)}`
  await tx.run(sql, [org, webhookId, JSON.stringify(ids)])
}
