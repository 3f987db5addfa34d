const two = (part: number): string => String(part).padStart(2, '0')
const localDay = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  // While a year is typed it has one digit first, and fields take none of fewer than four.
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
const localTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return `${localDay(seconds)}T${two(date.getHours())}:${two(date.getMinutes())}`
}
const inSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000)

const lastDay = '9999-12-31'

/**
 * How a moment is typed: as a day of UTC, or as a day or a time of the browser's zone; a day is its beginning. Without an
 * end fields take years of six digits, of which `Date` makes nothing.
 */
export const momentKinds = {
  utcDay: {
    type: 'date',
    max: lastDay,
    write: (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10),
    read: (text: string) => inSeconds(`${text}T00:00:00Z`),
  },
  day: { type: 'date', max: lastDay, write: localDay, read: (text: string) => inSeconds(`${text}T00:00:00`) },
  time: { type: 'datetime-local', max: `${lastDay}T23:59`, write: localTime, read: inSeconds },
} as const
