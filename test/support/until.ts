import { setTimeout as wait } from 'node:timers/promises'

/** For how long a condition may take on a busy machine before it counts as never met. */
const patienceMs = 20_000

/**
 * Asks again and again until there is an answer, and gives it: for what another process does in its own time.
 * A probe that throws has no answer yet.
 *
 * @throws if there is none within `patienceMs`, with what was waited for and the last error
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  withinMs: number = patienceMs,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadlineMs = performance.now() + withinMs
  let reason: unknown
  for (;;) {
    try {
      const answer = await probe()
      if (answer !== undefined && answer !== null && answer !== false)
        return answer as NonNullable<Exclude<T, false>>
    } catch (error) {
      reason = error
    }
    if (performance.now() > deadlineMs)
      throw new Error(`in ${withinMs} ms there was no ${what}`, { cause: reason })
    await wait(10)
  }
}
