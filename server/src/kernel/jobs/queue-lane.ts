/** Name of a group of jobs that run at their own pace: one webhook endpoint, or all notices. */
export interface LaneKey {
  readonly name: string
  /** Limits of this lane, if they differ from those of the queue. */
  readonly limits?: Partial<LaneLimits> | undefined
}

/** Pace of a lane in this process. */
export interface LaneLimits {
  /** Bounds of concurrent jobs. Failures halve the number, and each success adds one. Equal bounds keep it fixed. */
  readonly minConcurrency: number
  readonly maxConcurrency: number
  /** Maximum number of jobs in one lease; 0 to lease only jobs that start at once. */
  readonly maxPrefetch: number
}

/** A leased job that waits to run. */
interface QueuedJob<Job> {
  readonly job: Job
  /** Deadline for the start, by `performance.now()`. The lease could end while a later job runs. */
  readonly startByMs: number
}

/** Jobs of one lane in this process. Lanes do not share limits, so a slow or dead one delays only itself. */
export interface Lane<Key, Job> {
  readonly key: Key
  limits: LaneLimits
  queued: QueuedJob<Job>[]
  readonly inFlight: Set<Job>
  /** Limit of concurrent jobs. */
  concurrency: number
  /** Moving average of the duration of a job. */
  durationMs: number
  /** Shortest duration of a job, slowly forgotten. */
  shortestMs: number
  /** True while the store may hold more due jobs. */
  mayHaveMore: boolean
}

/**
 * Concurrency up to which each success adds one. Above, it grows only while jobs take about as long as with few of them: a
 * receiver that handles one request at a time would only let more of them wait.
 */
const freeConcurrency = 16
/** Number of jobs in flight in all lanes of a queue above which no lane grows beyond {@link freeConcurrency}. */
const crowdedJobs = 2048

/** Time that a lease is meant to cover. */
const leaseCoversMs = 1000

export function newLane<Key extends LaneKey, Job>(key: Key, ofQueue: LaneLimits): Lane<Key, Job> {
  const limits = { ...ofQueue, ...key.limits }
  return {
    key,
    limits,
    queued: [],
    inFlight: new Set(),
    concurrency: Math.min(2 * limits.minConcurrency, limits.maxConcurrency),
    durationMs: leaseCoversMs,
    shortestMs: Number.POSITIVE_INFINITY,
    mayHaveMore: true,
  }
}

/** Applies the limits of a lane that may have changed, such as the batch size of an endpoint. */
export function updateLimits(lane: Lane<unknown, unknown>, key: LaneKey, ofQueue: LaneLimits): void {
  lane.limits = { ...ofQueue, ...key.limits }
  lane.concurrency = Math.min(lane.concurrency, lane.limits.maxConcurrency)
}

/** True when nothing is queued, in flight or expected, and the lane can be discarded. */
export const isIdle = ({ queued, inFlight, mayHaveMore }: Lane<unknown, unknown>): boolean =>
  inFlight.size === 0 && queued.length === 0 && !mayHaveMore

/** Returns how many jobs to lease: about one second of work, at least one per concurrent job. */
export function leaseSize(lane: Lane<unknown, unknown>): number {
  const { concurrency, durationMs, inFlight } = lane
  const { maxPrefetch } = lane.limits
  if (maxPrefetch === 0) return concurrency - inFlight.size
  const jobsPerLease = Math.floor((concurrency * leaseCoversMs) / Math.max(1, durationMs))
  return Math.min(maxPrefetch, Math.max(concurrency, jobsPerLease))
}

/** True when the lane is less than half full and the store may have more. */
export const needsMore = (lane: Lane<unknown, unknown>): boolean =>
  lane.mayHaveMore && lane.queued.length < leaseSize(lane) / 2

/**
 * Updates duration and concurrency after a job.
 *
 * @param inFlight number of jobs in flight in all lanes
 */
export function adjustConcurrency(
  lane: Lane<unknown, unknown>,
  { durationMs, failed, inFlight }: { durationMs: number; failed: boolean; inFlight: number },
): void {
  const { minConcurrency, maxConcurrency } = lane.limits
  lane.durationMs += (durationMs - lane.durationMs) / 8
  lane.shortestMs = Math.min(durationMs, 1.001 * lane.shortestMs)
  if (failed) lane.concurrency = Math.max(minConcurrency, Math.floor(lane.concurrency / 2))
  else if (
    lane.concurrency < freeConcurrency ||
    (inFlight < crowdedJobs && lane.durationMs <= 2 * lane.shortestMs)
  )
    lane.concurrency = Math.min(maxConcurrency, lane.concurrency + 1)
}
