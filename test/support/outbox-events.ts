import {
  type EventObject,
  eventObjects,
  eventSchemaOf,
  type WebhookEvent,
} from '@muster/contract/events/event-objects'
import { Compile, type Validator } from 'typebox/schema'
import type { Reader } from '../../server/src/kernel/store/sql.ts'
import { keepSamples } from './event-sample-files.ts'
import type { Harness } from './harness.ts'

/** Part of the harness that is needed. */
type Stores = Pick<Harness, 'db'>

/**
 * Subscribes an endpoint that is never sent to, so its deliveries stay in the outbox for inspection.
 *
 * @param objects subscribed objects, by default all
 * @returns ID of the endpoint
 */
export async function subscribeEndpoint(
  { db }: Stores,
  org: number,
  objects: readonly EventObject[] = eventObjects,
): Promise<string> {
  const id = crypto.randomUUID()
  await db.inTransaction((tx) =>
    tx.insert(
      'webhook_wishes',
      ['org', 'object', 'webhook_id'],
      objects.map((object) => [org, object, id]),
    ),
  )
  return id
}

const validators = new Map<EventObject, Validator>()

/** Validates an event against its schema. */
function mistakesIn(event: WebhookEvent): unknown[] {
  const { object } = event
  const validator = validators.get(object) ?? Compile(eventSchemaOf(object))
  validators.set(object, validator)
  return validator.Errors(event)[1]
}

/**
 * Returns the events in the outbox of an organization, in order.
 *
 * @throws Error if an event does not match its schema or its columns
 */
export async function eventsWritten(
  { db }: { db: Reader },
  org: number,
  object?: EventObject,
): Promise<WebhookEvent[]> {
  const rows = await db.all<{
    id: string
    timestamp: number
    object: string
    category: string
    body: string
  }>('SELECT id, timestamp, object, category, body FROM events WHERE org = ? ORDER BY id', [org])
  const events = rows.map(({ body, ...columns }) => {
    const event = JSON.parse(body) as WebhookEvent
    const mistakes = mistakesIn(event)
    if (mistakes.length > 0)
      throw new Error(`not a valid ${event.object}: ${JSON.stringify(mistakes)} in ${body}`)
    for (const [name, value] of Object.entries(columns))
      if (value !== event[name as keyof WebhookEvent])
        throw new Error(`the column ${name} says ${value}, not ${body}`)
    return event
  })
  keepSamples(events)
  return object ? events.filter((event) => event.object === object) : events
}

/** Returns a function that reads the events written since its last call. */
export function eventReader(stores: Stores, org: number): () => Promise<WebhookEvent[]> {
  const seen = new Set<string>()
  return async () => {
    const events = (await eventsWritten(stores, org)).filter(({ id }) => !seen.has(id))
    for (const { id } of events) seen.add(id)
    return events
  }
}
