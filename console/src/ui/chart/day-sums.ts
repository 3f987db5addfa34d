import { dayStart as chosenDayStart } from '../text/time-zone.ts'

const hourSeconds = 3600

/** Counts of one hour. Hours without any are omitted. */
type Hour<M extends string> = Readonly<Record<M | 'hourTimestamp', number>>

/** Counts of one day, which begins at `dayTimestamp`. */
export type DaySums<M extends string> = Readonly<Record<M | 'dayTimestamp', number>>

/**
 * Sums hourly counts per day in the selected time zone, oldest first. Includes days without any.
 *
 * @param members members to sum
 * @param dayStart returns the first second of a timestamp's day; defaults to the selected time zone
 */
export function sumsByDay<M extends string>(
  hours: readonly Hour<M>[],
  members: readonly M[],
  {
    days,
    nowSeconds,
    dayStart = chosenDayStart,
  }: {
    days: number
    nowSeconds: number
    dayStart?: (seconds: number) => number
  },
): DaySums<M>[] {
  const byDay = Map.groupBy(hours, (hour) => dayStart(hour.hourTimestamp))
  const sumsOf = (day: number) =>
    Object.fromEntries(
      members.map((member) => [member, (byDay.get(day) ?? []).reduce((sum, hour) => sum + hour[member], 0)]),
    ) as Record<M, number>
  const found: DaySums<M>[] = []
  let day = dayStart(nowSeconds)
  for (let count = 0; count < days; count += 1) {
    found.unshift({ ...sumsOf(day), dayTimestamp: day })
    // Twelve hours before midnight is always the previous day, even when daylight saving time changes.
    day = dayStart(day - 12 * hourSeconds)
  }
  return found
}
