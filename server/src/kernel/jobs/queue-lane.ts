/** Name of a group of jobs that run at their own pace: one webhook endpoint, or all notices. */
export interface LaneKey {
  readonly name: string
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
  queued: QueuedJob<Job>[]
  readonly inFlight: Set<Job>
  /** Limit of concurrent jobs. */
  concurrency: number
  /** Moving average of the duration of a job. */
  durationMs: number
  /** True while the store may hold more due jobs. */
  mayHaveMore: boolean
}

/** Time that a lease is meant to cover. */
const leaseCoversMs = 1000

export const newLane = <Key, Job>(
  key: Key,
  { minConcurrency, maxConcurrency }: LaneLimits,
): Lane<Key, Job> => ({
  key,
  queued: [],
  inFlight: new Set(),
  concurrency: Math.min(2 * minConcurrency, maxConcurrency),
  durationMs: leaseCoversMs,
  mayHaveMore: true,
})

/** True when nothing is queued, in flight or expected, and the lane can be discarded. */
export const isIdle = ({ queued, inFlight, mayHaveMore }: Lane<unknown, unknown>): boolean =>
  inFlight.size === 0 && queued.length === 0 && !mayHaveMore

/** Returns how many jobs to lease: about one second of work, at least one per concurrent job. */
export function leaseSize(lane: Lane<unknown, unknown>, { maxPrefetch }: LaneLimits): number {
  const { concurrency, durationMs, inFlight } = lane
  if (maxPrefetch === 0) return concurrency - inFlight.size
  const jobsPerLease = Math.floor((concurrency * leaseCoversMs) / Math.max(1, durationMs))
  return Math.min(maxPrefetch, Math.max(concurrency, jobsPerLease))
}

/** True when the lane is less than half full and the store may have more. */
export const needsMore = (lane: Lane<unknown, unknown>, limits: LaneLimits): boolean =>
  lane.mayHaveMore && lane.queued.length < leaseSize(lane, limits) / 2

/** Updates duration and concurrency after a job. */
export function adjustConcurrency(
  lane: Lane<unknown, unknown>,
  { minConcurrency, maxConcurrency }: LaneLimits,
  { durationMs, failed }: { readonly durationMs: number; readonly failed: boolean },
): void {
  lane.durationMs += (durationMs - lane.durationMs) / 8
  lane.concurrency = failed
    ? Math.max(minConcurrency, Math.floor(lane.concurrency / 2))
    : Math.min(maxConcurrency, lane.concurrency + 1)
}
