import { momentText, nowSeconds, sinceText } from './moment-text.ts'

/** A moment in UNIX seconds: how long ago, and in full when pointed at. */
export function Moment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  if (seconds === null) return <span className="soft">{never}</span>
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={momentText(seconds)}>
      {sinceText(seconds, nowSeconds())}
    </time>
  )
}

/** A moment in full. */
export function FullMoment({ seconds, never = '–' }: { seconds: number | null; never?: string }) {
  if (seconds === null) return <span className="soft">{never}</span>
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{momentText(seconds)}</time>
}
