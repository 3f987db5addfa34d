import type { AuditEvent } from '@muster/contract/console/console-audit'
import { eventSchemaOf } from '@muster/contract/event-objects'
import { Compile } from 'typebox/schema'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { auditHead, walkAudit } from '../../server/src/modules/audit/audit-list.store.ts'
import { keepSamples } from './kept-samples.ts'

/** Nobody, long ago: for acts of which a test looks at something else. */
export const noActor = { actor: null, timestamp: 1 } as const

/** All events of an organization's trail, oldest first. */
export async function auditTrail(db: Db, org: number): Promise<AuditEvent[]> {
  const events: AuditEvent[] = []
  for await (const links of walkAudit(db, org))
    events.push(...links.map(({ event }) => JSON.parse(event) as AuditEvent))
  keepSamples(events)
  return events
}

/** What an act tells the trail of an organization. */
export async function toldDuring(db: Db, org: number, act: () => Promise<unknown>): Promise<AuditEvent[]> {
  const before = (await auditHead(db, org))?.position ?? 0
  await act()
  return (await auditTrail(db, org)).slice(before)
}

/** What the schema of an event's object says against the event. */
export const schemaMistakes = (event: AuditEvent): unknown[] =>
  Compile(eventSchemaOf(event.object)).Errors(event)[1]

/** Does acts, each once it is prepared, and gives the objects of what each has told. */
export async function objectsTold(
  db: Db,
  org: number,
  scenes: Readonly<Record<string, Readonly<Record<string, Scene>>>>,
): Promise<Record<string, Record<string, string[]>>> {
  const told: Record<string, Record<string, string[]>> = {}
  for (const [name, ways] of Object.entries(scenes)) {
    for (const [way, prepare] of Object.entries(ways)) {
      const act = await prepare()
      const events = await toldDuring(db, org, act)
      told[name] = { ...told[name], [way]: events.map(({ object }) => object) }
    }
  }
  return told
}

/** Prepares an act, which is done later. */
export type Scene = () => Promise<() => Promise<unknown>>

/** What {@link objectsTold} gives if each act tells just the one object that it is there for. */
export const oneEach = (
  table: Readonly<Record<string, readonly string[]>>,
): Record<string, Record<string, string[]>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, objects]) => [
      name,
      Object.fromEntries(objects.map((object) => [object, [object]])),
    ]),
  )
