import type { Tx } from './sql.ts'

/**
 * Claims a job for a day: true for one of all processes that share the store, false for the others, and for all when it
 * was claimed before.
 *
 * @param day counted from the UNIX epoch
 */
export async function claimDailyJob(tx: Tx, name: string, day: number): Promise<boolean> {
  await tx.lock(`daily job ${name}`)
  const known = await tx.get<{ day: number }>('SELECT day FROM daily_jobs WHERE name = ?', [name])
  if (known !== undefined && known.day >= day) return false
  await tx.insert(
    'daily_jobs',
    ['name', 'day'],
    [[name, day]],
    'ON CONFLICT (name) DO UPDATE SET day = excluded.day',
  )
  return true
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
  await tx.run('UPDATE daily_jobs SET day = ? WHERE name = ? AND day = ?', [day - 1, name, day])
}
