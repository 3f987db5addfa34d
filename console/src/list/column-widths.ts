import { useStoredState } from '../ui/stored-state.ts'
import type { Column } from './list-plan.ts'

/** Least and greatest width of a column that was resized, in pixels. */
export const minimumWidth = 64
export const maximumWidth = 1200

type Widths = Readonly<Record<string, number>>

/** Custom column widths of a list, stored in this browser. */
export function useColumnWidths(list: string) {
  const [widths, setWidths] = useStoredState<Widths>(`widths.${list}`, {})
  const setWidth = (column: string, pixels: number | undefined) => {
    const { [column]: _before, ...others } = widths
    setWidths(pixels === undefined ? others : { ...others, [column]: pixels })
  }
  return { widths, setWidth }
}

/** Applies custom widths to columns. */
export const withWidths = <R>(columns: readonly Column<R>[], widths: Widths): Column<R>[] =>
  columns.map((column) => {
    const pixels = widths[column.id]
    return pixels === undefined ? column : { ...column, width: `${pixels}px` }
  })

/** Returns the columns for a phone: the first three, and the time column that the list is sorted by or else the first one. */
export function narrowColumns<R>(columns: readonly Column<R>[], sort: string | undefined): Column<R>[] {
  const times = columns.filter(({ time }) => time)
  const time = times.find((column) => column.sort === sort?.replace(/^-/, '')) ?? times[0]
  return [...columns.filter((column) => !column.time).slice(0, 3), ...(time ? [time] : [])]
}
