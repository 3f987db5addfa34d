import type { Tx } from '../store/sql.ts'

/** For which day a job is claimed, counted from the UNIX epoch, and for how long it is left to who has claimed it. */
export interface DailyClaim {
  readonly day: number
  readonly nowMs: number
  readonly untilMs: number
}

/** What became of a claim, and the day that was noted before, if it was one that no clock of today's can have noted. */
export interface ClaimOutcome {
  readonly isClaimed: boolean
  readonly strayDay?: number
}

/**
 * Claims a job for a day: for one of all processes that share the store, and for none once it was done. A claim that was
 * neither finished nor released is over by its time: its process was killed. A clock that is ahead by more than others of
 * today's may be is not believed: not a day beyond tomorrow, nor a claim that goes on for more than twice its time.
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

/** Notes that a job was done. */
export async function finishDailyJob(tx: Tx, name: string, day: number): Promise<void> {
  await tx.run('UPDATE daily_jobs SET claimed_until_ms = NULL WHERE name = ? AND day = ?', [name, day])
}

/** Counts jobs that were never done in this store as done on a day: they begin on the next. */
export const skipFirstDay = (tx: Tx, names: readonly string[], day: number): Promise<number> =>
  tx.insert(
    'daily_jobs',
    ['name', 'day'],
    names.map((name) => [name, day]),
    'ON CONFLICT (name) DO NOTHING',
  )

/** Gives a job back that could not be done, so that it is tried again on the same day. */
export async function releaseDailyJob(tx: Tx, name: string, day: number): Promise<void> {
  await tx.run('UPDATE daily_jobs SET day = ?, claimed_until_ms = NULL WHERE name = ? AND day = ?', [
    day - 1,
    name,
    day,
  ])
}
