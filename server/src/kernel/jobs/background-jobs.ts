import { allSettledOrThrow } from '../lib/all-settled.ts'

/** Work that runs in the background until it is stopped. */
export interface BackgroundJob {
  /** Resolves when the job has ended. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  /** Name in the log. */
  readonly name: string
  readonly everyMs: number
  /** Runs at once, too, not only after the first interval. Default: true. */
  readonly atStart?: boolean
  /** Logs only the first of consecutive failures, for jobs that run every second. Default: false. */
  readonly logOnce?: boolean
  /** One run. The signal is aborted by `stop`; an error after that is not logged. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

export interface RepeatedJob extends BackgroundJob {
  /** Resolves when the current run, if any, has ended. */
  readonly idle: Promise<void>
}

/** Result of a run of a repeated job. */
export interface RunReport {
  readonly job: string
  readonly hasFailed: boolean
  readonly durationMs: number
}

export interface WarningLog {
  warn(facts: object, message: string): void
}

/**
 * Runs a job at an interval until it is stopped. Skips a run while the previous one is still in progress, and logs
 * failures. Does not keep the process alive.
 *
 * @param observe called after every run that was not aborted, for metrics
 */
export function repeat(
  { name, everyMs, atStart = true, logOnce = false, run }: RepeatOptions,
  log: WarningLog,
  observe?: (report: RunReport) => void,
): RepeatedJob {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isFailing = false

  const runOnce = async (): Promise<void> => {
    const startMs = performance.now()
    try {
      await run(stopping.signal)
      isFailing = false
    } catch (error) {
      const shouldLog = !stopping.signal.aborted && !(logOnce && isFailing)
      if (shouldLog) log.warn({ err: error, job: name }, `Background job failed: ${name}`)
      isFailing = true
    }
    if (stopping.signal.aborted) return
    observe?.({ job: name, hasFailed: isFailing, durationMs: performance.now() - startMs })
  }
  const start = (): void => {
    running ??= runOnce().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(start, everyMs).unref()
  if (atStart) start()
  return {
    get idle() {
      return running ?? Promise.resolve()
    },
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** The background jobs of a process. */
export interface JobSet extends BackgroundJob {
  add(job: BackgroundJob): void
  /** Starts a repeated job and adds it. */
  repeat(options: RepeatOptions): void
}

/**
 * Creates an empty set. `stop` stops all jobs concurrently, since each may wait some seconds for others.
 *
 * @param observe see {@link repeat}
 */
export function jobSet(log: WarningLog, observe?: (report: RunReport) => void): JobSet {
  const jobs: BackgroundJob[] = []
  return {
    add: (job) => void jobs.push(job),
    repeat: (options) => void jobs.push(repeat(options, log, observe)),
    stop: async () => void (await allSettledOrThrow(jobs.splice(0).map((job) => job.stop()))),
  }
}
