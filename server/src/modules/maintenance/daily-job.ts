import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { type DailyOptions, runDailyJobs, skipDailyJobsToday } from './daily.ts'

interface JobLog {
  info?(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Frequent enough to run the daily jobs soon after midnight (UTC) or after a failure. */
const everyMs = 15 * 60 * 1000

/**
 * Runs the daily jobs at start and whenever they are due; in a new store from the next day on. A stop aborts them between
 * transactions and leaves the rest to the next process.
 */
export const dailyJob = (options: DailyOptions, log: JobLog): RepeatOptions => ({
  name: 'daily jobs',
  everyMs,
  run: async (signal) => {
    const onFutureDay = (day: string) =>
      log.warn(
        { day },
        'Daily jobs were recorded as done on a future day, by a server whose clock was ahead. They run now.',
      )
    const onRemoved = (what: string, count: number) =>
      log.info?.({ what, count }, 'Deleted records by the retention settings.')
    await skipDailyJobsToday(options)
    await runDailyJobs({ ...options, signal, onFutureDay, onRemoved })
  },
})
