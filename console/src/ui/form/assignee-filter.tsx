import { useAssigneeChoices } from '../../data/administrators.ts'
import { type ListSearch, valuesOf } from '../../data/list-search.ts'
import type { SetSearch } from '../../list/list-tools.tsx'
import { ChoiceMenu } from '../dialog/menu.tsx'
import { ChoiceField } from './field.tsx'
import { bound } from './form.tsx'

/** Name of the filter by the administrator who works on a record. */
export const assigneeFilter = 'assignee'

/** Menu of the filter by the administrator who works on a record. */
export function AssigneeMenu({ search, onSearch }: { search: ListSearch; onSearch: SetSearch }) {
  const choices = useAssigneeChoices()
  return (
    <ChoiceMenu
      heading="Assignee"
      choices={choices}
      chosen={valuesOf(search, assigneeFilter)}
      onChange={(chosen) => onSearch({ [assigneeFilter]: chosen.length === 0 ? undefined : chosen })}
    >
      Assignee
    </ChoiceMenu>
  )
}

/** Field of the filter by the administrator who works on a record, in the dialog with all filters. */
export function AssigneeField({
  label,
  chosen,
  onChange,
}: {
  label: string
  chosen: readonly string[]
  onChange: (values: readonly string[]) => void
}) {
  const choices = useAssigneeChoices()
  return (
    <ChoiceField
      label={label}
      choices={[['', 'Any'], ...choices]}
      {...bound(chosen[0] ?? '', (value) => onChange(value === '' ? [] : [value]))}
    />
  )
}

/** Name of an administrator in a chip of the filter. */
export function AssigneeText({ value }: { value: string }) {
  return useAssigneeChoices().find(([one]) => one === value)?.[1] ?? value
}
