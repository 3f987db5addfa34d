import type { ListSearch, SearchChange } from '../../data/list-search.ts'
import { PushButton } from '../button.tsx'
import { nounFor } from '../text/counted.ts'

const shownNames = 5

/** Names the filters of an address that the page does not know and therefore ignores, and offers to remove them. */
export function UnknownFilters({
  search,
  known,
  onSearch,
}: {
  search: ListSearch
  known: ReadonlySet<string>
  onSearch: (change: SearchChange) => void
}) {
  const names = Object.keys(search).filter((name) => !known.has(name))
  if (names.length === 0) return null
  const quoted = names.slice(0, shownNames).map((name) => `“${name.slice(0, 60)}”`)
  const more = names.length > shownNames ? [`${names.length - shownNames} more`] : []
  const filters = nounFor(names.length, 'a filter', 'filters')
  return (
    <div className="notice warn row wrap" role="alert">
      <span className="grow break">
        The address has {filters} that this page does not know: {[...quoted, ...more].join(', ')}. The results
        are not filtered by {nounFor(names.length, 'it', 'them')}.
      </span>
      <PushButton onClick={() => onSearch(Object.fromEntries(names.map((name) => [name, undefined])))}>
        Remove from the address
      </PushButton>
    </div>
  )
}
