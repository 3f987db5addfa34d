/**
 * What goes back for a message. A browser that ends the background before it answers gives back nothing, which must not be
 * taken for an answer.
 */
export type Reply = { readonly answer: unknown } | { readonly refused: true } | Busy

/** Too much was said; what is said later may be heard. */
interface Busy {
  readonly busy: true
}

const waitsMs = [250, 500]
const busyWaitsMs = [1_000, 4_000, 16_000]

const has = (value: unknown, member: string) => typeof value === 'object' && value !== null && member in value
const isFinal = (value: unknown): value is Exclude<Reply, Busy> =>
  has(value, 'answer') || has(value, 'refused')

/**
 * Sends a message, again if there was no reply: the browser starts the background anew for it. The waits are short, for
 * the page that asks may be left; they are longer where the background hears too much from the page.
 *
 * @param send sends it; what it gives back or throws without a reply counts as none
 * @param mayRepeat whether it does no harm if it comes late, or the background has heard it, and was ended before it could
 * say so
 * @returns the answer; undefined if it was refused, or nobody answers
 */
export async function answerTo(
  send: () => Promise<unknown>,
  mayRepeat: () => boolean,
  wait: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<unknown> {
  for (let sent = 0; ; sent++) {
    const reply = await send().catch(() => undefined)
    if (isFinal(reply)) return 'answer' in reply ? reply.answer : undefined
    const waitMs = (has(reply, 'busy') ? busyWaitsMs : waitsMs)[sent]
    if (waitMs === undefined || !mayRepeat()) return undefined
    await wait(waitMs)
  }
}
