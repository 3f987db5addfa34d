import type { AlertSchedule } from '@muster/contract/console/alerts/alert-kinds'

/** Times of messages. */
export interface Schedule {
  readonly schedule: AlertSchedule
  /** Hour of daily and weekly digests in the time zone. */
  readonly hour: number
  /** Day of weekly digests: 1 is Monday, 7 is Sunday. */
  readonly weekday: number
}

const minuteMs = 60_000
/** Offsets of all time zones in use are multiples of a quarter of an hour. */
const stepMs = 15 * minuteMs
/** More than a week with a change of daylight saving time. */
const stepsMaximum = 9 * 24 * 4

/** Local time as far as digests need it. */
interface LocalTime {
  /** Sortable day: `2026-11-26`. */
  readonly day: string
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** Returns the local time of a time zone. */
export function localTime(timeZone: string, ms: number): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const day = `${parts.year}-${parts.month}-${parts.day}`
  // Sunday is 0.
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  return { day, weekday, hour: Number(parts.hour), minute: Number(parts.minute) }
}

/**
 * Returns the time of the next digest after a time, in milliseconds; the time itself without a digest. If the clock is put
 * forward over the hour of the digest, the digest follows at once after; if it is put back, there is one digest.
 */
export function nextMessageMs(
  { schedule, hour, weekday }: Schedule,
  timeZone: string,
  nowMs: number,
): number {
  if (schedule === 'IMMEDIATE') return nowMs
  const isPast = (time: LocalTime, day: string) => time.day > day || (time.day === day && time.hour >= hour)
  let before = localTime(timeZone, Math.floor(nowMs / stepMs) * stepMs)
  for (let step = 1; step <= stepsMaximum; step++) {
    const ms = (Math.floor(nowMs / stepMs) + step) * stepMs
    const time = localTime(timeZone, ms)
    const last = before
    // The hour of the day before may have been left out, up to midnight.
    const isDue =
      schedule === 'HOURLY'
        ? time.minute === 0
        : [last, time].some(
            (one) =>
              (schedule === 'DAILY' || one.weekday === weekday) &&
              !isPast(last, one.day) &&
              isPast(time, one.day),
          )
    if (isDue) return ms
    before = time
  }
  throw new Error(`no digest is due within ${stepsMaximum} steps`)
}
