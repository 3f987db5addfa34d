import type { Tx } from '../store/sql.ts'

export interface DailyClaim {
  /** Day of the job, counted from the UNIX epoch. */
  readonly day: number
  readonly nowMs: number
  /** End of the claim, if it is neither finished nor released before. */
  readonly untilMs: number
}

export interface ClaimOutcome {
  readonly isClaimed: boolean
  /** The stored day, if it was too far in the future to come from a correct clock. */
  readonly strayDay?: number
}

/**
 * Claims a job for a day. Only one of the processes that share the store gets the claim, and none after the job was done.
 * A claim expires if its process was killed. Values of a wrong clock are ignored: a day beyond tomorrow, or a claim that lasts
 * more than twice its time.
 */
export async function claimDailyJob(
  tx: Tx,
  name: string,
  { day, nowMs, untilMs }: DailyClaim,
): Promise<ClaimOutcome> {
  await tx.lock(`daily job ${name}`)
  const known = await tx.get<{ day: number; untilMs: number | null }>(
    'SELECT day, claimed_until_ms AS "untilMs" FROM daily_jobs WHERE name = ?',
    [name],
  )
  const isStray = known !== undefined && known.day > day + 1
  if (known !== undefined && !isStray) {
    const isDone = known.day > day || (known.day === day && known.untilMs === null)
    const leftMs = (known.untilMs ?? 0) - nowMs
    if (isDone || (leftMs > 0 && leftMs <= 2 * (untilMs - nowMs))) return { isClaimed: false }
  }
  await tx.insert(
    'daily_jobs',
    ['name', 'day', 'claimed_until_ms'],
    [[name, day, untilMs]],
    'ON CONFLICT (name) DO UPDATE SET day = excluded.day, claimed_until_ms = excluded.claimed_until_ms',
  )
  return { isClaimed: true, ...(isStray && { strayDay: known.day }) }
}

/** Marks a claimed job as done. */
export async function finishDailyJob(tx: Tx, name: string, day: number): Promise<void> {
  await tx.run('UPDATE daily_jobs SET claimed_until_ms = NULL WHERE name = ? AND day = ?', [name, day])
}

/** Marks jobs that never ran in this store as done on a day; they start on the next. */
export const skipFirstDay = (tx: Tx, names: readonly string[], day: number): Promise<number> =>
  tx.insert(
    'daily_jobs',
    ['name', 'day'],
    names.map((name) => [name, day]),
    'ON CONFLICT (name) DO NOTHING',
  )

/** Releases a job that failed, to be retried on the same day. */
export async function releaseDailyJob(tx: Tx, name: string, day: number): Promise<void> {
  await tx.run('UPDATE daily_jobs SET day = ?, claimed_until_ms = NULL WHERE name = ? AND day = ?', [
    day - 1,
    name,
    day,
  ])
}
