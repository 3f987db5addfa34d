import { firstIdOf } from '../lib/id.ts'
import type { Db, Reader } from './sql.ts'
import type { WebhookKey } from './webhook-deliveries.ts'
import { removeOldSecrets } from './webhooks.ts'

const dayMs = 86_400_000
/** The log of deliveries is kept so long (events contract, section 1, rule 5). */
const keptDays = 30
/** Rows that one transaction removes. */
const removedAtOnce = 2000

/**
 * Removes what is older than 30 days of the log of deliveries, what is left of endpoints that were removed while events
 * were written for them, and secrets that are valid no more. Several processes may do it at the same time.
 */
export async function tidyWebhooks(db: Db, nowMs: number): Promise<void> {
  const beforeMs = nowMs - keptDays * dayMs
  await db.inTransaction(async (tx) => {
    await removeOldSecrets(tx, Math.floor(nowMs / 1000))
    await tx.run('DELETE FROM webhook_hours WHERE hour_timestamp < ?', [Math.floor(beforeMs / 1000)])
  })
  const there = new Set((await db.all<{ id: string }>('SELECT id FROM webhooks')).map(({ id }) => id))
  // Behind every other id: of what belongs to no endpoint, all of it is old.
  const idsOf = ({ webhookId }: WebhookKey) => (there.has(webhookId) ? firstIdOf(beforeMs) : '~')
  const timesOf = ({ webhookId }: WebhookKey) => (there.has(webhookId) ? beforeMs : Number.MAX_SAFE_INTEGER)
  for await (const key of endpointsIn(db, 'webhook_deliveries'))
    await removeBefore(db, 'webhook_deliveries', key, 'event_id < ?', idsOf(key))
  for await (const key of endpointsIn(db, 'webhook_attempts'))
    await removeBefore(db, 'webhook_attempts', key, 'at_ms < ?', timesOf(key))
}

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

async function removeBefore(
  db: Db,
  table: string,
  { org, webhookId }: WebhookKey,
  condition: string,
  before: string | number,
): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE org = ? AND webhook_id = ? AND ${condition} AND event_id IN (
    SELECT event_id FROM ${table} WHERE org = ? AND webhook_id = ? AND ${condition} LIMIT ${removedAtOnce})`
  const params = [org, webhookId, before]
  while ((await db.inTransaction((tx) => tx.run(sql, [...params, ...params]))) > 0);
}
