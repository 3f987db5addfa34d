import type { EventCategory } from '@muster/contract/events/event-envelope'
import type { EventObject } from '@muster/contract/events/event-objects'
import { eventCategories, objectChoices } from '../../data/event-kinds.ts'
import { Checks } from '../../ui/form/checks.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'
import { ManyPicker } from '../../ui/form/many-picker.tsx'

/** Subscribed events of an endpoint: whole categories and further objects. Both empty means all events. */
export interface EventSubscription {
  readonly categories: readonly EventCategory[]
  readonly objects: readonly EventObject[]
}

/** True if all events are subscribed. */
export const subscribesToAll = ({ categories, objects }: EventSubscription): boolean =>
  categories.length === eventCategories.length || (categories.length === 0 && objects.length === 0)

const extents = [
  ['all', 'All events'],
  ['some', 'Selected events'],
] as const

/** Fields for the subscribed events. Undefined means all events. */
export function SubscriptionFields({
  subscription,
  onChange,
}: {
  subscription: EventSubscription | undefined
  onChange: (subscription: EventSubscription | undefined) => void
}) {
  const others = objectChoices(eventCategories.filter((one) => !subscription?.categories.includes(one)))
  return (
    <>
      <ChoiceField
        label="Events"
        choices={extents}
        {...bound(subscription ? 'some' : 'all', (extent) =>
          onChange(extent === 'all' ? undefined : { categories: ['DETECTION'], objects: [] }),
        )}
      />
      {subscription && (
        <>
          <Checks
            label="Categories"
            values={eventCategories}
            chosen={subscription.categories}
            onChange={(categories) => onChange({ ...subscription, categories })}
          />
          {others.length > 0 && (
            <ManyPicker
              label="Additional event types"
              hint="Single event types of other categories, for example Login."
              choices={others}
              chosen={subscription.objects}
              onChange={(objects) => onChange({ ...subscription, objects: objects as EventObject[] })}
            />
          )}
        </>
      )}
    </>
  )
}
