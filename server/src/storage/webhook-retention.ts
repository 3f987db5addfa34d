import { firstIdOf } from '../lib/id.ts'
import type { Db } from './sql.ts'
import { removeOldSecrets } from './webhooks.ts'

const dayMs = 86_400_000
/** The log of deliveries is kept so long (events contract, section 1, rule 5). */
const keptDays = 30
/** Rows that one transaction removes. */
const removedAtOnce = 2000

/**
 * Removes what is older than 30 days of the log of deliveries, of all endpoints, and secrets that are valid no more. It
 * may run in several processes at the same time.
 */
export async function tidyWebhooks(db: Db, nowMs: number): Promise<void> {
  const beforeMs = nowMs - keptDays * dayMs
  await db.inTransaction(async (tx) => {
    await removeOldSecrets(tx, Math.floor(nowMs / 1000))
    await tx.run('DELETE FROM webhook_hours WHERE hour_timestamp < ?', [Math.floor(beforeMs / 1000)])
  })
  const webhooks = await db.all<{ org: number; id: string }>('SELECT org, id FROM webhooks')
  for (const { org, id } of webhooks) {
    const remove = async (table: string, condition: string, before: string | number) => {
      const sql = `DELETE FROM ${table} WHERE org = ? AND webhook_id = ? AND ${condition} AND event_id IN (
        SELECT event_id FROM ${table} WHERE org = ? AND webhook_id = ? AND ${condition} LIMIT ${removedAtOnce})`
      const params = [org, id, before]
      while ((await db.inTransaction((tx) => tx.run(sql, [...params, ...params]))) >= removedAtOnce);
    }
    await remove('webhook_deliveries', 'event_id < ?', firstIdOf(beforeMs))
    await remove('webhook_attempts', 'at_ms < ?', beforeMs)
  }
}
