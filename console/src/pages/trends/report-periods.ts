/** Months and quarters of reports, newest first. */
export interface ReportPeriods {
  /** The last month and the last quarter that have ended. */
  readonly past: readonly [month: string, quarter: string]
  readonly months: readonly string[]
  readonly quarters: readonly string[]
}

const monthsShown = 13
const quartersShown = 5

/** Returns the months and quarters up to now, including the current ones (UTC). */
export function reportPeriods(nowSeconds: number): ReportPeriods {
  const now = new Date(nowSeconds * 1000)
  const current = now.getUTCFullYear() * 12 + now.getUTCMonth()
  const monthOf = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  const currentQuarter = Math.floor(current / 3)
  const quarterOf = (quarter: number) => `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`
  return {
    past: [monthOf(current - 1), quarterOf(currentQuarter - 1)],
    months: Array.from({ length: monthsShown }, (_, back) => monthOf(current - back)),
    quarters: Array.from({ length: quartersShown }, (_, back) => quarterOf(currentQuarter - back)),
  }
}
