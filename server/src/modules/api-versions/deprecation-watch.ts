import type { Logger } from 'pino'
import type { Db } from '../../kernel/store/sql.ts'
import { type ApiDeprecationRow, listApiDeprecations } from './api-deprecations.service.ts'

/** Knows the dates of the versions of the API without asking the store for each request. */
export interface DeprecationWatch {
  /** The dates as they were at the last look; the same object until they change. */
  current(): readonly ApiDeprecationRow[]
  /** Looks now: after a change by this process. */
  refresh(): Promise<void>
  stop(): void
}

/** Other processes, and the command line, change the dates, too: within this time it is seen. */
const lookEveryMs = 1000

/** Looks for the dates now, and again every second. A look that fails leaves what is known. */
export async function deprecationWatch(db: Db, log: Pick<Logger, 'warn'>): Promise<DeprecationWatch> {
  let rows = await listApiDeprecations(db)
  let known = JSON.stringify(rows)
  let warned = false
  let [begun, taken] = [0, 0]
  const refresh = async (): Promise<void> => {
    begun += 1
    const look = begun
    try {
      const found = await listApiDeprecations(db)
      // One that began later may have been answered sooner: it knows more.
      if (look < taken) return
      taken = look
      const text = JSON.stringify(found)
      if (text !== known) {
        rows = found
        known = text
      }
      warned = false
    } catch (error) {
      if (!warned) log.warn({ err: error }, 'the dates of the versions of the API could not be read')
      warned = true
    }
  }
  const timer = setInterval(() => void refresh(), lookEveryMs).unref()
  return { current: () => rows, refresh, stop: () => clearInterval(timer) }
}
