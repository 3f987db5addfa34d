import type { AuditEvent } from '@muster/contract/console/console-audit'
import { eventSchemaOf } from '@muster/contract/events/event-objects'
import { Compile } from 'typebox/schema'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { auditHead, walkAudit } from '../../server/src/modules/audit/audit-list.store.ts'
import { keepSamples } from './event-sample-files.ts'

/** Actor and time for tests that do not check them. */
export const noActor = { actor: null, timestamp: 1 } as const

/** Returns all audit events of an organization, oldest first. */
export async function auditTrail(db: Db, org: number): Promise<AuditEvent[]> {
  const events: AuditEvent[] = []
  for await (const links of walkAudit(db, org))
    events.push(...links.map(({ event }) => JSON.parse(event) as AuditEvent))
  keepSamples(events)
  return events
}

/** Returns the audit events that an action records for an organization. */
export async function auditEventsDuring(
  db: Db,
  org: number,
  action: () => Promise<unknown>,
): Promise<AuditEvent[]> {
  const before = (await auditHead(db, org))?.position ?? 0
  await action()
  return (await auditTrail(db, org)).slice(before)
}

/** Validates an event against the schema of its object. */
export const schemaMistakes = (event: AuditEvent): unknown[] =>
  Compile(eventSchemaOf(event.object)).Errors(event)[1]

/**
 * Runs each scene. @returns the objects of the audit events that each has recorded
 */
export async function auditObjectsOf(
  db: Db,
  org: number,
  scenes: Readonly<Record<string, Readonly<Record<string, Scene>>>>,
): Promise<Record<string, Record<string, string[]>>> {
  const recorded: Record<string, Record<string, string[]>> = {}
  for (const [name, variants] of Object.entries(scenes)) {
    for (const [variant, prepare] of Object.entries(variants)) {
      const action = await prepare()
      const events = await auditEventsDuring(db, org, action)
      recorded[name] = { ...recorded[name], [variant]: events.map(({ object }) => object) }
    }
  }
  return recorded
}

/**
 * Prepares an action. @returns the action to run
 */
export type Scene = () => Promise<() => Promise<unknown>>

/** Returns the expected result of {@link auditObjectsOf} if each action records exactly its own object. */
export const oneEach = (
  table: Readonly<Record<string, readonly string[]>>,
): Record<string, Record<string, string[]>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, objects]) => [
      name,
      Object.fromEntries(objects.map((object) => [object, [object]])),
    ]),
  )
