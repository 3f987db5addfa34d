import { type Static, type TSchema, Type } from 'typebox'
import { closed, id, text, timestamp } from '../api/fields.ts'
import { exampleOf, type JsonSchema } from '../api/json-schema.ts'
import { Actor } from './event-actor.ts'

/** The envelope of all events, with keys in contract order (events contract, section 2). */

export const eventVersion = '1'
export const eventCategories = ['ENTITY', 'ACTIVITY', 'CONTROL', 'DETECTION', 'AUDIT'] as const
export type EventCategory = (typeof eventCategories)[number]

/** Types of changes; only in ENTITY and DETECTION events. */
export const changeTypes = ['CREATE', 'UPDATE', 'DELETE'] as const
export type ChangeType = (typeof changeTypes)[number]

/** Declaration of an event. */
export interface EventDeclaration<
  C extends EventCategory = EventCategory,
  O extends string = string,
  R extends TSchema = TSchema,
  S extends TSchema = TSchema,
> {
  readonly category: C
  readonly object: O
  /** Display name of the object. */
  readonly friendlyName: string
  /** Meaning of the event in a sentence, one for each type of change. `sentenceOf` describes a single event. */
  readonly descriptions: Readonly<Partial<Record<ChangeType | 'ALWAYS', string>>>
  /** Schema of `new` and, if present, of `old`. */
  readonly record: R
  /** The schema of the whole event. */
  readonly schema: S
}

/** Input of a declaration. */
interface Telling<C extends EventCategory, O extends string, R extends TSchema> {
  readonly category: C
  readonly object: O
  readonly friendlyName: string
  readonly record: R
}

const only = <const V extends string>(value: V, description: string) =>
  Type.Literal(value, { description, examples: [value] })

const head = <const C extends EventCategory, const O extends string>(
  { category, object, friendlyName }: { category: C; object: O; friendlyName: string },
  sentence: string,
) => ({
  version: only(eventVersion, 'The version of the envelope.'),
  id: id('Unique identifier of the event: the same whenever it is sent again.'),
  timestamp: timestamp('Time when it happened; UNIX seconds.'),
  object: only(object, 'Object of the event.'),
  friendlyName: text('Display name of the object.', friendlyName, 64, 1),
  category: only(category, 'The kind of event.'),
  description: text('Description of the event in one sentence.', sentence, 1024, 1),
})

const nothing = (description: string) => Type.Null({ description, examples: [null] })

/** An observation that changes no record. */
export const seenEvent = <const C extends 'ACTIVITY' | 'CONTROL', const O extends string, R extends TSchema>(
  telling: Telling<C, O, R> & { readonly description: string },
) => {
  const { description, ...declared } = telling
  return {
    ...declared,
    descriptions: { ALWAYS: description },
    schema: closed({ ...head(telling, description), new: telling.record }, { description }),
  }
}

/** An event of the audit trail: who did what. */
export const auditEvent = <const O extends string, R extends TSchema>(
  object: O,
  friendlyName: string,
  description: string,
  record: R,
) => {
  const declared = { category: 'AUDIT', object, friendlyName, record } as const
  return {
    ...declared,
    descriptions: { ALWAYS: description },
    schema: closed(
      {
        ...head(declared, description),
        actor: Type.Union([Actor, nothing('Nobody: it came by time, or nobody is known.')], {
          description: 'Actor of the event; null if it was automatic or the actor is unknown.',
          examples: [exampleOf(Actor as JsonSchema)],
        }),
        new: record,
      },
      { description },
    ),
  }
}

/**
 * A change of a record, as `/v1` shows it: `old` is null for a created record, `new` for a deleted one.
 *
 * @param noun the record in the middle of a sentence, with its article: `an account`
 */
export const changeEvent = <
  const C extends 'ENTITY' | 'DETECTION',
  const O extends string,
  R extends TSchema,
>(
  telling: Telling<C, O, R> & { readonly noun: string },
) => {
  const { noun, ...declared } = telling
  const subject = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`
  const descriptions = {
    CREATE: `${subject} was added.`,
    UPDATE: `${subject} was changed.`,
    DELETE: `${subject} was removed.`,
  }
  const change = <const T extends ChangeType, N extends TSchema, P extends TSchema>(
    type: T,
    next: N,
    previous: P,
  ) =>
    closed(
      {
        ...head(telling, descriptions[type]),
        type: only(type, 'Type of the change.'),
        new: next,
        old: previous,
      },
      { description: descriptions[type] },
    )
  const { record } = declared
  const create = change('CREATE', record, nothing('Null: there was no such record before.'))
  return {
    ...declared,
    descriptions,
    schema: Type.Union(
      [
        create,
        change('UPDATE', record, record),
        change('DELETE', nothing('Null: there is no such record any more.'), record),
      ],
      { description: `A change of ${noun}.`, examples: [exampleOf(create as JsonSchema)] },
    ),
  }
}

/** The event that a declaration declares. */
export type EventOf<D> = D extends { readonly schema: infer S extends TSchema } ? Static<S> : never
