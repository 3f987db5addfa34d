import type { Logger } from 'pino'
import { type BackgroundJob, repeat } from '../../kernel/jobs/background-jobs.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type ApiDeprecationRow, listApiDeprecations } from './api-deprecations.service.ts'

/** In-memory copy of the API deprecation dates, which every request under /v1 needs. */
export interface DeprecationWatch extends BackgroundJob {
  /** Returns the latest known dates of a version; the same object until they change. */
  datesOf(version: string): ApiDeprecationRow | undefined
  /** Reads the dates now, after a change by this process. Keeps the known dates if the store fails. */
  refresh(): Promise<void>
}

/** Maximum delay until a change by another process or the command line is noticed. */
const refreshEveryMs = 1000

/** Reads the dates and refreshes them every second. */
export async function deprecationWatch(db: Db, log: Pick<Logger, 'warn'>): Promise<DeprecationWatch> {
  let rows = await listApiDeprecations(db)
  let known = JSON.stringify(rows)
  let [started, applied] = [0, 0]
  const load = async (): Promise<void> => {
    started += 1
    const query = started
    const found = await listApiDeprecations(db)
    // A query that started later may have finished earlier, with newer data.
    if (query < applied) return
    applied = query
    const text = JSON.stringify(found)
    if (text === known) return
    rows = found
    known = text
  }
  const job = repeat(
    {
      name: 'refresh API deprecation dates',
      everyMs: refreshEveryMs,
      atStart: false,
      logOnce: true,
      run: load,
    },
    log,
  )
  return {
    datesOf: (version) => rows.find((row) => row.version === version),
    refresh: () =>
      load().catch((error) => log.warn({ err: error }, 'API deprecation dates could not be read')),
    stop: job.stop,
  }
}
