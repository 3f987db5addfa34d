import type { KeyObject } from 'node:crypto'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@muster/contract/console/console-webhooks'
import { eventDeclarationOf } from '@muster/contract/events/event-objects'
import { idTimeMs } from '../../kernel/lib/secrets/id.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type AttemptRow, listAttemptHours } from './webhook-attempts.store.ts'
import { countPending, type DeliveryRow, testCategory } from './webhook-log.service.ts'
import { headersOf } from './webhook-secrets.ts'
import type { WebhookRow } from './webhooks.service.ts'

const hourSeconds = 3600

/** Returns an endpoint with its delivery statistics, without its secret and header values. */
export async function webhookView(
  db: Db,
  key: KeyObject,
  row: WebhookRow,
  nowSeconds: number,
): Promise<Webhook> {
  const endpoint = { org: row.org, webhookId: row.id }
  const { pending, oldest } = await countPending(db.slow, endpoint)
  const hours = await listAttemptHours(db, endpoint, nowSeconds - 24 * hourSeconds + 1)
  const { previousSecretUntil: until } = row
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    enabled: row.enabled,
    disabledReason: row.enabled ? null : row.disabledReason === 'FAILURES' ? 'FAILURES' : 'ADMINISTRATOR',
    categories: [...row.categories],
    objects: [...row.objects],
    batchSize: row.batchSize,
    headerNames: headerNamesOf(key, row),
    previousSecretEndTimestamp: until !== null && until > nowSeconds ? until : null,
    creationTimestamp: row.creationTimestamp,
    createdBy: row.createdBy,
    pending,
    oldestPendingTimestamp: oldest === null ? null : Math.floor(idTimeMs(oldest) / 1000),
    dayDelivered: hours.reduce((sum, { delivered }) => sum + delivered, 0),
    dayFailed: hours.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/** Returns the names of the static headers; none if they were encrypted with another master key. */
export function headerNamesOf(key: KeyObject, row: WebhookRow): string[] {
  try {
    return headersOf(key, row).map(([name]) => name)
  } catch {
    return []
  }
}

export const attemptView = (row: Omit<AttemptRow, 'org' | 'webhookId' | 'eventId'>): WebhookAttempt => ({
  attempt: row.attempt,
  timestamp: Math.floor(row.atMs / 1000),
  status: row.status,
  latencyMs: row.latencyMs,
  answer: row.answer,
  error: row.error,
})

export const deliveryView = (row: DeliveryRow): WebhookDelivery => ({
  eventId: row.eventId,
  object: row.object,
  timestamp: row.timestamp,
  category: eventDeclarationOf(row.object).category,
  state: row.state,
  test: row.category === testCategory,
  attempts: row.attempts,
  dueTimestamp: row.state === 'PENDING' ? Math.floor(row.dueMs / 1000) : null,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
})
