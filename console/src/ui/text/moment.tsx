import { momentText, nowSeconds, sinceText } from './moment-text.ts'
import { useTimeZone } from './time-zone.ts'

/** A moment in UNIX seconds: how long ago, and in full when pointed at. */
export function Moment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  useTimeZone()
  if (seconds === null) return <span className="soft">{never}</span>
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={momentText(seconds)}>
      {sinceText(seconds, nowSeconds())}
    </time>
  )
}

/** A moment to the second, with its zone. */
export function FullMoment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  useTimeZone()
  if (seconds === null) return <span className="soft">{never}</span>
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{momentText(seconds)}</time>
}
