import { type ChangeType, eventVersion } from './event-envelope.ts'
import { type EventFor, type EventObject, eventDeclarationOf } from './event-objects.ts'
import { sentenceOf } from './event-sentences.ts'

type Given = 'version' | 'object' | 'friendlyName' | 'category' | 'description'

/** Values of an event that its declaration does not have, and phrases for its description; see {@link sentenceOf}. */
export type EventInput<E> = E extends unknown
  ? Omit<E, Given> & { readonly what?: string; readonly note?: string }
  : never

interface Loose {
  readonly id: string
  readonly timestamp: number
  readonly what?: string
  readonly note?: string
  readonly actor?: unknown
  readonly type?: ChangeType
  readonly new: unknown
  readonly old?: unknown
}

/** Builds an event with its keys in contract order (events contract, section 2). Does not validate. */
export function composeEvent<O extends EventObject>(object: O, input: EventInput<EventFor<O>>): EventFor<O> {
  const { category, friendlyName } = eventDeclarationOf(object)
  const { id, timestamp, actor, type, new: next, old } = input as unknown as Loose
  return {
    version: eventVersion,
    id,
    timestamp,
    object,
    friendlyName,
    category,
    description: sentenceOf(object, input as unknown as Loose),
    ...(category === 'AUDIT' ? { actor: actor ?? null } : {}),
    ...(type === undefined ? {} : { type }),
    new: next,
    ...(type === undefined ? {} : { old }),
  } as unknown as EventFor<O>
}
