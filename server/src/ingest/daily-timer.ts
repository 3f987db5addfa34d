import { beginTomorrow, type DailyOptions, runDailyJobs } from './daily.ts'

/** Where the timer tells that jobs could not be done. */
interface WarningLog {
  warn(facts: object, message: string): void
}

/** Often enough that a day's jobs are done soon after its beginning, or after a process that had begun them has died. */
const everyMs = 15 * 60 * 1000

/** Does the daily jobs now, if they are due, and looks again from time to time; in a new store from tomorrow on. */
export function dailyTimer(
  options: DailyOptions,
  log: WarningLog,
): { stop(): Promise<void>; readonly running: Promise<void> } {
  let running = Promise.resolve()
  const look = () => {
    running = running.then(async () => {
      try {
        await beginTomorrow(options)
        await runDailyJobs(options)
      } catch (error) {
        log.warn({ err: error }, 'the daily jobs were not done')
      }
    })
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
    get running() {
      return running
    },
  }
}
