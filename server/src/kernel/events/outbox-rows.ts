import type { OptimisticWrites, Reader, Tx } from '../store/sql.ts'

/** An event as it is kept: its body is what is sent, byte for byte. */
export interface EventRow {
  readonly id: string
  /** When it happened; UNIX seconds. */
  readonly timestamp: number
  readonly object: string
  readonly category: string
  readonly body: string
}

/** The endpoints that wish for events, by what these are about; what nobody wishes for is not there. */
export type Wishes = ReadonlyMap<string, readonly string[]>

/** Reads what the enabled endpoints of an organization wish for. */
export async function readWishes(reader: Reader, org: number): Promise<Wishes> {
  const rows = await reader.all<{ object: string; id: string }>(
    'SELECT object, webhook_id AS id FROM webhook_wishes WHERE org = ? ORDER BY object, webhook_id',
    [org],
  )
  const wishes = new Map<string, string[]>()
  for (const { object, id } of rows) {
    const ids = wishes.get(object)
    if (ids) ids.push(id)
    else wishes.set(object, [id])
  }
  return wishes
}

const eventColumns = ['org', 'id', 'timestamp', 'object', 'category', 'body'] as const
const deliveryColumns = ['org', 'webhook_id', 'event_id', 'state', 'attempts', 'due_ms'] as const

const eventValues = (org: number, { id, timestamp, object, category, body }: EventRow) => [
  org,
  id,
  timestamp,
  object,
  category,
  body,
]

/** So many events are put one by one: a statement that is sent anyway takes them with it. */
const putMaximum = 4

/** Keeps events, each to be delivered at once to all that wish for it. */
export async function insertEvents(
  tx: Tx,
  org: number,
  events: readonly EventRow[],
  wishes: Wishes,
  nowMs: number,
): Promise<void> {
  const deliveries = events.flatMap(({ id, object }) =>
    (wishes.get(object) ?? []).map((webhookId) => [org, webhookId, id, 'PENDING', 0, nowMs]),
  )
  if (events.length <= putMaximum) {
    for (const event of events) tx.enqueueInsert('events', eventColumns, eventValues(org, event))
    for (const row of deliveries) tx.enqueueInsert('webhook_deliveries', deliveryColumns, row)
    return
  }
  const kept = tx.insert(
    'events',
    eventColumns,
    events.map((event) => eventValues(org, event)),
  )
  kept.catch(() => undefined)
  await tx.insert('webhook_deliveries', deliveryColumns, deliveries)
  await kept
}

/** Objects and categories are few and fixed: they stand in the statement, since a parameter costs more. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Puts events, each with its deliveries, if somebody wishes for it when it is written. */
export function putEvents(
  optimistic: OptimisticWrites,
  org: number,
  events: readonly EventRow[],
  nowMs: number,
): void {
  if (events.length === 0) return
  const rows = events.map(
    ({ object, category }) => `(?::text, ?::bigint, ${literal(object)}, ${literal(category)}, ?::text)`,
  )
  optimistic.enqueueSql(
    `INSERT INTO events (${eventColumns.join(', ')}) SELECT ?, e.* FROM (VALUES ${rows.join(', ')}) AS e (id, timestamp, object, category, body) WHERE EXISTS (SELECT 1 FROM webhook_wishes w WHERE w.org = ? AND w.object = e.object)`,
    [org, ...events.flatMap(({ id, timestamp, body }) => [id, timestamp, body]), org],
  )
  const told = events.map(({ object }) => `(?::text, ${literal(object)})`)
  optimistic.enqueueSql(
    `INSERT INTO webhook_deliveries (${deliveryColumns.join(', ')}) SELECT w.org, w.webhook_id, e.id, 'PENDING', 0, ? FROM (VALUES ${told.join(', ')}) AS e (id, object) JOIN webhook_wishes w ON w.org = ? AND w.object = e.object`,
    [nowMs, ...events.map(({ id }) => id), org],
  )
}

/**
 * Puts the condition that nobody wishes for events about objects. Where somebody does, the update divides by zero, which
 * fails the transaction; the store does it again, and what is wished for is read then.
 */
export function putUnwished(optimistic: OptimisticWrites, org: number, objects: readonly string[]): void {
  if (objects.length === 0) return
  const among = objects.map(literal).join(', ')
  optimistic.enqueueSql(
    `UPDATE webhook_wishes SET org = 1 / (org - org) WHERE org = ? AND object IN (${among})`,
    [org],
  )
}
