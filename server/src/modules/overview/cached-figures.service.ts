import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'

/** Age up to which figures are served without recomputing them. Older ones are served while new ones are computed. */
const freshMs = 60_000
/** Maximum age of served figures. */
const staleMs = 6 * 60 * 60_000

/**
 * Caches figures that many reads compute, by organization: they are computed at most once a minute.
 *
 * @param subject what is computed, for the log
 * @param compute `nowSeconds` is the time of the figures, in UNIX seconds
 */
export function cachedFigures<T>(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Logger },
  subject: string,
  compute: (db: Reader, org: number, nowSeconds: number) => Promise<T>,
): (org: number) => Promise<T> {
  const cache = new Map<number, { readonly figures: T; readonly takenMs: number }>()
  const running = new Map<number, Promise<T>>()

  const computeNow = async (org: number): Promise<T> => {
    const takenMs = clock.monotonicMs()
    const figures = await compute(db.slow, org, unixSeconds(clock))
    cache.set(org, { figures, takenMs })
    return figures
  }
  const computeOnce = (org: number): Promise<T> => {
    const current = running.get(org)
    if (current) return current
    const computed = computeNow(org).finally(() => running.delete(org))
    running.set(org, computed)
    return computed
  }

  return async (org) => {
    const cached = cache.get(org)
    const age = cached ? clock.monotonicMs() - cached.takenMs : Number.POSITIVE_INFINITY
    if (!cached || age > staleMs) return computeOnce(org)
    if (age > freshMs)
      void computeOnce(org).catch((error: unknown) => log.warn({ err: error }, `cannot refresh ${subject}`))
    return cached.figures
  }
}
