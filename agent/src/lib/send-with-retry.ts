/**
 * Reply to a message. If the browser stops the background before it replies, the result is undefined, which must not be
 * mistaken for an answer.
 */
export type Reply = { readonly answer: unknown } | { readonly refused: true } | Busy

/** Rate limit exceeded; the message may be sent again later. */
interface Busy {
  readonly busy: true
}

const waitsMs = [250, 500]
const busyWaitsMs = [1_000, 4_000, 16_000]

const has = (value: unknown, member: string) => typeof value === 'object' && value !== null && member in value
const isFinal = (value: unknown): value is Exclude<Reply, Busy> =>
  has(value, 'answer') || has(value, 'refused')

/**
 * Sends a message and retries if there is no reply; each retry wakes the background. Retry delays are short because the
 * page may be left, and longer if the background is rate limiting the page.
 *
 * @param send sends the message; a result that is no reply, or an error, counts as no reply
 * @param mayRepeat returns true if a late or duplicate message does no harm: the background may have handled it and
 * been stopped before it replied
 * @returns the answer; undefined if the message was refused or nobody answers
 */
export async function sendWithRetry(
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
