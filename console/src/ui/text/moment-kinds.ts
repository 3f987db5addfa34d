import { timeZone } from './time-zone.ts'

const two = (part: number): string => String(part).padStart(2, '0')
const utcTime = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16)
const localTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  // A year that is being typed may have fewer than four digits, which inputs reject.
  const year = String(date.getFullYear()).padStart(4, '0')
  const day = `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
const chosenTime = (seconds: number): string => (timeZone() === 'utc' ? utcTime(seconds) : localTime(seconds))

const inSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000)
const inUtc = (text: string): number => inSeconds(`${text}Z`)
const inChosen = (text: string): number => (timeZone() === 'utc' ? inUtc(text) : inSeconds(text))

const dayOf = (time: string): string => time.slice(0, 10)
const lastDay = '9999-12-31'

/**
 * Input formats: a UTC day, or a day or time in the selected time zone. A day stands at its first second. Without a
 * maximum, inputs accept six-digit years, which `Date` cannot parse.
 */
export const momentKinds = {
  utcDay: {
    type: 'date',
    max: lastDay,
    write: (seconds: number) => dayOf(utcTime(seconds)),
    read: (text: string) => inUtc(`${text}T00:00:00`),
  },
  day: {
    type: 'date',
    max: lastDay,
    write: (seconds: number) => dayOf(chosenTime(seconds)),
    read: (text: string) => inChosen(`${text}T00:00:00`),
  },
  time: { type: 'datetime-local', max: `${lastDay}T23:59`, write: chosenTime, read: inChosen },
} as const
