import { dayStart, timeZone } from './time-zone.ts'

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'long' })
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const
const utc = { timeZone: 'UTC' } as const
const moments = {
  local: new Intl.DateTimeFormat('en-GB', { ...day, ...time }),
  utc: new Intl.DateTimeFormat('en-GB', { ...day, ...time, ...utc }),
}
const days = {
  local: new Intl.DateTimeFormat('en-GB', day),
  utc: new Intl.DateTimeFormat('en-GB', { ...day, ...utc }),
}

/** Returns a relative time: `3 days ago`. */
export function sinceText(seconds: number, nowSeconds: number): string {
  const apart = seconds - nowSeconds
  const found = units.find(([, size]) => Math.abs(apart) >= size)
  return found ? relative.format(Math.trunc(apart / found[1]), found[0]) : 'just now'
}

/** Returns date and time in the selected time zone: `15 Jun 2026, 08:05:09 UTC`. */
export const momentText = (seconds: number): string => moments[timeZone()].format(seconds * 1000)

/** Returns the date in the selected time zone. */
export const dayText = (seconds: number): string => days[timeZone()].format(seconds * 1000)

/** Returns only the date if the time is midnight. */
export function dayOrMomentText(seconds: number): string {
  return seconds === dayStart(seconds) ? dayText(seconds) : momentText(seconds)
}

/** Returns the first day of a week. Weeks start at midnight UTC, whatever the selected time zone. */
export const weekText = (seconds: number): string => days.utc.format(seconds * 1000)

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Returns a UTC date: `1 June 2027`. */
export const utcDayText = (seconds: number): string => utcDay.format(seconds * 1000)

/** Returns the current time in UNIX seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
