import { declarations } from 'virtual:muster-declarations'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useState } from 'react'
import { type FilterDeclaration, isMoment, isPerson } from '../data/declarations.ts'
import { type ListSearch, valuesOf } from '../data/list-search.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { AssigneeField, assigneeFilter } from '../ui/form/assignee-filter.tsx'
import { Checks } from '../ui/form/checks.tsx'
import { ChoiceField, TextField } from '../ui/form/field.tsx'
import { atOnce, bound, Form } from '../ui/form/form.tsx'
import { MomentField } from '../ui/form/moment-field.tsx'
import { PeoplePicker } from '../ui/form/people-picker.tsx'
import { labelOf, memberLabel } from '../ui/text/labels.ts'
import type { ListPlan } from './list-plan.ts'
import type { SetSearch } from './list-tools.tsx'
import { customRange } from './period-menu.tsx'
import { ValuePicker } from './value-picker.tsx'

/** Dialog with the filters that are not in the toolbar. */
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
  const hidden = [...plan.quickFilters, ...(plan.hiddenFilters ?? []), 'except', 'createdWithin']
  const filters = declarations.lists[plan.name].filters.filter(({ name }) => !hidden.includes(name))
  const [values, setValues] = useState<Readonly<Record<string, readonly string[]>>>(() =>
    Object.fromEntries(filters.map(({ name }) => [name, valuesOf(search, name)])),
  )
  const chosen = Object.fromEntries(
    filters.map(({ name }) => [name, (values[name] ?? []).map((one) => one.trim()).filter(Boolean)] as const),
  )
  const apply = () => {
    const hasRange = customRange.some((name) => chosen[name]?.length)
    onSearch({
      ...Object.fromEntries(
        filters.map(({ name }) => [name, chosen[name]?.length ? chosen[name] : undefined]),
      ),
      ...(hasRange && { createdWithin: undefined }),
    })
    onClose()
  }
  return (
    <Dialog title="Filters" onClose={onClose}>
      <Form sending={atOnce(apply)} action="Apply" onCancel={onClose}>
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            list={plan.name}
            filter={filter}
            values={values[filter.name] ?? []}
            onChange={(next) => setValues({ ...values, [filter.name]: next })}
          />
        ))}
      </Form>
    </Dialog>
  )
}

function FilterField({
  list,
  filter,
  values,
  onChange,
}: {
  list: ConsoleListName
  filter: FilterDeclaration
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}) {
  const label = memberLabel(filter.name)
  const [value = ''] = values
  const one = (next: string) => onChange(next === '' ? [] : [next])
  if (filter.type === 'enum')
    return <Checks label={label} values={filter.values ?? []} chosen={values} onChange={onChange} />
  if (filter.type === 'boolean')
    return (
      <ChoiceField
        label={label}
        choices={[['', 'Any'], ...['true', 'false'].map((each) => [each, labelOf(each)] as const)]}
        {...bound(value, one)}
      />
    )
  if (isMoment(filter))
    return (
      <MomentField
        kind="day"
        label={label}
        seconds={value === '' ? null : Number(value)}
        onChange={(seconds) => one(seconds === null ? '' : String(seconds))}
      />
    )
  if (filter.name === assigneeFilter)
    return <AssigneeField label={label} chosen={values} onChange={onChange} />
  if (isPerson(filter)) return <PeoplePicker label={label} chosen={values} onChange={onChange} />
  if (filter.type === 'integer') return <TextField label={label} type="number" {...bound(value, one)} />
  if (filter.kind === 'contains')
    return (
      <TextField
        label={label}
        hint="Matches any part of the text. Not case-sensitive."
        {...bound(value, one)}
      />
    )
  return (
    <ValuePicker
      list={list}
      filter={filter.name}
      label={label}
      {...(filter.kind === 'all' ? { hint: 'Matches records that have all of these values.' } : {})}
      chosen={values}
      onChange={onChange}
    />
  )
}
