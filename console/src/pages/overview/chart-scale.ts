/** One color of a chart: a value for each week. */
export interface ChartSeries {
  readonly name: string
  /** The color: a class of `charts.css`. */
  readonly tone: string
  readonly values: readonly number[]
  /** The list behind the value of a week. */
  readonly pathOf: (week: number) => string
}

/** A piece of a column: what it stands for, where it begins and how tall it is, in parts of the whole chart. */
export interface Piece {
  readonly series: ChartSeries
  readonly value: number
  readonly from: number
  readonly tall: number
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** A number that is nice to read and not below `value`, nor far above it. */
export function roundedUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return Math.ceil((steps.find((one) => one * power >= value) ?? 10) * power)
}

/** The pieces of each week's column, one upon the other in the order of the series. */
export function stacked(series: readonly ChartSeries[], weeks: number, top: number): Piece[][] {
  return Array.from({ length: weeks }, (_, week) => {
    let from = 0
    return series.flatMap((one) => {
      const value = one.values[week] ?? 0
      const piece = { series: one, value, from, tall: value / top }
      from += piece.tall
      return value === 0 ? [] : [piece]
    })
  })
}

/** The sum of a week over all series. */
export const weekSum = (series: readonly ChartSeries[], week: number): number =>
  series.reduce((sum, { values }) => sum + (values[week] ?? 0), 0)

/** `count` of `whole` in per cent; `–` of nothing. Never 0 % or 100 % unless it is just that. */
export function shareText(count: number, whole: number): string {
  if (whole === 0) return '–'
  const share = Math.round((count / whole) * 100)
  const honest = count > 0 && count < whole ? Math.min(99, Math.max(1, share)) : share
  return `${honest} %`
}
