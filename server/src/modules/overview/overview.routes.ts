import type { Overview, overviewOperations } from '@muster/contract/console/console-overview'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { computeOverview } from './compute-overview.ts'

/**
 * Age up to which an overview is served without recomputing it. An older one is served while a new one is
 * computed.
 */
const freshMs = 60_000
/** Maximum age of a served overview. */
const staleMs = 6 * 60 * 60_000

interface CachedOverview {
  readonly overview: Overview
  readonly takenMs: number
}

/** Handlers for the overview, which is computed at most once a minute per organization. */
export function overviewHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof overviewOperations> {
  const { db, clock, log } = parts
  const cache = new Map<number, CachedOverview>()
  const running = new Map<number, Promise<Overview>>()

  const compute = async (org: number): Promise<Overview> => {
    const takenMs = clock.monotonicMs()
    const overview = await computeOverview(db.slow, org, unixSeconds(clock))
    cache.set(org, { overview, takenMs })
    return overview
  }

  const computeOnce = (org: number): Promise<Overview> => {
    const current = running.get(org)
    if (current) return current
    const computed = compute(org).finally(() => running.delete(org))
    running.set(org, computed)
    return computed
  }

  return {
    readOverview: async ({ caller }) => {
      const { org } = caller.administrator
      const cached = cache.get(org)
      const age = cached ? clock.monotonicMs() - cached.takenMs : Number.POSITIVE_INFINITY
      if (!cached || age > staleMs) return computeOnce(org)
      if (age > freshMs)
        void computeOnce(org).catch((error: unknown) =>
          log.warn({ err: error }, 'cannot refresh the overview of the console'),
        )
      return cached.overview
    },
  }
}
