import { beginTomorrow, type DailyOptions, runDailyJobs } from './daily.ts'

/** Where the timer tells that jobs could not be done. */
interface WarningLog {
  warn(facts: object, message: string): void
}

/** Often enough that a day's jobs are done soon after its beginning, or after they could not be done. */
const everyMs = 15 * 60 * 1000

/**
 * Does the daily jobs now, if they are due, and looks again from time to time; in a new store from tomorrow on. When it
 * is stopped, what is not done yet is left to the next process.
 */
export function dailyTimer(
  options: DailyOptions,
  log: WarningLog,
): { stop(): Promise<void>; readonly running: Promise<void> } {
  const stopping = new AbortController()
  let running = Promise.resolve()
  const onStrayDay = (day: string) =>
    log.warn(
      { day },
      'the daily jobs were noted as done on a day that is yet to come, by a clock that was ahead: they are done now',
    )
  const look = () => {
    running = running.then(async () => {
      try {
        await beginTomorrow(options)
        await runDailyJobs({ ...options, signal: stopping.signal, onStrayDay })
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the daily jobs were not done')
      }
    })
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  look()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
    get running() {
      return running
    },
  }
}
