import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { nextSort } from '../data/list-search.ts'
import { leastWidth, widestColumn } from './column-widths.ts'
import type { Column } from './list-plan.ts'

/** Pixels by which an arrow key changes a width, alone and with Shift. */
const step = 16
const largeStep = 64

/** Sets the width of a column in pixels; undefined makes it automatic again. */
export type SetWidth = (column: string, pixels: number | undefined) => void

/** The titles of the columns: they sort the list, and their edges change the widths. */
export function GridHead<R>({
  columns,
  tracks,
  sort,
  onSort,
  widths,
  onWidth,
  markable,
  markedAll,
  markedSome,
  onToggleAll,
}: {
  columns: readonly Column<R>[]
  /** Widths of the columns, as CSS has them. */
  tracks: string
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  widths: Readonly<Record<string, number>>
  onWidth: SetWidth
  markable: boolean
  markedAll: boolean
  markedSome: boolean
  onToggleAll: () => void
}) {
  // The edges are one stop of the Tab key: arrow keys go from one to the next.
  const [reached, setReached] = useState(0)
  const row = useRef<HTMLDivElement>(null)
  const goTo = (place: number) => {
    const edges = row.current?.querySelectorAll<HTMLElement>('[role=separator]')
    edges?.[Math.max(0, Math.min(place, edges.length - 1))]?.focus()
  }
  return (
    <div role="rowgroup">
      <div
        ref={row}
        className="grid-head"
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: tracks }}
      >
        {markable && (
          <span role="columnheader" className="check-cell">
            <input
              type="checkbox"
              className="grid-check"
              aria-label="Mark all that are shown"
              checked={markedAll}
              ref={(box) => {
                if (box) box.indeterminate = markedSome && !markedAll
              }}
              onChange={onToggleAll}
            />
          </span>
        )}
        {columns.map((column, place) => {
          const { id, title, number, sort: member } = column
          const descending = sort === `-${member}`
          const sorted = member !== undefined && (descending || sort === member)
          return (
            <span
              key={id}
              role="columnheader"
              aria-label={title}
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
              <ColumnEdge
                column={column}
                width={widths[id]}
                onWidth={onWidth}
                tabIndex={place === reached ? 0 : -1}
                onReached={() => setReached(place)}
                onGo={(by) => goTo(place + by)}
              />
            </span>
          )
        })}
      </div>
    </div>
  )
}

/** The right edge of a column: drags, or Left and Right change its width, a double click or Backspace resets it. */
function ColumnEdge<R>({
  column: { id, title, width: track },
  width,
  onWidth,
  tabIndex,
  onReached,
  onGo,
}: {
  column: Column<R>
  width: number | undefined
  onWidth: SetWidth
  tabIndex: 0 | -1
  onReached: () => void
  onGo: (by: 1 | -1) => void
}) {
  const dragged = useRef<{ readonly x: number; readonly width: number }>(undefined)
  const set = (pixels: number) =>
    onWidth(id, Math.round(Math.max(leastWidth, Math.min(pixels, widestColumn))))
  const shownWidth = (edge: HTMLElement) => edge.parentElement?.getBoundingClientRect().width ?? leastWidth
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label="Column width"
      aria-description={title}
      aria-valuenow={width ?? Number(/\d+/.exec(track)?.[0] ?? leastWidth)}
      aria-valuemin={leastWidth}
      aria-valuemax={widestColumn}
      className="column-edge"
      title="Drag to resize, double-click to reset"
      tabIndex={tabIndex}
      onFocus={onReached}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { x: event.clientX, width: shownWidth(event.currentTarget) }
      }}
      onPointerMove={({ clientX }) =>
        dragged.current && set(dragged.current.width + clientX - dragged.current.x)
      }
      onLostPointerCapture={() => {
        dragged.current = undefined
      }}
      onDoubleClick={() => onWidth(id, undefined)}
      onKeyDown={(event) => {
        const by = event.shiftKey ? largeStep : step
        const pixels = shownWidth(event.currentTarget)
        if (event.key === 'ArrowRight') set(pixels + by)
        else if (event.key === 'ArrowLeft') set(pixels - by)
        else if (event.key === 'ArrowDown') onGo(1)
        else if (event.key === 'ArrowUp') onGo(-1)
        else if (event.key === 'Home') set(leastWidth)
        else if (event.key === 'Backspace') onWidth(id, undefined)
        else return
        event.preventDefault()
      }}
    />
  )
}
