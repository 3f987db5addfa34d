import { type ListSearch, valuesOf } from '../data/list-search.ts'
import { ChoiceMenu } from '../ui/dialog/menu.tsx'
import { labelOf, memberLabel } from '../ui/text/labels.ts'
import type { SetSearch } from './list-tools.tsx'

const periods = ['LAST_24_HOURS', 'LAST_7_DAYS', 'LAST_30_DAYS'] as const

/** Filters of a custom range, which a period replaces. */
export const customRange = ['creationTimestampAfter', 'creationTimestampBefore'] as const

/** Removes a custom range from the search parameters. */
export const noCustomRange: ListSearch = Object.fromEntries(customRange.map((name) => [name, undefined]))

const custom = 'custom'

/** Menu of periods for the creation time. A custom range is set in the dialog with all filters. */
export function PeriodMenu({
  search,
  onSearch,
  onCustom,
}: {
  search: ListSearch
  onSearch: SetSearch
  onCustom: () => void
}) {
  const hasRange = customRange.some((name) => valuesOf(search, name).length > 0)
  const choose = ([value]: readonly string[]) => {
    // The menu reports no value if the chosen one is pressed again: a custom range is then edited, a period is removed.
    if (value === custom || (value === undefined && hasRange)) return onCustom()
    onSearch({ ...noCustomRange, createdWithin: value })
  }
  return (
    <ChoiceMenu
      heading={memberLabel('createdWithin')}
      single
      choices={[...periods.map((period) => [period, labelOf(period)] as const), [custom, 'Custom range…']]}
      chosen={hasRange ? [custom] : valuesOf(search, 'createdWithin')}
      onChange={choose}
    >
      {memberLabel('createdWithin')}
    </ChoiceMenu>
  )
}
