import { momentText, nowSeconds, sinceText } from './moment-text.ts'
import { useTimeZone } from './time-zone.ts'

/** Relative time, with the full time as a tooltip. Takes UNIX seconds. */
export function Moment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  useTimeZone()
  if (seconds === null) return <span className="soft">{never}</span>
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={momentText(seconds)}>
      {sinceText(seconds, nowSeconds())}
    </time>
  )
}

/** Date and time to the second, with the time zone. */
export function FullMoment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  useTimeZone()
  if (seconds === null) return <span className="soft">{never}</span>
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{momentText(seconds)}</time>
}
