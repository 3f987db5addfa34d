/** A calendar period in days since the UNIX epoch (UTC). Ends are exclusive. */
export interface ReportPeriod {
  readonly id: string
  readonly from: number
  readonly to: number
  /** Start of the period before, and of the same kind. It ends where this one starts. */
  readonly previousFrom: number
}

const pattern = /^([12]\d{3})-(?:(0[1-9]|1[0-2])|Q([1-4]))$/

const firstDay = (year: number, month: number): number => Date.UTC(year, month, 1) / 86_400_000

/** Reads a month (`2026-10`) or a quarter (`2026-Q4`); undefined if it is neither. Years before 1971 have no period before. */
export function parseReportPeriod(id: string): ReportPeriod | undefined {
  const [, yearText, monthText, quarterText] = pattern.exec(id) ?? []
  const year = Number(yearText)
  if (yearText === undefined || year < 1971) return undefined
  const months = monthText === undefined ? 3 : 1
  const first = monthText === undefined ? (Number(quarterText) - 1) * 3 : Number(monthText) - 1
  return {
    id,
    from: firstDay(year, first),
    to: firstDay(year, first + months),
    previousFrom: firstDay(year, first - months),
  }
}

/** Returns the month before the one of a day. */
export function monthBefore(day: number): string {
  const date = new Date(day * 86_400_000)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}
