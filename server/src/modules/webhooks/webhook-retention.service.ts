import { maximumClockSkewMs } from '../../kernel/lib/clock.ts'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { retryDelaysMs, type WebhookKey } from './webhook-deliveries.store.ts'
import { afterAllEvents, removeRows } from './webhook-rows.store.ts'
import { removeOldSecrets } from './webhooks.service.ts'

const dayMs = 86_400_000
/** The log of deliveries is kept so long (events contract, section 1, rule 5). */
const keptDays = 30

/** No delivery waits longer: what is due later was written by a clock that was wrong. */
const waitMaximumMs = Math.max(...retryDelaysMs) + maximumClockSkewMs

/**
 * Removes what events older than 30 days have in the log of deliveries, what is left of endpoints that were removed while events
 * were written for them, or by a process that came to its end meanwhile, and secrets that are valid no more; and makes due what waits for a time that a wrong clock has
 * set. Several processes may do it at the same time.
 */
export async function tidyWebhooks(db: Db, nowMs: number): Promise<void> {
  const beforeMs = nowMs - keptDays * dayMs
  await db.inTransaction(async (tx) => {
    await removeOldSecrets(tx, Math.floor(nowMs / 1000))
    await tx.run(`UPDATE webhook_deliveries SET due_ms = ? WHERE state = 'PENDING' AND due_ms > ?`, [
      nowMs,
      nowMs + waitMaximumMs,
    ])
    await tx.run('DELETE FROM webhook_hours WHERE hour_timestamp < ?', [Math.floor(beforeMs / 1000)])
  })
  for (const table of ['webhook_deliveries', 'webhook_attempts'] as const)
    for await (const key of endpointsIn(db, table)) {
      // Of what belongs to no endpoint, all is old. Asked now: one that was added a moment ago has rows, too.
      await removeRows(db, table, key, (await isThere(db, key)) ? firstIdOf(beforeMs) : afterAllEvents)
    }
}

/** Whether there is an endpoint, of webhooks or of a stream: an organization has a row of both. */
const isThere = async (reader: Reader, { org, webhookId }: WebhookKey): Promise<boolean> =>
  (await reader.get('SELECT 1 AS one FROM webhooks WHERE org = ? AND id = ?', [org, webhookId])) !== undefined

/** The endpoints that a table has rows of, each by one step along its key. */
async function* endpointsIn(reader: Reader, table: string): AsyncGenerator<WebhookKey> {
  const sql = `SELECT org, webhook_id AS "webhookId" FROM ${table} WHERE (org, webhook_id) > (?, ?) ORDER BY org, webhook_id LIMIT 1`
  for (let last: WebhookKey = { org: -1, webhookId: '' }; ; ) {
    const next = await reader.get<WebhookKey>(sql, [last.org, last.webhookId])
    if (!next) return
    yield next
    last = next
  }
}
