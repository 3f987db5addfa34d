import type { Tx } from './sql.ts'

/** What is kept of events by their id; their deliveries come first, so that none is left without its event. */
const tables = [
  ['webhook_attempts', 'event_id'],
  ['webhook_deliveries', 'event_id'],
  ['events', 'id'],
] as const

/** So many events are deleted in one transaction. */
const eventsPerTurn = 1000

/** The least id of an event that was written at a time, or later: ids begin with their milliseconds. */
export function eventIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/**
 * Deletes some of the events that were written before a time, with all that is known of their deliveries.
 *
 * @returns whether there may be more
 */
export async function deleteEventsBefore(tx: Tx, org: number, ms: number): Promise<boolean> {
  const next = await tx.get<{ id: string }>(
    `SELECT id FROM events WHERE org = ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${eventsPerTurn}`,
    [org, eventIdAt(ms)],
  )
  const end = next?.id ?? eventIdAt(ms)
  const endpoints = await tx.all<{ id: string }>('SELECT id FROM webhooks WHERE org = ?', [org])
  for (const [table, column] of tables.slice(0, 2))
    for (const { id } of endpoints)
      await tx.run(`DELETE FROM ${table} WHERE org = ? AND webhook_id = ? AND ${column} < ?`, [org, id, end])
  await tx.run('DELETE FROM events WHERE org = ? AND id < ?', [org, end])
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
