import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Link } from '@tanstack/react-router'
import type { ListSearch } from '../data/list-search.ts'
import { useLinkTabIndex } from '../ui/keys/in-grid.ts'
import { listLink } from './list-paths.ts'

/** A number that links to the list with exactly that many rows. */
export function FigureLink({
  count,
  list,
  filters,
}: {
  count: number
  list: ConsoleListName
  filters: ListSearch
}) {
  const tabIndex = useLinkTabIndex()
  if (count === 0) return <span className="soft">0</span>
  return (
    <Link {...listLink({ list, filters })} tabIndex={tabIndex}>
      {count.toLocaleString('en-GB')}
    </Link>
  )
}
