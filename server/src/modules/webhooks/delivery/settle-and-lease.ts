import { recordAudit } from '../../../kernel/events/audit-trail.ts'
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
  dropDeliveries,
  type LeasedDelivery,
  leaseDeliveries,
  maxAttempts,
  readEventBodies,
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

/** A finished attempt and the lease it was made under. */
export interface DeliveryAttempt extends AttemptRow {
  readonly lease: string
}

/** A leased delivery that was not attempted. */
export interface ReleasedDelivery extends WebhookKey {
  readonly eventId: string
  readonly lease: string
}

/** A request for due deliveries of one endpoint. */
export interface LeaseRequest extends WebhookKey {
  readonly lease: string
  readonly limit: number
}

/** The answer to a {@link LeaseRequest}. */
export interface LeasedBatch extends LeaseRequest {
  /** Undefined if the endpoint was removed. */
  readonly webhook: WebhookRow | undefined
  /** Empty if the endpoint was removed or disabled. */
  readonly deliveries: readonly LeasedDelivery[]
}

/** A batch with the bodies of its events. */
export interface LoadedBatch extends LeasedBatch {
  readonly bodies: ReadonlyMap<string, string>
}

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
 * the next deliveries. After it returns, its input is stored and must not be passed again.
 *
 * @param work `gone`: deliveries whose event no longer exists; `waiting`: IDs of endpoints that still have queued
 *   deliveries from an earlier call
 * @param leaseMs time after which an unsettled delivery is due again
 * @returns the leased batches, and the current rows of those `waiting` endpoints that are enabled, by ID; queued
 *   deliveries of any other endpoint must not be sent
 */
export async function settleAndLease(
  db: Db,
  work: {
    readonly attempts: readonly DeliveryAttempt[]
    readonly released: readonly ReleasedDelivery[]
    readonly gone: readonly ReleasedDelivery[]
    readonly requests: readonly LeaseRequest[]
    readonly waiting: readonly string[]
  },
  { nowMs, leaseMs, onDisabled }: { nowMs: number; leaseMs: number; onDisabled: OnDisabled },
): Promise<{ batches: LeasedBatch[]; enabled: ReadonlyMap<string, WebhookRow> }> {
  const { released, gone, requests, waiting } = work
  return db.inTransaction(async (tx) => {
    const existing = await lockExistingWebhooks(tx, [
      ...new Set(work.attempts.map(({ webhookId }) => webhookId)),
    ])
    // Attempts of an endpoint that was removed in the meantime are dropped.
    const attempts = work.attempts.filter(({ webhookId }) => existing.has(webhookId))
    for (const settled of groupByLease(attempts, released)) await settleDeliveries(tx, settled, nowMs)
    for (const delivery of gone) await dropDeliveries(tx, delivery, [delivery.eventId])
    await insertAttempts(tx, attempts)
    for (const endpoint of endpointsWithFailedEvents(attempts))
      await disableIfFailing(tx, endpoint, nowMs, onDisabled)
    const lease = async (request: LeaseRequest): Promise<LeasedBatch> => {
      const { org, webhookId } = request
      const webhook = await findWebhook(tx, org, webhookId)
      const deliveries = webhook?.enabled
        ? await leaseDeliveries(tx, request, { ...request, nowMs, leaseMs })
        : []
      return { ...request, webhook, deliveries }
    }
    // Concurrently, to avoid one round trip per request.
    const [found, batches] = await allSettledOrThrow([
      findWebhooks(tx, waiting),
      allSettledOrThrow(requests.map(lease)),
    ])
    return {
      batches,
      enabled: new Map(found.filter(({ enabled }) => enabled).map((webhook) => [webhook.id, webhook])),
    }
  })
}

/** Reads the event bodies of leased batches, outside the transaction to keep it short for other writers. */
export const loadEventBodies = (db: Db, batches: readonly LeasedBatch[]): Promise<LoadedBatch[]> =>
  allSettledOrThrow(
    batches.map(async (batch) => {
      const ids = batch.deliveries.map(({ eventId }) => eventId)
      return { ...batch, bodies: ids.length === 0 ? new Map() : await readEventBodies(db, batch.org, ids) }
    }),
  )

function groupByLease(
  attempts: readonly DeliveryAttempt[],
  released: readonly ReleasedDelivery[],
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
      released: idsOf(releasedByLease.get(lease)),
    }
  })
}

/** An endpoint and the events whose last attempt failed. */
interface FailingEndpoint extends WebhookKey {
  readonly eventIds: readonly string[]
}

/** Returns the endpoints with events that failed for good, in a fixed order to avoid deadlocks. */
function endpointsWithFailedEvents(attempts: readonly AttemptRow[]): FailingEndpoint[] {
  const last = attempts.filter(({ error, attempt }) => error !== null && attempt % maxAttempts === 0)
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
