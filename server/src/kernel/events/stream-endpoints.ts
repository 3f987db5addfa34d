import type { EventCategory } from '@muster/contract/events/event-envelope'
import { type EventObject, eventDeclarationOf, eventObjects } from '@muster/contract/events/event-objects'
import { type StreamKind, streamKinds } from '@muster/contract/events/stream-kinds'
import { internalId } from '../lib/secrets/derived-id.ts'
import type { Param, Tx } from '../store/sql.ts'

/**
 * Event streams that the operator configures for the whole server. Each is an endpoint (a row of `webhooks`) of every
 * organization with the same ID. Events reach it through the outbox, like webhooks.
 */

/** Configuration of a stream. */
export interface StreamPlan {
  readonly kind: StreamKind
  /** Destination, for display. */
  readonly url: string
  /** All events if both lists are empty. */
  readonly categories: readonly EventCategory[]
  readonly objects: readonly EventObject[]
  /** Organization that alone has the stream, because its owners have set it in the console. Undefined: all. */
  readonly onlyOrg?: number | undefined
}

/** Returns the ID of a stream's endpoint, the same in every organization. */
export const streamId = (kind: StreamKind): string => internalId(0, ['stream', kind])

/** Value of `created_by` for streams of all organizations, where webhooks name an administrator. */
const createdBy = 'settings'
/** The same for streams that one organization has set in the console. */
const createdInConsole = 'console'

/** Lock that prevents an organization from being added while streams are configured. */
const streamsLock = 'muster streams'

function subscribedObjects({ categories, objects }: StreamPlan): EventObject[] {
  if (categories.length === 0 && objects.length === 0) return eventObjects
  return eventObjects.filter(
    (object) => objects.includes(object) || categories.includes(eventDeclarationOf(object).category),
  )
}

/**
 * Applies the configuration of streams to every organization. A removed stream loses its pending deliveries; others keep
 * theirs.
 */
export async function applyStreams(tx: Tx, plans: readonly StreamPlan[], nowSeconds: number): Promise<void> {
  await tx.lock(streamsLock)
  for (const kind of streamKinds) {
    const plan = plans.find((planned) => planned.kind === kind)
    if (plan) await applyStream(tx, plan, nowSeconds)
    else await removeStream(tx, kind)
  }
}

async function applyStream(tx: Tx, plan: StreamPlan, nowSeconds: number): Promise<void> {
  const { kind, url, categories, objects, onlyOrg } = plan
  const id = streamId(kind)
  const values: Param[] = [
    id,
    kind,
    url,
    JSON.stringify(categories),
    JSON.stringify(objects),
    nowSeconds,
    onlyOrg === undefined ? createdBy : createdInConsole,
  ]
  // A number of the server, not a text of anybody.
  const which = onlyOrg === undefined ? 'true' : `no = ${Number(onlyOrg)}`
  if (onlyOrg !== undefined) await removeStreamExcept(tx, kind, onlyOrg)
  await tx.run(
    `INSERT INTO webhooks (org, id, kind, url, categories, objects, enabled, creation_timestamp, created_by)
     SELECT no, ?, ?, ?, ?, ?, 1, CAST(? AS bigint), ? FROM organizations WHERE ${which}
     ON CONFLICT (org, id) DO UPDATE SET url = excluded.url, categories = excluded.categories, objects = excluded.objects, enabled = 1, created_by = excluded.created_by`,
    values,
  )
  const objectsOfStream = subscribedObjects(plan)
  const marks = objectsOfStream.map(() => '?').join(', ')
  await tx.run(`DELETE FROM webhook_wishes WHERE webhook_id = ? AND object NOT IN (${marks})`, [
    id,
    ...objectsOfStream,
  ])
  await tx.run(
    `INSERT INTO webhook_wishes (org, object, webhook_id)
     SELECT o.no, v.column1, ? FROM organizations AS o CROSS JOIN (VALUES ${objectsOfStream.map(() => '(?)').join(', ')}) AS v
     WHERE ${which} ON CONFLICT DO NOTHING`,
    [id, ...objectsOfStream],
  )
}

/** Removes a stream. Deliveries can be very many, so they are searched only for organizations that have the stream. */
async function removeStream(tx: Tx, kind: StreamKind): Promise<void> {
  await removeStreamExcept(tx, kind, undefined)
  await tx.run('DELETE FROM stream_states WHERE kind = ?', [kind])
}

async function removeStreamExcept(tx: Tx, kind: StreamKind, kept: number | undefined): Promise<void> {
  const id = streamId(kind)
  const endpoints = await tx.all<{ org: number }>('SELECT org FROM webhooks WHERE id = ?', [id])
  for (const { org } of endpoints.filter((endpoint) => endpoint.org !== kept)) {
    await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
    await tx.run('DELETE FROM webhook_deliveries WHERE org = ? AND webhook_id = ?', [org, id])
    await tx.run('DELETE FROM webhooks WHERE org = ? AND id = ?', [org, id])
  }
}

const copiedColumns = 'id, kind, url, categories, objects, enabled, creation_timestamp, created_by'

/** Copies the streams of all organizations from one to another that was just added. */
export async function copyStreams(tx: Tx, from: number, to: number): Promise<void> {
  await tx.lock(streamsLock)
  const ids = streamKinds.map(streamId)
  const marks = ids.map(() => '?').join(', ')
  await tx.run(
    `INSERT INTO webhooks (org, ${copiedColumns}) SELECT CAST(? AS bigint), ${copiedColumns} FROM webhooks WHERE org = ? AND id IN (${marks}) AND created_by = ?`,
    [to, from, ...ids, createdBy],
  )
  await tx.run(
    `INSERT INTO webhook_wishes (org, object, webhook_id) SELECT CAST(? AS bigint), object, webhook_id FROM webhook_wishes WHERE org = ? AND webhook_id IN (
       SELECT id FROM webhooks WHERE org = ? AND id IN (${marks}))`,
    [to, from, to, ...ids],
  )
}
