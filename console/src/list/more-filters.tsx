import { declarations } from 'virtual:muster-declarations'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useState } from 'react'
import { type FilterDeclaration, isMoment } from '../data/declarations.ts'
import { type ListSearch, valuesOf } from '../data/list-search.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ChoiceField, TextField } from '../ui/field.tsx'
import { atOnce, bound, Form } from '../ui/form.tsx'
import { MomentField } from '../ui/moment-field.tsx'
import { memberWords, wordsOf } from '../ui/words.ts'
import type { ListPlan } from './list-plan.ts'
import type { SetSearch } from './list-tools.tsx'

/** Every filter of a list that is not offered above it. */
export function MoreFilters<N extends ConsoleListName>({
  plan,
  search,
  onSearch,
  onClose,
}: {
  plan: ListPlan<N>
  search: ListSearch
  onSearch: SetSearch
  onClose: () => void
}) {
  const filters = declarations.lists[plan.name].filters.filter(
    ({ name }) => !plan.quickFilters.includes(name) && !plan.hiddenFilters?.includes(name),
  )
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(filters.map(({ name }) => [name, valuesOf(search, name).join(', ')])),
  )
  const apply = () => {
    const change = filters.map(({ name, kind }) => {
      const text = (values[name] ?? '').trim()
      if (text === '') return [name, undefined] as const
      const several =
        kind === 'all'
          ? text
              .split(',')
              .map((part) => part.trim())
              .filter(Boolean)
          : text
      return [name, several] as const
    })
    onSearch(Object.fromEntries(change))
    onClose()
  }
  return (
    <Dialog title="Filters" onClose={onClose}>
      <Form sending={atOnce(apply)} action="Apply" onCancel={onClose}>
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={values[filter.name] ?? ''}
            onChange={(value) => setValues({ ...values, [filter.name]: value })}
          />
        ))}
      </Form>
    </Dialog>
  )
}

function FilterField({
  filter,
  value,
  onChange,
}: {
  filter: FilterDeclaration
  value: string
  onChange: (value: string) => void
}) {
  const label = memberWords(filter.name)
  if (filter.type === 'enum' || filter.type === 'boolean') {
    const values = filter.values ?? ['true', 'false']
    return (
      <ChoiceField
        label={label}
        choices={[['', 'Any'], ...values.map((one) => [one, wordsOf(one)] as const)]}
        {...bound(value, onChange)}
      />
    )
  }
  if (isMoment(filter))
    return (
      <MomentField
        kind="day"
        label={label}
        seconds={value === '' ? null : Number(value)}
        onChange={(seconds) => onChange(seconds === null ? '' : String(seconds))}
      />
    )
  return (
    <TextField
      label={label}
      type={filter.type === 'integer' ? 'number' : 'text'}
      hint={filter.kind === 'all' ? 'All of them; several with commas between them.' : undefined}
      {...bound(value, onChange)}
    />
  )
}
