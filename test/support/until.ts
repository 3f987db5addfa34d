import { setTimeout as wait } from 'node:timers/promises'

/** Default timeout, generous for a busy machine. */
const patienceMs = 60_000

/**
 * Probes repeatedly until there is a result, for conditions that another process fulfills. A probe that throws has no
 * result yet.
 *
 * @throws Error with `what` and the last error as its cause, if there is no result within `withinMs`
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
    () => deadline.reject(new Error(`no ${what} within ${withinMs} ms`, { cause: reason })),
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
