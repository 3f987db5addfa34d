import type { SqlTx } from '../store/sql.ts'

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
export async function readSubscriptions(tx: SqlTx, org: number): Promise<Subscriptions> {
  const rows = await tx.readShared<{ object: string; id: string }>(
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
