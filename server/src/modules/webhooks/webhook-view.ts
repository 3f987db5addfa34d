import type { KeyObject } from 'node:crypto'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '@muster/contract/console/console-webhooks'
import { eventDeclarationOf } from '@muster/contract/event-objects'
import { idTimeMs } from '../../kernel/lib/secrets/id.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type AttemptRow, listAttemptHours } from './webhook-attempts.store.ts'
import { countWaiting, type DeliveryRow, testCategory } from './webhook-log.service.ts'
import { headersOf } from './webhook-secrets.ts'
import type { WebhookRow } from './webhooks.service.ts'

const hourSeconds = 3600
/** Further than this is not counted what waits. */
const pendingMaximum = 10_000

/** An endpoint as it is shown: with how it is doing, without its secret and the values of its headers. */
export async function webhookView(
  db: Db,
  key: KeyObject,
  row: WebhookRow,
  nowSeconds: number,
): Promise<Webhook> {
  const place = { org: row.org, webhookId: row.id }
  const { pending, oldest } = await countWaiting(db.slow, place, pendingMaximum)
  const hours = await listAttemptHours(db, place, nowSeconds - 24 * hourSeconds + 1)
  const { previousSecretUntil: until } = row
  return {
    ...{ id: row.id, name: row.name, url: row.url, enabled: row.enabled },
    disabledReason: row.enabled ? null : row.disabledReason === 'FAILURES' ? 'FAILURES' : 'ADMINISTRATOR',
    categories: [...row.categories],
    objects: [...row.objects],
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

/** What its headers are called; those that were encrypted with another master key are not known. */
export function headerNamesOf(key: KeyObject, row: WebhookRow): string[] {
  try {
    return headersOf(key, row).map(([name]) => name)
  } catch {
    return []
  }
}

/** An attempt as it is shown. */
export const attemptView = (row: Omit<AttemptRow, 'org' | 'webhookId' | 'eventId'>): WebhookAttempt => ({
  ...{ attempt: row.attempt, timestamp: Math.floor(row.atMs / 1000), status: row.status },
  ...{ latencyMs: row.latencyMs, answer: row.answer, error: row.error },
})

/** A delivery as it is shown. */
export const deliveryView = (row: DeliveryRow): WebhookDelivery => ({
  ...{ eventId: row.eventId, object: row.object, timestamp: row.timestamp },
  category: eventDeclarationOf(row.object).category,
  ...{ state: row.state, test: row.category === testCategory, attempts: row.attempts },
  dueTimestamp: row.state === 'PENDING' ? Math.floor(row.dueMs / 1000) : null,
  ...{ lastStatus: row.lastStatus, lastError: row.lastError },
})
