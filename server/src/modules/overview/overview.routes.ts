import type { Overview, overviewOperations } from '@muster/contract/console/console-overview'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { takeOverview } from './take-overview.ts'

/** An overview is given as it is for so long; an older one is given once more while a new one is taken. */
const freshMs = 60_000
/** One that is older than this is not given any more. */
const staleMs = 6 * 60 * 60_000

interface Kept {
  readonly overview: Overview
  readonly takenMs: number
}

/** The overview, counted at most once a minute for an organization, however many look at it. */
export function overviewHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof overviewOperations> {
  const { db, clock, log } = parts
  const kept = new Map<number, Kept>()
  const running = new Map<number, Promise<Overview>>()

  const take = async (org: number): Promise<Overview> => {
    const takenMs = clock.monotonicMs()
    const overview = await takeOverview(db.slow, org, unixSeconds(clock))
    kept.set(org, { overview, takenMs })
    return overview
  }

  const takeOnce = (org: number): Promise<Overview> => {
    const known = running.get(org)
    if (known) return known
    const taken = take(org).finally(() => running.delete(org))
    running.set(org, taken)
    return taken
  }

  return {
    readOverview: async ({ caller }) => {
      const { org } = caller.administrator
      const known = kept.get(org)
      const age = known ? clock.monotonicMs() - known.takenMs : Number.POSITIVE_INFINITY
      if (!known || age > staleMs) return takeOnce(org)
      if (age > freshMs)
        void takeOnce(org).catch((error: unknown) =>
          log.warn({ err: error }, 'the overview of the console could not be taken anew'),
        )
      return known.overview
    },
  }
}
