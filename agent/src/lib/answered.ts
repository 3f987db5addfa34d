/**
 * What goes back for a message. A browser that ends the background before it answers gives back nothing, which must not be
 * taken for an answer.
 */
export type Reply = { readonly answer: unknown } | { readonly refused: true }

const waitsMs = [250, 500]

const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && ('answer' in value || 'refused' in value)

/**
 * Sends a message, again if there was no reply: the browser starts the background anew for it. The waits are short, for
 * the page that asks may be left.
 *
 * @param send sends it; what it gives back or throws without a reply counts as none
 * @param mayRepeat whether it does no harm if the background has heard it, and was ended before it could say so
 * @returns the answer; undefined if it was refused, or nobody answers
 */
export async function answerTo(
  send: () => Promise<unknown>,
  mayRepeat: () => boolean,
  wait: (ms: number) => Promise<unknown> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<unknown> {
  for (let sent = 0; ; sent++) {
    const reply = await send().catch(() => undefined)
    if (isReply(reply)) return 'answer' in reply ? reply.answer : undefined
    const waitMs = waitsMs[sent]
    if (waitMs === undefined || !mayRepeat()) return undefined
    await wait(waitMs)
  }
}
