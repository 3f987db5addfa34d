import { mentionsPerson, type PersonIdentifiers, textsOf } from '../../kernel/lib/person-mention.ts'
import { firstIdOf } from '../../kernel/lib/secrets/id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { eventRanges } from './webhook-log.service.ts'

/** What is kept of events by their id; their deliveries come first, so that none is left without its event. */
const tables = [
  ['webhook_attempts', 'event_id'],
  ['webhook_deliveries', 'event_id'],
  ['events', 'id'],
] as const

/** No id is made of a later moment: it has 48 bits for it. */
const endOfTimeMs = 2 ** 48 - 1

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
 * Deletes the events in whose text a person is named, with all that is known of their deliveries. It looks at every event
 * of the organization, once, a part at a time.
 *
 * @returns how many events there were
 */
export async function deleteEventsNaming(tx: Tx, org: number, names: PersonIdentifiers): Promise<number> {
  const texts = textsOf(names)
  const holds = texts.map(() => tx.dialect.holds('folded')).join(' OR ')
  // Materialized, or a text would be folded once for each that is looked for.
  const sql = `WITH part AS MATERIALIZED (SELECT id, lower(body) AS folded FROM events WHERE org = ? AND id >= ? AND id < ?)
    SELECT id, folded FROM part WHERE ${holds}`
  const found: string[] = []
  for await (const [from, to] of eventRanges(tx, org, 0, endOfTimeMs))
    for (const { id, folded } of await tx.all<{ id: string; folded: string }>(sql, [org, from, to, ...texts]))
      if (mentionsPerson(folded, names)) found.push(id)
  if (found.length === 0) return 0
  for (const [table, column] of tables)
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND ${tx.dialect.amongTexts(column)}`, [
      org,
      JSON.stringify(found),
    ])
  return found.length
}
