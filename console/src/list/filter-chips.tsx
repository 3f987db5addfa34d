import { declarations } from 'virtual:muster-declarations'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { X } from 'lucide-react'
import { type FilterDeclaration, isMoment, isPerson } from '../data/declarations.ts'
import { type ListSearch, valuesOf } from '../data/list-search.ts'
import { personName, usePerson } from '../data/person.ts'
import { AssigneeText, assigneeFilter } from '../ui/form/assignee-filter.tsx'
import { labelOf, memberLabel } from '../ui/text/labels.ts'
import { dayOrMomentText } from '../ui/text/moment-text.ts'
import { useTimeZone } from '../ui/text/time-zone.ts'
import type { ListPlan } from './list-plan.ts'
import type { SetSearch } from './list-tools.tsx'
import { ValueText } from './value-text.tsx'

/** Active filters, each with a remove button. */
export function FilterChips<N extends ConsoleListName>({
  plan,
  search,
  onSearch,
}: {
  plan: ListPlan<N>
  search: ListSearch
  onSearch: SetSearch
}) {
  useTimeZone()
  const chips = declarations.lists[plan.name].filters.flatMap((filter) =>
    valuesOf(search, filter.name).map((value) => ({ filter, value })),
  )
  if (chips.length === 0) return null
  const remove = ({ name }: FilterDeclaration, value: string) => {
    const left = valuesOf(search, name).filter((one) => one !== value)
    onSearch({ [name]: left.length > 0 ? left : undefined })
  }
  return (
    <ul className="chips" aria-label="Active filters">
      {chips.map(({ filter, value }) => (
        <li key={`${filter.name} ${value}`} className="chip">
          <span>
            {memberLabel(filter.name)}: <ChipValue list={plan.name} filter={filter} value={value} />
          </span>
          <button
            type="button"
            aria-label={`Remove filter ${memberLabel(filter.name)}: ${value}`}
            onClick={() => remove(filter, value)}
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  )
}

function ChipValue({
  list,
  filter,
  value,
}: {
  list: ConsoleListName
  filter: FilterDeclaration
  value: string
}) {
  if (isPerson(filter)) return <PersonName id={value} />
  if (filter.name === assigneeFilter) return <AssigneeText value={value} />
  if (isMoment(filter)) return dayOrMomentText(Number(value))
  if (filter.type === 'enum' || filter.type === 'boolean') return labelOf(value)
  return <ValueText list={list} filter={filter.name} value={value} />
}

function PersonName({ id }: { id: string }) {
  const { data } = usePerson(id)
  return data ? personName(data) : id
}
