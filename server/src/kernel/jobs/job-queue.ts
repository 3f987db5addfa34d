import { withTimeout } from '../lib/with-timeout.ts'
import { type BackgroundJob, repeat, type WarningLog } from './background-jobs.ts'
import {
  adjustConcurrency,
  isIdle,
  type Lane,
  type LaneKey,
  type LaneLimits,
  leaseSize,
  needsMore,
  newLane,
  updateLimits,
} from './queue-lane.ts'

/** State to exchange with the store. */
export interface QueueExchange<Key, Leased, Outcome> {
  readonly outcomes: readonly Outcome[]
  /** Leased jobs that were not attempted. They are due again. */
  readonly released: readonly Leased[]
  /** Lanes that need due jobs, and how many at most. */
  readonly requests: readonly { readonly lane: Key; readonly limit: number }[]
  /** Lanes that still have queued jobs of an earlier exchange. */
  readonly waiting: readonly Key[]
}

/**
 * Jobs in a store that several processes share. A process leases jobs, runs them and stores the outcomes; jobs of a crashed
 * process are due again when their lease expires.
 */
export interface JobQueue<
  Key extends LaneKey,
  Leased extends { readonly lane: Key },
  Job extends Leased,
  Outcome,
> {
  /** Name in the log: `Webhook delivery`. */
  readonly name: string
  /** Lists the lanes with due jobs. */
  listDue(): Promise<readonly Key[]>
  /**
   * Stores outcomes, releases jobs and leases due ones, in one transaction. If it throws, it is called again with the same
   * outcomes; otherwise never.
   *
   * @returns the leased jobs, the `waiting` lanes whose queued jobs must not run any more, and lanes that may have more due jobs
   *   although fewer than the limit were leased
   */
  exchange(work: QueueExchange<Key, Leased, Outcome>): Promise<{
    readonly leased: readonly Leased[]
    readonly revoked?: readonly Key[]
    readonly more?: readonly Key[]
  }>
  /** Completes leased jobs, outside the transaction to keep it short. May omit jobs. If it throws, all are released. */
  load(leased: readonly Leased[]): Promise<readonly Job[]>
  /** Runs a job. Returns undefined if the job was not attempted. An error is logged and releases the job, too. */
  run(job: Job): Promise<Outcome | undefined>
  /** True if a job failed because its lane is overloaded or down. Reduces the concurrency. Default: never. */
  isFailure?(outcome: Outcome): boolean
  /** Extends the leases of jobs in flight. */
  renew?(jobs: readonly Job[]): Promise<void>
  /** Called by `stop` at once, to shorten the jobs in flight. */
  cancel?(): void
  /** Called at the end of `stop`. */
  close?(): Promise<void> | void
}

export interface QueueOptions extends LaneLimits {
  readonly log: WarningLog
  /** Calls its argument when there may be due jobs. @returns a function that ends this */
  readonly onSignal?: ((wake: () => void) => () => void) | undefined
  /** Poll interval. Needed for retries and for jobs of other processes. Default: 1 s. */
  readonly pollMs?: number | undefined
  /** Delay after a signal, in which jobs accumulate. Default: 0. */
  readonly collectMs?: number
  /** Interval of `renew`. Default: 3 s. */
  readonly renewEveryMs?: number
  /** Time that `stop` gives the jobs in flight. Default: 10 s. */
  readonly stopTimeoutMs?: number
}

export interface QueueWorker extends BackgroundJob {
  /** Checks for due jobs now instead of at the next poll. */
  wake(): void
  /** Resolves when no job is known to be due or in flight. */
  idle(): Promise<void>
  /** Leases nothing more, waits for jobs in flight, stores their outcomes and releases jobs that were not attempted. */
  stop(): Promise<void>
}

/** Time within which a leased job must start, shorter than every lease. */
const startWithinMs = 4_000
/** Pause before each exchange with the store, in which outcomes accumulate. */
const exchangePauseMs = 4
/** Pause after a failed exchange, and number of failures after which `stop` gives up. */
const retryMs = 1000
const stopAfterFailures = 3
/** Minimum interval between queries for due lanes. One query per signal would cost more than writing the job. */
const minQueryIntervalMs = 25

/**
 * Runs the jobs of a queue until it is stopped. One exchange with the store at a time stores outcomes and leases jobs for
 * all lanes. In between, every lane runs its own jobs at its own pace.
 */
export function startQueue<
  Key extends LaneKey,
  Leased extends { readonly lane: Key },
  Job extends Leased,
  Outcome,
>(queue: JobQueue<Key, Leased, Job, Outcome>, options: QueueOptions): QueueWorker {
  const { log, pollMs = 1000, collectMs = 0, renewEveryMs = 3_000, stopTimeoutMs = 10_000 } = options
  const lanes = new Map<string, Lane<Key, Job>>()
  const idleWaiters: (() => void)[] = []
  let outcomes: Outcome[] = []
  let released: Leased[] = []
  let shouldQuery = true
  let state: 'RUNNING' | 'STOPPING' | 'STOPPED' = 'RUNNING'
  let failures = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let timerDueMs = 0
  let lastQueryMs = Number.NEGATIVE_INFINITY

  const jobsInFlight = (): Job[] => [...lanes.values()].flatMap(({ inFlight }) => [...inFlight])

  /** Returns the delay until the next exchange; undefined if there is nothing to do. */
  const nextExchangeInMs = (): number | undefined => {
    const canExchange = state === 'RUNNING' || (state === 'STOPPING' && failures < stopAfterFailures)
    if (!canExchange) return undefined
    if (outcomes.length > 0 || released.length > 0) return failures > 0 ? retryMs : exchangePauseMs
    if (state === 'STOPPING') return undefined
    if (failures > 0) return retryMs
    if ([...lanes.values()].some((lane) => needsMore(lane))) return exchangePauseMs
    const nextQueryMs = lastQueryMs + minQueryIntervalMs - performance.now()
    return shouldQuery ? Math.max(collectMs, nextQueryMs) : undefined
  }

  const schedule = (): void => {
    if (running) return
    const delayMs = nextExchangeInMs()
    if (delayMs === undefined) {
      if (!timer && jobsInFlight().length === 0) for (const resolve of idleWaiters.splice(0)) resolve()
      return
    }
    const dueMs = performance.now() + delayMs
    if (timer && timerDueMs <= dueMs) return
    clearTimeout(timer)
    timerDueMs = dueMs
    timer = setTimeout(() => {
      timer = undefined
      running = exchange().then((succeeded) => {
        running = undefined
        failures = succeeded ? 0 : failures + 1
        for (const [name, lane] of lanes) if (isIdle(lane)) lanes.delete(name)
        schedule()
      })
    }, delayMs)
  }

  /** @returns false if the store failed */
  const exchange = async (): Promise<boolean> => {
    const startByMs = performance.now() + startWithinMs
    let leased: readonly Leased[]
    const stored = { outcomes, released }
    outcomes = []
    released = []
    try {
      leased = await storeAndLease(stored)
    } catch (error) {
      outcomes = [...stored.outcomes, ...outcomes]
      released = [...stored.released, ...released]
      return reportFailure(error)
    }
    // The outcomes are stored: a failure below must not store them again.
    try {
      const jobs = await queue.load(leased)
      if (state === 'RUNNING') for (const job of jobs) laneOf(job.lane).queued.push({ job, startByMs })
      else released.push(...jobs)
    } catch (error) {
      released.push(...leased)
      return reportFailure(error)
    }
    for (const lane of lanes.values()) dispatch(lane)
    return true
  }

  const reportFailure = (error: unknown): false => {
    shouldQuery = true
    if (failures === 0)
      log.warn({ err: error }, `${queue.name}: the store is unavailable, retrying every second`)
    return false
  }

  const storeAndLease = async (
    work: Pick<QueueExchange<Key, Leased, Outcome>, 'outcomes' | 'released'>,
  ): Promise<readonly Leased[]> => {
    if (shouldQuery && state === 'RUNNING') {
      shouldQuery = false
      lastQueryMs = performance.now()
      for (const key of await queue.listDue()) {
        const lane = laneOf(key)
        updateLimits(lane, key, options)
        lane.mayHaveMore = true
      }
    }
    const hungry = state === 'RUNNING' ? [...lanes.values()].filter(needsMore) : []
    if (work.outcomes.length === 0 && work.released.length === 0 && hungry.length === 0) return []
    const requests = hungry.map((lane) => ({ lane: lane.key, limit: leaseSize(lane) }))
    const waiting = [...lanes.values()].filter(({ queued }) => queued.length > 0).map(({ key }) => key)
    const { leased, revoked = [], more = [] } = await queue.exchange({ ...work, requests, waiting })
    for (const { lane, limit } of requests)
      laneOf(lane).mayHaveMore = leased.filter((job) => job.lane.name === lane.name).length === limit
    for (const key of more) laneOf(key).mayHaveMore = true
    for (const key of revoked) releaseAll(laneOf(key))
    return leased
  }

  const laneOf = (key: Key): Lane<Key, Job> => {
    const known = lanes.get(key.name)
    if (known) return known
    const lane = newLane<Key, Job>(key, options)
    lanes.set(key.name, lane)
    return lane
  }

  const releaseAll = (lane: Lane<Key, Job>): void => {
    for (const { job } of lane.queued.splice(0)) released.push(job)
  }

  /** Starts queued jobs up to the concurrency limit of the lane. */
  const dispatch = (lane: Lane<Key, Job>): void => {
    while (lane.inFlight.size < lane.concurrency) {
      const next = lane.queued.shift()
      if (!next) break
      if (performance.now() > next.startByMs) released.push(next.job)
      else void run(lane, next.job)
    }
    schedule()
  }

  const run = async (lane: Lane<Key, Job>, job: Job): Promise<void> => {
    lane.inFlight.add(job)
    const startMs = performance.now()
    let outcome: Outcome | undefined
    try {
      outcome = await queue.run(job)
    } catch (error) {
      log.warn({ err: error }, `${queue.name}: a job could not be run`)
    }
    lane.inFlight.delete(job)
    if (outcome === undefined) released.push(job)
    else {
      const failed = queue.isFailure?.(outcome) ?? false
      const inFlight = [...lanes.values()].reduce((sum, one) => sum + one.inFlight.size, 0)
      adjustConcurrency(lane, { durationMs: performance.now() - startMs, failed, inFlight })
      outcomes.push(outcome)
    }
    dispatch(lane)
  }

  const wake = (): void => {
    shouldQuery = true
    schedule()
  }
  const poll = setInterval(wake, pollMs)
  const unsubscribe = options.onSignal?.(wake)
  const renewal = repeat(
    {
      name: `renew leases: ${queue.name}`,
      everyMs: renewEveryMs,
      atStart: false,
      run: async () => {
        const jobs = jobsInFlight()
        if (jobs.length > 0) await queue.renew?.(jobs)
      },
    },
    log,
  )
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      idleWaiters.push(resolve)
      schedule()
    })
  wake()

  return {
    wake,
    idle,
    stop: async () => {
      state = 'STOPPING'
      failures = 0
      clearInterval(poll)
      unsubscribe?.()
      for (const lane of lanes.values()) releaseAll(lane)
      clearTimeout(timer)
      timer = undefined
      queue.cancel?.()
      await withTimeout(idle(), stopTimeoutMs)
      state = 'STOPPED'
      clearTimeout(timer)
      await running
      await renewal.stop()
      await queue.close?.()
    },
  }
}
