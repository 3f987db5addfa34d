import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { refreshedCache } from '../../kernel/lib/refreshed-cache.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'

/**
 * Caches figures that many reads compute, by organization: they are computed at most once a minute, and served for up to
 * six hours while new ones are computed.
 *
 * @param subject what is computed, for the log
 * @param compute `nowSeconds` is the time of the figures, in UNIX seconds
 */
export function cachedFigures<T>(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Logger },
  subject: string,
  compute: (db: Reader, org: number, nowSeconds: number) => Promise<T>,
): (org: number) => Promise<T> {
  const cache = refreshedCache({
    compute: (org) => compute(db.slow, Number(org), unixSeconds(clock)),
    nowMs: () => clock.monotonicMs(),
    freshMs: 60_000,
    staleMs: 6 * 60 * 60_000,
    onError: (error) => log.warn({ err: error }, `cannot refresh ${subject}`),
  })
  return (org) => cache.get(String(org))
}
