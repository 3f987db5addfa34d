import { setTimeout as wait } from 'node:timers/promises'

/** For how long a condition may take on a busy machine before it counts as never met. */
const patienceMs = 60_000

/**
 * Asks again and again until there is an answer, and gives it: for what another process does in its own time.
 * A probe that throws has no answer yet; one that does not end is given up with the rest.
 *
 * @throws if there is none within `withinMs`, with what was waited for and the last error
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  withinMs: number = patienceMs,
): Promise<NonNullable<Exclude<T, false>>> {
  let reason: unknown
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await probe()
    } catch (error) {
      reason = error
      return
    }
  }
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new Error(`in ${withinMs} ms there was no ${what}`, { cause: reason })),
    withinMs,
  )
  try {
    for (;;) {
      const answer = await Promise.race([attempt(), deadline.promise])
      if (answer !== undefined && answer !== null && answer !== false)
        return answer as NonNullable<Exclude<T, false>>
      await Promise.race([wait(10), deadline.promise])
    }
  } finally {
    clearTimeout(timer)
  }
}
