import { maximumClockSkewMs } from '../../kernel/lib/clock.ts'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { afterAllEvents, purgeEndpoint, purgeRows } from './purge-deliveries.store.ts'
import { deliveryRetries, type WebhookKey } from './webhook-deliveries.store.ts'
import { deleteExpiredSecrets } from './webhooks.service.ts'

const dayMs = 86_400_000
/** Retention of the delivery log (events contract, section 1, rule 5). */
const retentionDays = 30

/** Longest delay of a delivery. A later due time was written by a process with a wrong clock. */
const maxDelayMs = Math.max(...deliveryRetries.delaysMs) + maximumClockSkewMs

/**
 * Deletes log entries older than 30 days, rows of removed endpoints and expired secrets, and makes deliveries due whose
 * due time was set by a wrong clock. Several processes may run it at the same time.
 *
 * @param signal aborts between two transactions
 */
export async function cleanUpWebhooks(db: Db, nowMs: number, signal?: AbortSignal): Promise<void> {
  const beforeMs = nowMs - retentionDays * dayMs
  await db.inTransaction(async (tx) => {
    await deleteExpiredSecrets(tx, Math.floor(nowMs / 1000))
    await tx.run(`UPDATE webhook_deliveries SET due_ms = ? WHERE state = 'PENDING' AND due_ms > ?`, [
      nowMs,
      nowMs + maxDelayMs,
    ])
    await tx.run('DELETE FROM webhook_hours WHERE hour_timestamp < ?', [Math.floor(beforeMs / 1000)])
  })
  for (const table of ['webhook_deliveries', 'webhook_attempts'] as const)
    for await (const key of endpointsIn(db, table)) {
      // Queried per endpoint: one that was added a moment ago may have rows already.
      const end = (await exists(db, key)) ? firstIdOf(beforeMs) : afterAllEvents
      await purgeRows(db, table, key, end, signal)
    }
}

/** True if the webhook or stream exists. */
const exists = async (reader: Reader, { org, webhookId }: WebhookKey): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM webhooks WHERE org = ? AND id = ?', [org, webhookId])) !== undefined

/** Lists the endpoints that occur in a table with one index seek per endpoint. */
async function* endpointsIn(reader: Reader, table: string): AsyncGenerator<WebhookKey> {
  const sql = `SELECT org, webhook_id AS "webhookId" FROM ${table} WHERE (org, webhook_id) > (?, ?) ORDER BY org, webhook_id LIMIT 1`
  for (let last: WebhookKey = { org: -1, webhookId: '' }; ; ) {
    const next = await reader.get<WebhookKey>(sql, [last.org, last.webhookId])
    if (!next) return
    yield next
    last = next
  }
}

/** Deletes the log of a removed endpoint. If this fails, the rows are invisible, and the hourly cleanup deletes them. */
export const purgeRemovedEndpoint = (db: Db, key: WebhookKey): Promise<void> =>
  purgeEndpoint(db, key).catch(() => undefined)
