import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { tellExpiredKeys } from './record-expired-keys.ts'

/** Soon enough that whoever watches the audit trail hears of a key's end when it happens. */
const lookEveryMs = 60 * 1000

/** Tells of keys whose time is over, now and from time to time. Several processes may do it: each key is told of once. */
export function expiredKeysTimer(
  { db, clock, log }: { db: Db; clock: Clock; log: { warn(facts: object, message: string): void } },
  everyMs = lookEveryMs,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const look = (): void => {
    running ??= tellExpiredKeys(db, Math.floor(clock.nowMs() / 1000))
      .catch((error) => log.warn({ err: error }, 'keys whose time is over were not told of'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(look, everyMs).unref()
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
