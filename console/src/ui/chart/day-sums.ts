import { dayStart as chosenDayStart } from '../text/time-zone.ts'

const hourSeconds = 3600

/** What is counted by hour: the hours that had any. */
type Hour<M extends string> = Readonly<Record<M | 'hourTimestamp', number>>

/** The same of a day, which begins at `dayTimestamp`. */
export type DaySums<M extends string> = Readonly<Record<M | 'dayTimestamp', number>>

/**
 * Sums hours up to days of the chosen time zone, oldest first, with days that had none between them.
 *
 * @param members what is summed
 * @param dayStart the first second of the day of a moment; the chosen zone unless told
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
    // Twelve hours before midnight lie in the day before, even where a clock is put forward or back.
    day = dayStart(day - 12 * hourSeconds)
  }
  return found
}
