import { UsageError } from './command.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/**
 * Parses a duration: `30m`, `24h`, `7d`, `2w`, or `0`.
 *
 * @returns seconds
 * @throws UsageError if the text is not a duration
 */
function parseDuration(option: string, text: string): number {
  if (text === '0') return 0
  const [, number, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (number !== undefined && unit !== undefined) return Number(number) * (unitSeconds[unit] ?? 0)
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}, but must be a duration such as 30m, 24h or 7d, or 0.`,
  )
}

/** Latest supported time: 32-bit UNIX seconds. */
const latestSeconds = 4_294_967_295

/**
 * Parses a duration that starts now, see {@link parseDuration}.
 *
 * @returns seconds
 * @throws UsageError if the text is not a duration or ends too late
 */
export function parseTimeFromNow(option: string, text: string, nowSeconds: number): number {
  const seconds = parseDuration(option, text)
  if (nowSeconds + seconds <= latestSeconds) return seconds
  throw new UsageError(`${option} is ${JSON.stringify(text)}, but must end before the year 2106.`)
}

/**
 * Parses a future time: a date (00:00 UTC), a date with time and zone, or a duration from now such as `90d`.
 *
 * @returns UNIX seconds
 * @throws UsageError if the text is none of these or in the past
 */
export function parseFutureMoment(option: string, text: string, nowSeconds: number): number {
  const wrong = `${option} is ${JSON.stringify(text)}, but must be`
  const atSeconds = /^\d+[smhdw]$/.test(text) ? nowSeconds + parseDuration(option, text) : readMoment(text)
  if (atSeconds === undefined) {
    throw new UsageError(
      `${wrong} a date such as 2027-01-31, 2027-01-31T18:00:00Z, or a duration from now such as 90d.`,
    )
  }
  if (atSeconds <= nowSeconds || atSeconds > latestSeconds)
    throw new UsageError(`${wrong} in the future, and before the year 2106.`)
  return atSeconds
}

/**
 * Parses a past time: a date (00:00 UTC), a date with time and zone, or a duration before now such as `2h`.
 *
 * @returns UNIX seconds
 * @throws UsageError if the text is none of these
 */
export function parsePastMoment(option: string, text: string, nowSeconds: number): number {
  const atSeconds = /^\d+[smhdw]$/.test(text) ? nowSeconds - parseDuration(option, text) : readMoment(text)
  if (atSeconds !== undefined) return atSeconds
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}, but must be a date such as 2026-11-21, 2026-11-21T08:00:00Z, or a duration before now such as 2h.`,
  )
}

/** Parses a date, or a date with time and zone, to UNIX seconds; undefined if the text is neither. */
export function readMoment(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text))
    return undefined
  const milliseconds = Date.parse(text)
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(milliseconds) || Number.isNaN(day.getTime())) return undefined
  // Date.parse accepts February 31 as a day in March.
  return day.toISOString().startsWith(text.slice(0, 10)) ? Math.floor(milliseconds / 1000) : undefined
}

/** Formats a time: `2026-01-31 18:00 UTC`, or a dash for null. */
export const momentText = (unixSeconds: number | null): string =>
  unixSeconds === null
    ? '-'
    : `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
