import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '../data/console-send.ts'
import { PushButton } from '../ui/button.tsx'
import { InGrid } from '../ui/keys/in-grid.ts'
import { Isolated } from '../ui/text/isolated.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { CellTip, titleIfCutOff } from './cell-tip.tsx'
import { ColumnEdges, type SetWidth } from './column-edges.tsx'
import { narrowColumns, withWidths } from './column-widths.ts'
import { GridHead } from './grid-head.tsx'
import type { Column } from './list-plan.ts'

const rowHeight = { wide: 38, narrow: 68 } as const
/** Number of remaining rows at which the next page is loaded. */
const ahead = 30
const waitingRows = 18
const checkWidth = 32
const sidePadding = 56

/** Returns the minimum total width: the sum of the first number of each track. */
const widthOf = (columns: readonly { readonly width: string }[], selectable: boolean): number =>
  columns.reduce(
    (sum, { width }) => sum + Number(/\d+/.exec(width)?.[0] ?? 0),
    sidePadding + (selectable ? checkWidth : 0),
  )

interface GridProps<R> {
  readonly label: string
  readonly columns: readonly Column<R>[]
  readonly records: readonly R[]
  /** True until the first page has loaded. */
  readonly waiting: boolean
  /** True while the previous list is shown and the next one is loading. */
  readonly stale: boolean
  readonly more: boolean
  readonly loadMore: () => void
  readonly loadingMore: boolean
  /** Error of loading the next page. It is retried only on request. */
  readonly moreError: Error | null
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
  readonly widths: Readonly<Record<string, number>>
  readonly onWidth: SetWidth
  readonly active: number
  readonly onActive: (index: number) => void
  readonly selected: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  /** Selects all loaded records, or none. */
  readonly onToggleAll: () => void
  readonly selectable: boolean
  readonly pathOf: (record: R) => string
  readonly nameOf: (record: R) => string
}

/**
 * Virtualized grid of records. It takes the focus as a whole; arrow keys move between rows and between cells, which
 * reveals truncated content.
 */
export function ListGrid<R extends { readonly id: string }>(props: GridProps<R>) {
  const { columns, records, active, more, moreError, loadMore } = props
  const narrow = useNarrow()
  const shown = narrow ? narrowColumns(columns, props.sort) : withWidths(columns, props.widths)
  const [cell, setCell] = useState<number>()
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const height = narrow ? rowHeight.narrow : rowHeight.wide
  const rows = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollPaddingStart: 40,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows with another height must be measured again
  useEffect(() => rows.measure(), [rows, height])
  const target = records[active]?.id ?? records.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scroll position must not change when records are added
  useEffect(() => {
    if (records.length > 0 && active > 0) rows.scrollToIndex(active)
  }, [rows, target])
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (more && !moreError && last >= records.length - ahead) loadMore()
  }, [more, moreError, last, records.length, loadMore])
  const atRecord = records[active]
  const atColumn = cell === undefined ? undefined : shown[cell]
  const rowId = atRecord && `${gridId}-${atRecord.id}`
  const cellId = rowId && atColumn && `${rowId}-${atColumn.id}`
  const tracks = `${props.selectable ? `${checkWidth}px ` : ''}${shown.map(({ width }) => width).join(' ')}`
  const style = narrow ? {} : { gridTemplateColumns: tracks }

  return (
    <div ref={scroller} className="grid">
      {!narrow && (
        <ColumnEdges
          {...props}
          columns={shown}
          tracks={tracks}
          minimumGridWidth={widthOf(shown, props.selectable)}
        />
      )}
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={more ? -1 : records.length + 1}
        aria-busy={props.waiting || props.stale}
        aria-multiselectable={props.selectable || undefined}
        aria-activedescendant={cellId ?? rowId}
        aria-describedby={cellId && `${gridId}-tip`}
        tabIndex={0}
        onKeyDown={(event) => onGridKey(event, props, { cell, cells: shown.length, setCell })}
        onBlur={() => setCell(undefined)}
        style={narrow ? {} : { minWidth: widthOf(shown, props.selectable) }}
      >
        {!narrow && (
          <GridHead
            {...props}
            columns={shown}
            tracks={tracks}
            allSelected={records.length > 0 && props.selected.size >= records.length}
            someSelected={props.selected.size > 0}
          />
        )}
        {props.waiting ? (
          <div className="grid-body" style={{ height: waitingRows * height }} aria-hidden="true">
            {Array.from({ length: waitingRows }, (_, index) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: these rows are all alike
                key={index}
                className="grid-row waiting"
                style={{ ...style, transform: `translateY(${index * height}px)` }}
              >
                {props.selectable && !narrow && <div />}
                {shown.map(({ id }) => (
                  <div key={id} className="grid-cell" />
                ))}
              </div>
            ))}
          </div>
        ) : (
          <InGrid value={true}>
            <div className="grid-body" role="rowgroup" style={{ height: rows.getTotalSize() }}>
              {items.map(({ index, start }) => {
                const record = records[index]
                if (!record) return null
                return (
                  <GridRow
                    key={record.id}
                    {...props}
                    id={`${gridId}-${record.id}`}
                    cell={index === active ? cell : undefined}
                    columns={shown}
                    record={record}
                    index={index}
                    narrow={narrow}
                    style={{ ...style, transform: `translateY(${start}px)` }}
                  />
                )
              })}
            </div>
          </InGrid>
        )}
      </div>
      <CellTip id={`${gridId}-tip`} cellId={cellId} />
      {more && (
        <div className="grid-foot">
          {moreError && !props.loadingMore && <span role="alert">{messageOf(moreError)}</span>}
          {props.loadingMore ? 'Loading more…' : <PushButton onClick={loadMore}>Load more</PushButton>}
        </div>
      )}
    </div>
  )
}

function onGridKey<R extends { readonly id: string }>(
  event: React.KeyboardEvent<HTMLElement>,
  { records, active, onActive, onToggle, selectable }: GridProps<R>,
  at: { cell: number | undefined; cells: number; setCell: (cell: number | undefined) => void },
): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: 12,
    PageUp: -12,
    Home: -records.length,
    End: records.length,
  }
  const step = steps[event.key]
  const record = records[active]
  if (step !== undefined) onActive(Math.max(0, Math.min(active + step, records.length - 1)))
  else if (event.key === 'ArrowRight') at.setCell(Math.min((at.cell ?? -1) + 1, at.cells - 1))
  else if (event.key === 'ArrowLeft') at.setCell(at.cell ? at.cell - 1 : undefined)
  else if (event.key === 'Escape' && at.cell !== undefined) at.setCell(undefined)
  else if (event.key === 'Enter') linkAt(event.currentTarget)?.click()
  else if (event.key === ' ' && selectable && record) onToggle(record.id)
  else return
  event.preventDefault()
}

/** Returns the link of the active cell, or that of the active record. */
const linkAt = (grid: HTMLElement): HTMLElement | null =>
  grid.querySelector<HTMLElement>('.active-cell a') ??
  grid.querySelector<HTMLElement>('.grid-row.active .first a')

/** Opens the record when a row is clicked, except on links and controls, or while text is selected. */
function openByRow({ target, currentTarget }: React.MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button, input, .check-cell')) return
  if (getSelection()?.isCollapsed === false) return
  currentTarget.querySelector<HTMLElement>('.first a')?.click()
}

const cellClass = ({ number, time }: Pick<Column<never>, 'number' | 'time'>, place: number): string =>
  `grid-cell${place === 0 ? ' first' : ''}${number ? ' number' : ''}${time ? ' time' : ''}`

function GridRow<R extends { readonly id: string }>({
  id,
  cell,
  columns,
  record,
  index,
  narrow,
  style,
  active,
  onActive,
  selected,
  onToggle,
  selectable,
  pathOf,
  nameOf,
}: GridProps<R> & {
  id: string
  /** Index of the active cell. */
  cell: number | undefined
  record: R
  index: number
  narrow: boolean
  style: React.CSSProperties
}) {
  const isSelected = selected.has(record.id)
  return (
    <div
      id={id}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selectable ? isSelected : undefined}
      className={`grid-row${index === active ? ' active' : ''}${narrow ? ` card-row${selectable ? ' selectable' : ''}` : ''}`}
      style={style}
      onPointerDown={() => onActive(index)}
      onClick={openByRow}
      onKeyDown={() => undefined}
    >
      {selectable && (
        <div role="gridcell" className="grid-cell check-cell">
          <input
            type="checkbox"
            className="grid-check"
            tabIndex={-1}
            aria-label={`Select ${nameOf(record)}`}
            checked={isSelected}
            onChange={() => onToggle(record.id)}
          />
        </div>
      )}
      {columns.map((column, place) => (
        <div
          key={column.id}
          id={`${id}-${column.id}`}
          role="gridcell"
          className={`${cellClass(column, place)}${place === cell ? ' active-cell' : ''}`}
          onPointerEnter={titleIfCutOff}
        >
          {place === 0 ? (
            <Link to={pathOf(record)} tabIndex={-1}>
              <Isolated>{column.render(record)}</Isolated>
            </Link>
          ) : (
            <Isolated>{column.render(record)}</Isolated>
          )}
        </div>
      ))}
    </div>
  )
}
