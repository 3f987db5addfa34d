import type { TSchema } from 'typebox'
import { exampleOf, type JsonSchema } from '../api/json-schema.ts'
import { auditEvents } from './event-audit.ts'
import { controlEvents } from './event-controls.ts'
import { detectionEvents, entityEvents } from './event-entities.ts'
import type { EventCategory, EventDeclaration, EventOf } from './event-envelope.ts'
import { activityEvents } from './event-login.ts'

/** Every event that Muster sends, by its object (events contract, section 3). */
export const eventDeclarations = {
  ...entityEvents,
  ...activityEvents,
  ...controlEvents,
  ...detectionEvents,
  ...auditEvents,
} as const

type Declarations = typeof eventDeclarations

/** Objects of events. */
export type EventObject = keyof Declarations
export const eventObjects = Object.keys(eventDeclarations) as EventObject[]

/** An event of an object. */
export type EventFor<O extends EventObject> = EventOf<Declarations[O]>

/** An event, discriminated by `object`, and for ENTITY and DETECTION events by `type`. */
export type WebhookEvent = { [O in EventObject]: EventFor<O> }[EventObject]

/** The events of a category. */
export type EventIn<C extends EventCategory> = Extract<WebhookEvent, { category: C }>

/** True if a text is an event object. */
export const isEventObject = (text: string): text is EventObject => Object.hasOwn(eventDeclarations, text)

/** The declaration of an object, seen alike for all. */
export const eventDeclarationOf = (object: EventObject): EventDeclaration => eventDeclarations[object]

/** The schema of a whole event, envelope included; its properties are in the order of the keys. */
export const eventSchemaOf = <O extends EventObject>(object: O): Declarations[O]['schema'] =>
  eventDeclarations[object].schema

/** Returns the schema of `new` and, if present, of `old`. */
export const eventRecordOf = <O extends EventObject>(object: O): Declarations[O]['record'] =>
  eventDeclarations[object].record

/** Returns a sample event from the examples of its members. Changes are samples of a created record. */
export const exampleEventOf = <O extends EventObject>(object: O): EventFor<O> =>
  exampleOf(eventDeclarationOf(object).schema as TSchema & JsonSchema) as EventFor<O>
