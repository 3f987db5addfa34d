import { randomUUID } from 'node:crypto'
import { recordAudit } from '../../../kernel/events/audit-trail.ts'
import type { QueueExchange } from '../../../kernel/jobs/job-queue.ts'
import type { LaneKey } from '../../../kernel/jobs/queue-lane.ts'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { maskUrlPath } from '../../../kernel/lib/secrets/redact.ts'
import type { Db, Tx } from '../../../kernel/store/sql.ts'
import { auditedWebhook } from '../audited-webhook.ts'
import {
  type AttemptRow,
  countRecentAttempts,
  hasUnforgivenFailure,
  insertAttempts,
} from '../webhook-attempts.store.ts'
import {
  deliveryRetries,
  type LeasedDelivery,
  leaseDeliveries,
  type SettledDeliveries,
  settleDeliveries,
  type WebhookKey,
} from '../webhook-deliveries.store.ts'
import {
  disableWebhook,
  findWebhook,
  findWebhooks,
  lockExistingWebhooks,
  type WebhookRow,
} from '../webhooks.service.ts'

/** Lane of an endpoint in the queue. Its name is the ID of the endpoint. */
export interface EndpointLane extends WebhookKey, LaneKey {}

/** Deliveries leased by this process that are sent in one request. */
export interface LeasedBatch extends WebhookKey {
  readonly lane: EndpointLane
  readonly lease: string
  readonly deliveries: readonly LeasedDelivery[]
}

/** A finished attempt and the lease it was made under. */
export interface DeliveryAttempt extends AttemptRow {
  readonly lease: string
  /** Kind of the endpoint. */
  readonly kind: WebhookRow['kind']
}

/** Maximum number of events in one lease of an endpoint, and in flight to one with batches. */
export const maxLeasedEvents = 4096

/** Called in the transaction that disables a failing endpoint. */
export type OnDisabled = (tx: Tx, webhook: WebhookRow, nowMs: number) => Promise<void>

/**
 * An endpoint is disabled when at least this share of its attempts in the last 24 hours failed (events contract, section
 * 1, rule 5) and an event just failed its last attempt. Without the second condition a receiver that restarts under load
 * would be disabled within a second.
 */
const failingShare = 0.95
const minAttemptsToDisable = 50

/**
 * Exchanges state with the store in one transaction: records finished attempts, disables failing endpoints and leases
 * the next deliveries.
 *
 * @param leaseMs time after which an unsettled delivery is due again
 * @returns the leased deliveries, and the current rows of those endpoints, leased from or `waiting`, that are enabled, by
 *   ID; queued deliveries of any other endpoint must not be sent
 */
export async function settleAndLease(
  db: Db,
  {
    outcomes,
    released,
    requests,
    waiting,
  }: QueueExchange<EndpointLane, LeasedBatch, readonly DeliveryAttempt[]>,
  { nowMs, leaseMs, onDisabled }: { nowMs: number; leaseMs: number; onDisabled: OnDisabled },
): Promise<{ leased: LeasedBatch[]; more: EndpointLane[]; enabled: ReadonlyMap<string, WebhookRow> }> {
  const made = outcomes.flat()
  return db.inTransaction(async (tx) => {
    const existing = await lockExistingWebhooks(tx, [...new Set(made.map(({ webhookId }) => webhookId))])
    // Attempts of an endpoint that was removed in the meantime are dropped.
    const attempts = made.filter(({ webhookId }) => existing.has(webhookId))
    for (const settled of groupByLease(attempts, released)) await settleDeliveries(tx, settled, nowMs)
    await insertAttempts(tx, attempts)
    for (const endpoint of endpointsWithFailedEvents(attempts))
      await disableIfFailing(tx, endpoint, nowMs, onDisabled)
    const lanes = [...requests.map(({ lane }) => lane), ...waiting]
    const enabled = new Map(
      (await findWebhooks(tx, [...new Set(lanes.map(({ webhookId }) => webhookId))]))
        .filter((webhook) => webhook.enabled)
        .map((webhook) => [webhook.id, webhook]),
    )
    const more: EndpointLane[] = []
    const leaseOf = async ({ lane, limit }: (typeof requests)[number]): Promise<LeasedBatch[]> => {
      const { org, webhookId } = lane
      const batchSize = enabled.get(webhookId)?.batchSize
      if (batchSize === undefined) return []
      const lease = randomUUID()
      const events = Math.min(limit * batchSize, maxLeasedEvents)
      const deliveries = await leaseDeliveries(tx, lane, { lease, limit: events, nowMs, leaseMs })
      if (deliveries.length === events) more.push(lane)
      return batchesOf(deliveries, batchSize).map((batch) => ({
        org,
        webhookId,
        lane,
        lease,
        deliveries: batch,
      }))
    }
    // Concurrently, to avoid one round trip per request.
    const leased = await allSettledOrThrow(requests.map(leaseOf))
    return { leased: leased.flat(), more, enabled }
  })
}

/**
 * Splits deliveries into requests. A retry has a tenth of the events of the attempt before, so that an event that the endpoint
 * refuses does not take the others along.
 */
export function batchesOf(deliveries: readonly LeasedDelivery[], batchSize: number): LeasedDelivery[][] {
  const batches: LeasedDelivery[][] = []
  for (const [round, some] of Map.groupBy(
    deliveries,
    ({ attempts }) => attempts % deliveryRetries.maxAttempts,
  )) {
    const size = Math.max(1, Math.floor(batchSize / 10 ** round))
    for (let at = 0; at < some.length; at += size) batches.push(some.slice(at, at + size))
  }
  return batches
}

function groupByLease(
  attempts: readonly DeliveryAttempt[],
  released: readonly LeasedBatch[],
): SettledDeliveries[] {
  const attemptsByLease = Map.groupBy(attempts, ({ lease }) => lease)
  const releasedByLease = Map.groupBy(released, ({ lease }) => lease)
  const leases = new Map([...attempts, ...released].map((delivery) => [delivery.lease, delivery]))
  return [...leases].map(([lease, { org, webhookId }]) => {
    const idsOf = (rows: readonly { readonly eventId: string }[] = []) => rows.map(({ eventId }) => eventId)
    const made = attemptsByLease.get(lease) ?? []
    return {
      org,
      webhookId,
      lease,
      delivered: idsOf(made.filter(({ error }) => error === null)),
      failed: idsOf(made.filter(({ error }) => error !== null)),
      released: idsOf(releasedByLease.get(lease)?.flatMap(({ deliveries }) => deliveries)),
    }
  })
}

/** An endpoint and the events whose last attempt failed. */
interface FailingEndpoint extends WebhookKey {
  readonly eventIds: readonly string[]
}

/** Returns the endpoints with events that failed for good, in a fixed order to avoid deadlocks. */
function endpointsWithFailedEvents(attempts: readonly AttemptRow[]): FailingEndpoint[] {
  const last = attempts.filter(
    ({ error, attempt }) => error !== null && attempt % deliveryRetries.maxAttempts === 0,
  )
  const byEndpoint = Map.groupBy(last, ({ org, webhookId }) => `${org} ${webhookId}`)
  return [...byEndpoint]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, failed]) => {
      const [first] = failed
      return first ? [{ ...first, eventIds: failed.map(({ eventId }) => eventId) }] : []
    })
}

async function disableIfFailing(
  tx: Tx,
  endpoint: FailingEndpoint,
  nowMs: number,
  onDisabled: OnDisabled,
): Promise<void> {
  const { org, webhookId, eventIds } = endpoint
  const nowSeconds = Math.floor(nowMs / 1000)
  const { delivered, failed } = await countRecentAttempts(tx, endpoint, nowSeconds)
  const total = delivered + failed
  if (total < minAttemptsToDisable || failed < failingShare * total) return
  if (!(await hasUnforgivenFailure(tx, endpoint, eventIds))) return
  // An alert rule stays enabled: people count on it, and it sends little.
  if (!(await findWebhook(tx, org, webhookId))) return
  if (!(await disableWebhook(tx, org, webhookId, 'FAILURES'))) return
  const webhook = await findWebhook(tx, org, webhookId)
  if (!webhook) return
  await recordAudit(tx, org, 'WEBHOOK_UPDATED', {
    actor: null,
    new: { ...auditedWebhook(webhook), changes: [{ name: 'enabled', old: true, new: false }] },
    timestamp: nowSeconds,
    what: `Webhook ${maskUrlPath(webhook.url)} was disabled: at least 95 % of its attempts in the last 24 hours failed`,
  })
  await onDisabled(tx, webhook, nowMs)
}
