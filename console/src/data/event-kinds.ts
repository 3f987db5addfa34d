import { eventKinds } from 'virtual:muster-events'
import type { EventCategory } from '@muster/contract/events/event-envelope'
import type { EventObject } from '@muster/contract/events/event-objects'

const names: ReadonlyMap<string, string> = new Map(
  eventKinds.map(({ object, friendlyName }) => [object, friendlyName]),
)

/** Returns the friendly name of an event object. */
export const objectName = (object: string): string => names.get(object) ?? object

/** Returns event objects with their names, optionally only those of some categories. */
export const objectChoices = (
  categories?: readonly EventCategory[],
): readonly (readonly [EventObject, string])[] =>
  eventKinds
    .filter(({ category }) => categories?.includes(category) ?? true)
    .map(({ object, friendlyName }) => [object, friendlyName])

/** The categories of events, in the order of the contract. */
export const eventCategories: readonly EventCategory[] = [
  ...new Set(eventKinds.map(({ category }) => category)),
]
