import type { listLink } from '../../list/list-paths.ts'

/** A series of a chart, with one value per week. */
export interface ChartSeries {
  readonly name: string
  /** CSS class from `charts.css`. */
  readonly tone: string
  /** Null: not known. */
  readonly values: readonly (number | null)[]
  /** Links to the lists behind the values, undefined for zero. Without links, the values have no list. */
  readonly links?: readonly (ReturnType<typeof listLink> | undefined)[]
}

/** A segment of a stacked column. `from` and `height` are fractions of the chart height. */
export interface Segment {
  readonly series: ChartSeries
  readonly value: number
  readonly from: number
  readonly height: number
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** Rounds up to a readable scale maximum. */
export function roundedUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return Math.ceil((steps.find((one) => one * power >= value) ?? 10) * power)
}

/** Stacks the series of each week. Zero values have no segment. */
export function stacked(series: readonly ChartSeries[], weeks: number, top: number): Segment[][] {
  return Array.from({ length: weeks }, (_, week) => {
    let from = 0
    return series.flatMap((one) => {
      const value = one.values[week] ?? 0
      const segment = { series: one, value, from, height: value / top }
      from += segment.height
      return value === 0 ? [] : [segment]
    })
  })
}

/** Returns the sum of a week over all series. */
export const weekSum = (series: readonly ChartSeries[], week: number): number =>
  series.reduce((sum, { values }) => sum + (values[week] ?? 0), 0)

/** Formats a percentage; `–` if the whole is zero. Returns 0 % and 100 % only for exact values. */
export function shareText(count: number, whole: number): string {
  if (whole === 0) return '–'
  const share = Math.round((count / whole) * 100)
  const honest = count > 0 && count < whole ? Math.min(99, Math.max(1, share)) : share
  return `${honest} %`
}
