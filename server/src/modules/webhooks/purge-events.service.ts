import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { eventRanges } from './webhook-log.service.ts'

/** Tables with rows of events. Deliveries come first: a delivery must not outlive its event. */
const tables = [
  ['webhook_attempts', 'event_id'],
  ['webhook_deliveries', 'event_id'],
  ['events', 'id'],
] as const

/** Largest timestamp of an event ID (48 bits). */
const maxIdTimeMs = 2 ** 48 - 1

const eventsPerTransaction = 1000

/**
 * Deletes a batch of the events written before a time in UNIX milliseconds. Their deliveries are deleted with the log.
 *
 * @returns true if there may be more
 */
export async function deleteEventsBefore(tx: Tx, org: number, beforeMs: number): Promise<boolean> {
  const end = firstIdOf(beforeMs)
  const next = await tx.get<{ id: string }>(
    `SELECT id FROM events WHERE org = ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${eventsPerTransaction}`,
    [org, end],
  )
  await tx.run('DELETE FROM events WHERE org = ? AND id < ?', [org, next?.id ?? end])
  return next !== undefined
}

/**
 * Deletes the events whose body names a person, with their deliveries and attempts. Scans all events of the
 * organization in chunks.
 *
 * @returns the number of deleted events
 */
export async function deleteEventsNaming(tx: Tx, org: number, names: PersonIdentifiers): Promise<number> {
  const texts = textsOf(names)
  const holds = texts.map(() => tx.dialect.contains('folded')).join(' OR ')
  // Materialized, to lower-case each body once instead of once per search text.
  const sql = `WITH part AS MATERIALIZED (SELECT id, lower(body) AS folded FROM events WHERE org = ? AND id >= ? AND id < ?)
    SELECT id, folded FROM part WHERE ${holds}`
  const found: string[] = []
  for await (const [from, to] of eventRanges(tx, org, 0, maxIdTimeMs))
    for (const { id, folded } of await tx.all<{ id: string; folded: string }>(sql, [org, from, to, ...texts]))
      if (mentionsPerson(folded, names)) found.push(id)
  if (found.length === 0) return 0
  for (const [table, column] of tables)
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND ${tx.dialect.textIn(column)}`, [
      org,
      JSON.stringify(found),
    ])
  return found.length
}
