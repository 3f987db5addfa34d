import { useRef, useState } from 'react'
import { maximumWidth, minimumWidth } from './column-widths.ts'
import type { Column } from './list-plan.ts'

/** Pixels per press of an arrow key, without and with Shift. */
const step = 16
const largeStep = 64

/** Sets the width of a column in pixels; undefined makes it automatic again. */
export type SetWidth = (column: string, pixels: number | undefined) => void

/**
 * Handles that resize columns. They overlay the headers but are outside the grid: inside a header they would become part
 * of its accessible name. Tab reaches them once; Up and Down move between them.
 */
export function ColumnEdges<R>({
  columns,
  tracks,
  minimumGridWidth,
  widths,
  onWidth,
  selectable,
}: {
  columns: readonly Column<R>[]
  /** CSS grid tracks of the columns. */
  tracks: string
  /** Least width of the grid in pixels. */
  minimumGridWidth: number
  widths: Readonly<Record<string, number>>
  onWidth: SetWidth
  selectable: boolean
}) {
  const [reached, setReached] = useState(0)
  const row = useRef<HTMLFieldSetElement>(null)
  const goTo = (place: number) => {
    const edges = row.current?.querySelectorAll<HTMLElement>('[role=separator]')
    edges?.[Math.max(0, Math.min(place, edges.length - 1))]?.focus()
  }
  return (
    <fieldset
      ref={row}
      className="column-edges"
      aria-label="Column widths"
      style={{ gridTemplateColumns: tracks, minWidth: minimumGridWidth }}
    >
      {selectable && <span />}
      {columns.map((column, place) => (
        <span key={column.id}>
          <ColumnEdge
            column={column}
            width={widths[column.id]}
            onWidth={onWidth}
            tabIndex={place === reached ? 0 : -1}
            onReached={() => setReached(place)}
            onGo={(by) => goTo(place + by)}
          />
        </span>
      ))}
    </fieldset>
  )
}

/** Resize handle of a column. Dragging or Left and Right change the width; double-click or Backspace resets it. */
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
    onWidth(id, Math.round(Math.max(minimumWidth, Math.min(pixels, maximumWidth))))
  const shownWidth = (edge: HTMLElement) => edge.parentElement?.getBoundingClientRect().width ?? minimumWidth
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label="Column width"
      aria-description={title}
      aria-valuenow={width ?? Number(/\d+/.exec(track)?.[0] ?? minimumWidth)}
      aria-valuemin={minimumWidth}
      aria-valuemax={maximumWidth}
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
        else if (event.key === 'Home') set(minimumWidth)
        else if (event.key === 'Backspace') onWidth(id, undefined)
        else return
        event.preventDefault()
      }}
    />
  )
}
