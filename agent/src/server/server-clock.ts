import { stored } from '../state/stored.ts'

/** Offset of the server's clock from the browser's, in milliseconds. */
const offset = stored('clockOffsetMs', 0)

/** Smallest significant offset. A Date field has whole seconds, and the response took time to arrive. */
const toleranceMs = 2000

/**
 * Returns the offset indicated by a Date field.
 *
 * @param dateField field of a response; null if missing
 * @param sentMs time of the request by the browser's clock
 * @param receivedMs time of the response by the browser's clock
 * @returns milliseconds; null if the field is unusable
 */
export function offsetShownBy(dateField: string | null, sentMs: number, receivedMs: number): number | null {
  const dateMs = dateField === null ? Number.NaN : Date.parse(dateField)
  if (Number.isNaN(dateMs) || receivedMs < sentMs) return null
  // The field is truncated to the second, so the clock is half a second ahead on average.
  const difference = Math.round(dateMs + 500 - (sentMs + receivedMs) / 2)
  return Math.abs(difference) <= toleranceMs ? 0 : difference
}

/** Updates the offset from a response. Slow responses are ignored as too imprecise. */
export async function updateServerTime(
  dateField: string | null,
  sentMs: number,
  receivedMs: number,
): Promise<void> {
  const shown = offsetShownBy(dateField, sentMs, receivedMs)
  if (shown === null || receivedMs - sentMs > 10_000) return
  await offset.change((known) => (Math.abs(known - shown) <= toleranceMs ? known : shown))
}

/** Returns the estimated time of the server's clock, in milliseconds since the UNIX epoch. */
export async function serverNowMs(): Promise<number> {
  return Date.now() + (await offset.read())
}
