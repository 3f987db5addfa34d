import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** Number of requests with a key in one hour. */
export interface KeyHour {
  readonly org: number
  readonly keyId: string
  /** Start of the hour in UNIX seconds. */
  readonly hourTimestamp: number
  readonly requests: number
}

/** Adds requests to the counts. Several processes may add to the same hour. */
export async function addKeyHours(db: Db, hours: readonly KeyHour[]): Promise<void> {
  if (hours.length === 0) return
  // In a fixed order, to avoid deadlocks between processes.
  const rows = hours
    .map(({ org, keyId, hourTimestamp, requests }) => [org, keyId, hourTimestamp, requests] as const)
    .sort((a, b) => (`${a[1]} ${a[2]}` < `${b[1]} ${b[2]}` ? -1 : 1))
  await db.inTransaction(async (tx) => {
    await tx.insert(
      'api_key_hours',
      ['org', 'key_id', 'hour_timestamp', 'requests'],
      rows,
      'ON CONFLICT (org, key_id, hour_timestamp) DO UPDATE SET requests = api_key_hours.requests + excluded.requests',
    )
  })
}

/** Lists the hourly counts of a key since a time, oldest first. */
export const listKeyHours = (
  db: Reader,
  org: number,
  keyId: string,
  fromTimestamp: number,
): Promise<{ hourTimestamp: number; requests: number }[]> =>
  db.all(
    'SELECT hour_timestamp AS "hourTimestamp", requests FROM api_key_hours WHERE org = ? AND key_id = ? AND hour_timestamp >= ? ORDER BY hour_timestamp',
    [org, keyId, fromTimestamp],
  )

/** Deletes the counts before a time. */
export async function removeOldKeyHours(tx: Tx, before: number): Promise<void> {
  await tx.run('DELETE FROM api_key_hours WHERE hour_timestamp < ?', [before])
}
