import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import type { WebhookKey } from './webhook-deliveries.store.ts'

/** Rows deleted per transaction, to let other transactions run in between. */
const rowsPerTransaction = 2000

/** Sorts after all event IDs. */
export const afterAllEvents = '~'

type PurgeableTable = 'webhook_deliveries' | 'webhook_attempts'

/** Deletes the rows of an endpoint for events with IDs below `end`, in small transactions. */
export async function purgeRows(
  db: Db,
  table: PurgeableTable,
  key: WebhookKey,
  end: string,
  signal?: AbortSignal,
): Promise<void> {
  while (await db.inTransaction((tx) => purgeSomeRows(tx, table, key, end))) {
    signal?.throwIfAborted()
    await yieldToEventLoop()
  }
}

/** Deletes all deliveries and attempts of a removed endpoint. */
export async function purgeEndpoint(db: Db, key: WebhookKey): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhook_attempts'] as const)
    await purgeRows(db, table, key, afterAllEvents)
}

/** Deletes the oldest rows. @returns true if there are more */
async function purgeSomeRows(
  tx: Tx,
  table: PurgeableTable,
  { org, webhookId }: WebhookKey,
  end: string,
): Promise<boolean> {
  const fromRange = `FROM ${table} WHERE org = ? AND webhook_id = ? AND event_id < ?`
  // Deletes a key range: for a list of IDs PostgreSQL may choose one full scan per row.
  const sql = `SELECT event_id AS id ${fromRange} ORDER BY event_id LIMIT 1 OFFSET ${rowsPerTransaction}`
  const next = await tx.get<{ id: string }>(sql, [org, webhookId, end])
  await tx.run(`DELETE ${fromRange}`, [org, webhookId, next?.id ?? end])
  return next !== undefined
}
