import type { Tx } from './sql.ts'
import type { WebhookKey } from './webhook-deliveries.ts'

/** Rows that one statement removes, so that others run in between. */
const removedAtOnce = 2000

/** Sorts after the ids of all events. */
export const afterAllEvents = '~'

/**
 * Removes some rows of an endpoint, the oldest first.
 *
 * @param end only rows of events with smaller ids
 * @returns whether there are more
 */
export async function removeSomeRows(
  tx: Tx,
  table: 'webhook_deliveries' | 'webhook_attempts',
  { org, webhookId }: WebhookKey,
  end: string,
): Promise<boolean> {
  const of = `FROM ${table} WHERE org = ? AND webhook_id = ? AND event_id < ?`
  // By a range: to name the rows would leave PostgreSQL free to look for each of them among all.
  const sql = `SELECT event_id AS id ${of} ORDER BY event_id LIMIT 1 OFFSET ${removedAtOnce}`
  const next = await tx.get<{ id: string }>(sql, [org, webhookId, end])
  await tx.run(`DELETE ${of}`, [org, webhookId, next?.id ?? end])
  return next !== undefined
}
