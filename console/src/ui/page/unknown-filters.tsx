import type { ListSearch } from '../../data/list-search.ts'
import { PushButton } from '../button.tsx'
import { nounFor } from '../text/counted.ts'

const shownNames = 5

/** Warns about filters in the URL that the page ignores, and offers to remove them. */
export function UnknownFilters({
  search,
  known,
  onSearch,
}: {
  search: ListSearch
  known: ReadonlySet<string>
  onSearch: (change: ListSearch) => void
}) {
  const names = Object.keys(search).filter((name) => !known.has(name))
  if (names.length === 0) return null
  const quoted = names.slice(0, shownNames).map((name) => `“${name.slice(0, 60)}”`)
  const more = names.length > shownNames ? [`${names.length - shownNames} more`] : []
  const filters = nounFor(names.length, 'filter')
  return (
    <div className="notice warn row wrap" role="alert">
      <span className="grow break">
        The address contains {names.length === 1 ? 'an unknown' : 'unknown'} {filters}:{' '}
        {[...quoted, ...more].join(', ')}. {nounFor(names.length, 'It is', 'They are')} ignored.
      </span>
      <PushButton onClick={() => onSearch(Object.fromEntries(names.map((name) => [name, undefined])))}>
        Remove unknown {filters}
      </PushButton>
    </div>
  )
}
