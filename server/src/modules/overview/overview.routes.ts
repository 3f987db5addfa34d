import type { overviewOperations } from '@muster/contract/console/console-overview'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { refreshedCache } from '../../kernel/lib/refreshed-cache.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { computeOverview } from './compute-overview.ts'

/** Handlers for the overview, which is computed at most once a minute per organization. */
export function overviewHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof overviewOperations> {
  const { db, clock, log } = parts
  const overviews = refreshedCache({
    compute: (org) => computeOverview(db.slow, Number(org), unixSeconds(clock)),
    nowMs: () => clock.monotonicMs(),
    freshMs: 60_000,
    staleMs: 6 * 60 * 60_000,
    onError: (error) => log.warn({ err: error }, 'cannot refresh the overview of the console'),
  })
  return { readOverview: ({ caller }) => overviews.get(String(caller.administrator.org)) }
}
