import { ArrowDown, ArrowUp } from 'lucide-react'
import { nextSort } from '../data/list-search.ts'
import type { Column } from './list-plan.ts'

/** Column headers, which sort the list. */
export function GridHead<R>({
  columns,
  tracks,
  sort,
  onSort,
  selectable,
  allSelected,
  someSelected,
  onToggleAll,
}: {
  columns: readonly Column<R>[]
  /** CSS grid tracks of the columns. */
  tracks: string
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  selectable: boolean
  allSelected: boolean
  someSelected: boolean
  onToggleAll: () => void
}) {
  return (
    <div role="rowgroup">
      <div className="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
        {selectable && (
          <span role="columnheader" className="check-cell">
            <input
              type="checkbox"
              className="grid-check"
              aria-label="Select all"
              checked={allSelected}
              ref={(box) => {
                if (box) box.indeterminate = someSelected && !allSelected
              }}
              onChange={onToggleAll}
            />
          </span>
        )}
        {columns.map(({ id, title, number, sort: member }) => {
          const descending = sort === `-${member}`
          const sorted = member !== undefined && (descending || sort === member)
          return (
            <span
              key={id}
              role="columnheader"
              className={number && 'number'}
              aria-sort={sorted ? (descending ? 'descending' : 'ascending') : undefined}
            >
              {member === undefined ? (
                <span className="head-text">{title}</span>
              ) : (
                <button type="button" className="head-text" onClick={() => onSort(nextSort(sort, member))}>
                  {title}
                  {sorted && (descending ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />)}
                </button>
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
}
