const hourSeconds = 3600

/** Requests of a day, by the hours that had any. */
export interface DayRequests {
  readonly dayTimestamp: number
  readonly requests: number
}

/**
 * Sums hours up to days of the browser's time zone, oldest first, with days that had none between them.
 *
 * @param dayStart the first second of the day of a moment; the browser's zone unless told
 */
export function requestsByDay(
  hours: readonly { readonly hourTimestamp: number; readonly requests: number }[],
  {
    days,
    nowSeconds,
    dayStart = localDayStart,
  }: {
    days: number
    nowSeconds: number
    dayStart?: (seconds: number) => number
  },
): DayRequests[] {
  const sums = new Map<number, number>()
  for (const { hourTimestamp, requests } of hours) {
    const day = dayStart(hourTimestamp)
    sums.set(day, (sums.get(day) ?? 0) + requests)
  }
  const found: DayRequests[] = []
  let day = dayStart(nowSeconds)
  for (let count = 0; count < days; count += 1) {
    found.unshift({ dayTimestamp: day, requests: sums.get(day) ?? 0 })
    // Twelve hours before midnight lie in the day before, even where a clock is put forward or back.
    day = dayStart(day - 12 * hourSeconds)
  }
  return found
}

function localDayStart(seconds: number): number {
  const date = new Date(seconds * 1000)
  date.setHours(0, 0, 0, 0)
  return Math.floor(date.getTime() / 1000)
}
