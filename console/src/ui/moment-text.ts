const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto', style: 'long' })
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const onlyDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** How long ago something was, or how long it is until then: `3 days ago`. */
export function sinceText(seconds: number, nowSeconds: number): string {
  const apart = seconds - nowSeconds
  const found = units.find(([, size]) => Math.abs(apart) >= size)
  return found ? relative.format(Math.trunc(apart / found[1]), found[0]) : 'just now'
}

/** The moment in full, in the time zone of the browser. */
export const momentText = (seconds: number): string => absolute.format(seconds * 1000)

/** Only its day. */
export const dayText = (seconds: number): string => onlyDay.format(seconds * 1000)

/** Only its day where it is the beginning of one. */
export function dayOrMomentText(seconds: number): string {
  const dayBegins = new Date(seconds * 1000).setHours(0, 0, 0, 0)
  return seconds * 1000 === dayBegins ? dayText(seconds) : momentText(seconds)
}

const onlyUtcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** The day that a week begins on, the same one in every time zone: weeks begin with a day of UTC. */
export const weekText = (seconds: number): string => onlyUtcDay.format(seconds * 1000)

const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day of UTC in words: `1 June 2027`. */
export const utcDayText = (seconds: number): string => utcDay.format(seconds * 1000)

/** Now, in UNIX seconds. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)
