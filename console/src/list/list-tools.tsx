import { declarations } from 'virtual:muster-declarations'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Columns3, Download, ListFilter } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { type ListSearch, valuesOf } from '../data/list-search.ts'
import { countPath, exportPath } from '../data/lists.ts'
import { PushButton } from '../ui/button.tsx'
import { ActionMenu, ChoiceMenu } from '../ui/dialog/menu.tsx'
import { AssigneeMenu, assigneeFilter } from '../ui/form/assignee-filter.tsx'
import { labelOf, memberLabel } from '../ui/text/labels.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import type { ListPlan } from './list-plan.ts'
import { MoreFilters } from './more-filters.tsx'
import { noCustomRange, PeriodMenu } from './period-menu.tsx'
import { saveFile } from './save-file.ts'
import { SavedFilters } from './saved-filters.tsx'
import { SearchField } from './search-field.tsx'

/** Changes the search parameters in the URL. */
export type SetSearch = (change: ListSearch) => void

/** Toolbar of a list: search, filters, columns, export. */
export function ListTools<N extends ConsoleListName>({
  plan,
  search,
  onSearch,
  searchInput,
  columns,
  onColumns,
}: {
  plan: ListPlan<N>
  search: ListSearch
  onSearch: SetSearch
  searchInput: RefObject<HTMLInputElement | null>
  columns: readonly string[]
  onColumns: (columns: string[]) => void
}) {
  const [more, setMore] = useState(false)
  const narrow = useNarrow()
  const sortChoices = plan.columns.flatMap(({ title, sort, time }): [string, string][] =>
    sort === undefined
      ? []
      : [
          [`-${sort}`, time ? `${title}: newest first` : `${title}: descending`],
          [sort, time ? `${title}: oldest first` : `${title}: ascending`],
        ],
  )
  const { filters } = declarations.lists[plan.name]
  const save = (format: 'csv' | 'json', only?: readonly string[]) => () =>
    void saveFile(exportPath(plan.name, search, format, only), countPath(plan.name, search))
  const shown = plan.columns.filter(({ id }, index) => index === 0 || columns.includes(id))
  return (
    <div className="tools">
      <SearchField
        hint={plan.searchHint}
        text={valuesOf(search, 'search')[0] ?? ''}
        input={searchInput}
        onText={(text) => onSearch({ search: text === '' ? undefined : text })}
      />
      <div className="tool-row">
        {narrow && sortChoices.length > 0 && (
          <ChoiceMenu
            heading="Sort by"
            single
            choices={sortChoices}
            chosen={valuesOf(search, 'sort')}
            onChange={([sort]) => onSearch({ sort })}
          >
            Sort
          </ChoiceMenu>
        )}
        {plan.quickFilters.map((name) => {
          const filter = filters.find((one) => one.name === name)
          if (!filter) return null
          if (name === assigneeFilter) return <AssigneeMenu key={name} search={search} onSearch={onSearch} />
          const single = filter.type === 'boolean'
          const values = single ? ['true', 'false'] : (filter.values ?? []).filter((value) => value !== null)
          return (
            <ChoiceMenu
              key={name}
              heading={memberLabel(name)}
              single={single}
              choices={values.map((value) => [value, labelOf(value)])}
              chosen={valuesOf(search, name)}
              onChange={(chosen) => onSearch({ [name]: chosen.length === 0 ? undefined : chosen })}
            >
              {memberLabel(name)}
            </ChoiceMenu>
          )
        })}
        {plan.presets?.map(({ title, filters: preset }) => {
          const on = Object.entries(preset).every(([name, value]) => valuesOf(search, name).includes(value))
          const off = Object.fromEntries(Object.keys(preset).map((name) => [name, undefined]))
          return (
            <PushButton
              key={title}
              kind={on ? 'on' : ''}
              aria-pressed={on}
              onClick={() => onSearch(on ? off : { ...noCustomRange, ...preset })}
            >
              {title}
            </PushButton>
          )
        })}
        <PeriodMenu search={search} onSearch={onSearch} onCustom={() => setMore(true)} />
        <PushButton onClick={() => setMore(true)}>
          <ListFilter />
          More filters
        </PushButton>
        <SavedFilters list={plan.name} />
        <span className="grow" />
        {!narrow && (
          <ChoiceMenu
            heading="Columns"
            choices={plan.columns.slice(1).map(({ id, title }) => [id, title])}
            chosen={columns}
            lit={false}
            label="Columns"
            onChange={onColumns}
          >
            <Columns3 />
          </ChoiceMenu>
        )}
        <ActionMenu
          actions={[
            {
              id: 'csv',
              text: 'CSV (visible columns)',
              run: save(
                'csv',
                shown.map(({ csv }) => csv),
              ),
            },
            { id: 'csv-all', text: 'CSV (all columns)', run: save('csv') },
            { id: 'json', text: 'JSON', run: save('json') },
          ]}
        >
          <Download />
          Export
        </ActionMenu>
      </div>
      {more && <MoreFilters plan={plan} search={search} onSearch={onSearch} onClose={() => setMore(false)} />}
    </div>
  )
}
