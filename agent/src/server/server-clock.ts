import { stored } from '../state/stored.ts'

/** How far the server's clock is ahead of the browser's, in milliseconds. */
const offset = stored('clockOffsetMs', 0)

/** A Date field tells whole seconds, and the answer was a while under way: less than this is no difference. */
const toleranceMs = 2000

/**
 * The offset that a Date field shows.
 *
 * @param dateField the field of an answer; null if it had none
 * @param sentMs when the question left, by the browser's clock
 * @param receivedMs when the answer came, by the same
 * @returns milliseconds; null if the field tells nothing
 */
export function offsetShownBy(dateField: string | null, sentMs: number, receivedMs: number): number | null {
  const dateMs = dateField === null ? Number.NaN : Date.parse(dateField)
  if (Number.isNaN(dateMs) || receivedMs < sentMs) return null
  // The field is cut to the second: on average the clock is half a second further.
  const difference = Math.round(dateMs + 500 - (sentMs + receivedMs) / 2)
  return Math.abs(difference) <= toleranceMs ? 0 : difference
}

/** Takes the server's time from an answer. An answer that took long tells too little. */
export async function learnServerTime(
  dateField: string | null,
  sentMs: number,
  receivedMs: number,
): Promise<void> {
  const shown = offsetShownBy(dateField, sentMs, receivedMs)
  if (shown === null || receivedMs - sentMs > 10_000) return
  await offset.change((known) => (Math.abs(known - shown) <= toleranceMs ? known : shown))
}

/** The time by the server's clock, as well as it is known, in milliseconds since the UNIX epoch. */
export async function serverNowMs(): Promise<number> {
  return Date.now() + (await offset.read())
}
