import { firstIdOf } from '../lib/id.ts'
import type { Tx } from './sql.ts'

/** What is kept of events by their id; their deliveries come first, so that none is left without its event. */
const tables = [
  ['webhook_attempts', 'event_id'],
  ['webhook_deliveries', 'event_id'],
  ['events', 'id'],
] as const

/** So many events are deleted in one transaction. */
const eventsPerTurn = 1000

/**
 * Deletes some of the events that were written before a time, in UNIX milliseconds. Their deliveries go with the log.
 *
 * @returns whether there may be more
 */
export async function deleteEventsBefore(tx: Tx, org: number, beforeMs: number): Promise<boolean> {
  const end = firstIdOf(beforeMs)
  const next = await tx.get<{ id: string }>(
    `SELECT id FROM events WHERE org = ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${eventsPerTurn}`,
    [org, end],
  )
  await tx.run('DELETE FROM events WHERE org = ? AND id < ?', [org, next?.id ?? end])
  return next !== undefined
}

/**
 * Deletes the events in whose text one of the folded texts stands, with all that is known of their deliveries; looks at
 * every event of the organisation.
 *
 * @returns how many events there were
 */
export async function deleteEventsHolding(tx: Tx, org: number, texts: readonly string[]): Promise<number> {
  const holds = texts.map(() => tx.dialect.holds('lower(body)')).join(' OR ')
  const ids = `SELECT id FROM events WHERE org = ? AND (${holds})`
  let count = 0
  for (const [table, column] of tables)
    count = await tx.run(`DELETE FROM ${table} WHERE org = ? AND ${column} IN (${ids})`, [org, org, ...texts])
  return count
}
