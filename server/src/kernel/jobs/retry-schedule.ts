/** Retries of a kind of job, as data. */
export interface RetrySchedule {
  /** Delays after the first failed attempt, the second and so on, in milliseconds. The last one repeats. */
  readonly delaysMs: readonly number[]
  /** Number of attempts after which a job fails for good. */
  readonly maxAttempts: number
}

/** Returns the delay before the next attempt in milliseconds; undefined if the job failed for good. */
export const retryDelayMs = (
  { delaysMs, maxAttempts }: RetrySchedule,
  failures: number,
): number | undefined =>
  failures >= maxAttempts ? undefined : delaysMs[Math.min(failures, delaysMs.length) - 1]
