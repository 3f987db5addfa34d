import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import type { WebhookKey } from './webhook-deliveries.store.ts'

/** Rows that one transaction removes, so that others run in between. */
const removedAtOnce = 2000

/** Sorts after the ids of all events. */
export const afterAllEvents = '~'

type RowsTable = 'webhook_deliveries' | 'webhook_attempts'

/** Removes what an endpoint has of events with ids smaller than `end`, in small transactions: others write in between. */
export async function removeRows(db: Db, table: RowsTable, key: WebhookKey, end: string): Promise<void> {
  while (await db.inTransaction((tx) => removeSomeRows(tx, table, key, end))) await yieldToEventLoop()
}

/** Removes what is left of an endpoint that is gone: what waited for it, and its log. */
export async function removeAllRows(db: Db, key: WebhookKey): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhook_attempts'] as const)
    await removeRows(db, table, key, afterAllEvents)
}

/** Removes some rows, the oldest first. @returns whether there are more */
async function removeSomeRows(
  tx: Tx,
  table: RowsTable,
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
