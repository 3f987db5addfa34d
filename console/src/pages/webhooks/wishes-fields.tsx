import type { EventCategory } from '@muster/contract/event-envelope'
import type { EventObject } from '@muster/contract/event-objects'
import { eventCategories, objectChoices } from '../../data/event-kinds.ts'
import { Checks } from '../../ui/form/checks.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'
import { ManyPicker } from '../../ui/form/many-picker.tsx'

/** Subscribed events of an endpoint: whole categories and further objects. Both empty means all events. */
export interface Wishes {
  readonly categories: readonly EventCategory[]
  readonly objects: readonly EventObject[]
}

/** True if all events are subscribed. */
export const wishesAll = ({ categories, objects }: Wishes): boolean =>
  categories.length === eventCategories.length || (categories.length === 0 && objects.length === 0)

const extents = [
  ['all', 'All events'],
  ['some', 'Selected events'],
] as const

/** Fields for the subscribed events. Undefined means all events. */
export function WishesFields({
  wishes,
  onChange,
}: {
  wishes: Wishes | undefined
  onChange: (wishes: Wishes | undefined) => void
}) {
  const others = objectChoices(eventCategories.filter((one) => !wishes?.categories.includes(one)))
  return (
    <>
      <ChoiceField
        label="Events"
        choices={extents}
        {...bound(wishes ? 'some' : 'all', (extent) =>
          onChange(extent === 'all' ? undefined : { categories: ['DETECTION'], objects: [] }),
        )}
      />
      {wishes && (
        <>
          <Checks
            label="Categories"
            values={eventCategories}
            chosen={wishes.categories}
            onChange={(categories) => onChange({ ...wishes, categories })}
          />
          {others.length > 0 && (
            <ManyPicker
              label="Additional event types"
              hint="Single event types of other categories, for example Login."
              choices={others}
              chosen={wishes.objects}
              onChange={(objects) => onChange({ ...wishes, objects: objects as EventObject[] })}
            />
          )}
        </>
      )}
    </>
  )
}
