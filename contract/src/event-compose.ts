import { type ChangeType, eventVersion } from './event-envelope.ts'
import { type EventFor, type EventObject, eventDeclarationOf } from './event-objects.ts'

type Given = 'version' | 'object' | 'friendlyName' | 'category' | 'description'

/** What of an event its declaration does not say. The sentence may be a better one than the declared one. */
export type Told<E> = E extends unknown ? Omit<E, Given> & { readonly description?: string } : never

interface Loose {
  readonly id: string
  readonly timestamp: number
  readonly description?: string
  readonly actor?: unknown
  readonly type?: ChangeType
  readonly new: unknown
  readonly old?: unknown
}

/** An event, whole, its keys in the order of the contract (events contract, section 2). It checks nothing. */
export function composeEvent<O extends EventObject>(object: O, told: Told<EventFor<O>>): EventFor<O> {
  const { category, friendlyName, descriptions } = eventDeclarationOf(object)
  const { id, timestamp, description, actor, type, new: next, old } = told as unknown as Loose
  return {
    version: eventVersion,
    id,
    timestamp,
    object,
    friendlyName,
    category,
    description: description ?? descriptions[type ?? 'ALWAYS'],
    ...(category === 'AUDIT' ? { actor: actor ?? null } : {}),
    ...(type === undefined ? {} : { type }),
    new: next,
    ...(type === undefined ? {} : { old }),
  } as unknown as EventFor<O>
}
