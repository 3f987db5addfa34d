import { withAuditTrail } from '../../events/audit-trail.ts'
import { type Store, withOutbox } from '../../events/outbox.ts'
import type { Clock } from '../../lib/clock.ts'
import type { StorePlace } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { borrowedTurns, tellLender } from '../sqlite/write-turns.ts'

/**
 * Opens the embedded store once more, for a thread that has been given a place at it. Both write in turn; what either
 * remembers it forgets when the other has written, as it does when another process has.
 *
 * @param clock the time of events
 */
export function openBeside({ path, durable, turns }: StorePlace, clock: Clock): Store {
  const db = openSqlite(path, { durable, turns: borrowedTurns(turns) })
  const store = withOutbox(withAuditTrail(db), clock)
  store.onEvents(() => tellLender(turns))
  return {
    ...store,
    close: async () => {
      await store.close()
      turns.close()
    },
  }
}
