import type { EventCategory } from '@muster/contract/event-envelope'
import { type EventObject, eventDeclarationOf, eventObjects } from '@muster/contract/event-objects'
import { internalId } from '../lib/secrets/derived-id.ts'
import type { Param, Tx } from '../store/sql.ts'

/**
 * The streams of events that the operator sets up for the whole server. Each is an endpoint (a row of `webhooks`) of
 * every organization, under the same id, so that events reach it by the outbox as they reach webhooks.
 */

export const streamKinds = ['FILE', 'SYSLOG'] as const
export type StreamKind = (typeof streamKinds)[number]

/** What goes to a stream, and where that is, for people. */
export interface StreamPlan {
  readonly kind: StreamKind
  readonly url: string
  /** Nothing in both lists: everything. */
  readonly categories: readonly EventCategory[]
  readonly objects: readonly EventObject[]
}

/** The id that a stream's endpoint has in every organization. */
export const streamId = (kind: StreamKind): string => internalId(0, ['stream', kind])

/** Every row of a stream says this where those of webhooks say which administrator added them. */
const createdBy = 'settings'

/** Held while organizations get streams, so that none that is added meanwhile is left out. */
const streamsLock = 'muster streams'

function wishedObjects({ categories, objects }: StreamPlan): EventObject[] {
  if (categories.length === 0 && objects.length === 0) return eventObjects
  return eventObjects.filter(
    (object) => objects.includes(object) || categories.includes(eventDeclarationOf(object).category),
  )
}

/**
 * Makes the streams those that are planned, in every organization; what waits for one that is no longer planned is
 * dropped with it. A stream that stays keeps what waits for it.
 */
export async function keepStreams(tx: Tx, plans: readonly StreamPlan[], nowSeconds: number): Promise<void> {
  await tx.lock(streamsLock)
  for (const kind of streamKinds) {
    const plan = plans.find((planned) => planned.kind === kind)
    if (plan) await keepStream(tx, plan, nowSeconds)
    else await dropStream(tx, kind)
  }
}

async function keepStream(tx: Tx, plan: StreamPlan, nowSeconds: number): Promise<void> {
  const { kind, url, categories, objects } = plan
  const id = streamId(kind)
  const values: Param[] = [
    id,
    kind,
    url,
    JSON.stringify(categories),
    JSON.stringify(objects),
    nowSeconds,
    createdBy,
  ]
  await tx.run(
    `INSERT INTO webhooks (org, id, kind, url, categories, objects, enabled, creation_timestamp, created_by)
     SELECT no, ?, ?, ?, ?, ?, 1, CAST(? AS bigint), ? FROM organizations WHERE true
     ON CONFLICT (org, id) DO UPDATE SET url = excluded.url, categories = excluded.categories, objects = excluded.objects, enabled = 1`,
    values,
  )
  const wished = wishedObjects(plan)
  const marks = wished.map(() => '?').join(', ')
  await tx.run(`DELETE FROM webhook_wishes WHERE webhook_id = ? AND object NOT IN (${marks})`, [
    id,
    ...wished,
  ])
  await tx.run(
    `INSERT INTO webhook_wishes (org, object, webhook_id)
     SELECT o.no, v.column1, ? FROM organizations AS o CROSS JOIN (VALUES ${wished.map(() => '(?)').join(', ')}) AS v
     WHERE true ON CONFLICT DO NOTHING`,
    [id, ...wished],
  )
}

/** Where there is no stream, nothing is looked for among the deliveries, of which there can be very many. */
async function dropStream(tx: Tx, kind: StreamKind): Promise<void> {
  const id = streamId(kind)
  const endpoints = await tx.all<{ org: number }>('SELECT org FROM webhooks WHERE id = ?', [id])
  for (const { org } of endpoints) {
    await tx.run('DELETE FROM webhook_wishes WHERE org = ? AND webhook_id = ?', [org, id])
    await tx.run('DELETE FROM webhook_deliveries WHERE org = ? AND webhook_id = ?', [org, id])
  }
  await tx.run('DELETE FROM webhooks WHERE id = ?', [id])
  await tx.run('DELETE FROM stream_states WHERE kind = ?', [kind])
}

const copied = 'id, kind, url, categories, objects, enabled, creation_timestamp, created_by'

/** Gives an organization that was just added the streams that another one has. */
export async function copyStreams(tx: Tx, from: number, to: number): Promise<void> {
  await tx.lock(streamsLock)
  const ids = streamKinds.map(streamId)
  const marks = ids.map(() => '?').join(', ')
  await tx.run(
    `INSERT INTO webhooks (org, ${copied}) SELECT CAST(? AS bigint), ${copied} FROM webhooks WHERE org = ? AND id IN (${marks})`,
    [to, from, ...ids],
  )
  await tx.run(
    `INSERT INTO webhook_wishes (org, object, webhook_id) SELECT CAST(? AS bigint), object, webhook_id FROM webhook_wishes WHERE org = ? AND webhook_id IN (${marks})`,
    [to, from, ...ids],
  )
}
