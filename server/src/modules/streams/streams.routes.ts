import type { streamOperations } from '@muster/contract/console/console-streams'
import { idTimeMs } from '../../kernel/lib/secrets/id.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { listStreamStates } from './stream-states.store.ts'

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000))

/** Console operations on event streams. */
export function streamHandlers({
  db,
}: Pick<ConsoleParts, 'db'>): ConsoleHandlers<keyof typeof streamOperations> {
  return {
    listStreams: async ({ caller }) => {
      const states = await listStreamStates(db.slow, caller.administrator.org)
      const streams = states.map(({ kind, url, heldUp, pending, error, oldest, deliveredMs, failedMs }) => ({
        kind,
        target: url,
        heldUp,
        pending,
        lastError: error,
        deliveredTimestamp: secondsOf(deliveredMs),
        oldestPendingTimestamp: oldest === null ? null : secondsOf(idTimeMs(oldest)),
        lastErrorTimestamp: secondsOf(failedMs),
      }))
      return { streams }
    },
  }
}
