import type { Reader, SqlTx } from '../store/sql.ts'

/** A stored event. Its body is sent byte for byte. */
export interface EventRow {
  readonly id: string
  /** Time of the event; UNIX seconds. */
  readonly timestamp: number
  readonly object: string
  readonly category: string
  readonly body: string
}

/** IDs of the subscribed endpoints, by the object of events. Objects without subscribers are absent. */
export type Subscriptions = ReadonlyMap<string, readonly string[]>

/** Reads the subscriptions of an organization's enabled endpoints. */
export async function readSubscriptions(reader: Reader, org: number): Promise<Subscriptions> {
  const rows = await reader.all<{ object: string; id: string }>(
    'SELECT object, webhook_id AS id FROM webhook_wishes WHERE org = ? ORDER BY object, webhook_id',
    [org],
  )
  const subscriptions = new Map<string, string[]>()
  for (const { object, id } of rows) {
    const ids = subscriptions.get(object)
    if (ids) ids.push(id)
    else subscriptions.set(object, [id])
  }
  return subscriptions
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

/** Number of events up to which rows are enqueued one by one, to share a round trip with another statement. */
const enqueuedMaximum = 4

/** Inserts events, each with a delivery for every subscribed endpoint. */
export async function insertEvents(
  tx: SqlTx,
  org: number,
  events: readonly EventRow[],
  subscriptions: Subscriptions,
  nowMs: number,
): Promise<void> {
  const deliveries = events.flatMap(({ id, object }) =>
    (subscriptions.get(object) ?? []).map((webhookId) => [org, webhookId, id, 'PENDING', 0, nowMs]),
  )
  if (events.length <= enqueuedMaximum) {
    for (const event of events) tx.enqueueInsert('events', eventColumns, eventValues(org, event))
    for (const row of deliveries) tx.enqueueInsert('webhook_deliveries', deliveryColumns, row)
    return
  }
  const inserted = tx.insert(
    'events',
    eventColumns,
    events.map((event) => eventValues(org, event)),
  )
  inserted.catch(() => undefined)
  await tx.insert('webhook_deliveries', deliveryColumns, deliveries)
  await inserted
}

/** Largest number of events for {@link enqueueSubscribedEvents}. */
export const subscribedMaximum = 4

const tuples = (tuple: string) =>
  Array.from({ length: subscribedMaximum }, (_, at) =>
    Array(at + 1)
      .fill(tuple)
      .join(', '),
  )

/** INSERTs of one event, of two events, and so on, that have subscribers. */
const insertSubscribed = tuples('(?::text, ?::bigint, ?::text, ?::text, ?::text)').map(
  (rows) =>
    `INSERT INTO events (${eventColumns.join(', ')}) SELECT ?, e.* FROM (VALUES ${rows}) AS e (id, timestamp, object, category, body) WHERE EXISTS (SELECT 1 FROM webhook_wishes w WHERE w.org = ? AND w.object = e.object)`,
)
const insertDeliveries = tuples('(?::text, ?::text)').map(
  (rows) =>
    `INSERT INTO webhook_deliveries (${deliveryColumns.join(', ')}) SELECT w.org, w.webhook_id, e.id, 'PENDING', 0, ? FROM (VALUES ${rows}) AS e (id, object) JOIN webhook_wishes w ON w.org = ? AND w.object = e.object`,
)

/**
 * Inserts events, each with a delivery for every endpoint that subscribes to it when the statements run. They skip an event
 * without subscribers. This saves reading the subscriptions first, at the price of composing events that may be skipped.
 *
 * @param events at most {@link subscribedMaximum}; more are an error
 * @param onDeliveries called afterwards, unless it is known that no endpoint subscribes to any of the events
 */
export function enqueueSubscribedEvents(
  tx: SqlTx,
  org: number,
  events: readonly EventRow[],
  nowMs: number,
  onDeliveries: () => void,
): void {
  const [inserts, deliveries] = [insertSubscribed[events.length - 1], insertDeliveries[events.length - 1]]
  if (events.length === 0) return
  if (inserts === undefined || deliveries === undefined)
    throw new RangeError(`too many events: ${events.length}`)
  const values = events.flatMap(({ id, timestamp, object, category, body }) => [
    id,
    timestamp,
    object,
    category,
    body,
  ])
  tx.enqueueStatement(inserts, [org, ...values, org])
  const ids = events.flatMap(({ id, object }) => [id, object])
  tx.enqueueStatement(deliveries, [nowMs, ...ids, org], onDeliveries)
}
