import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** How many requests came with a key in an hour. */
export interface KeyHour {
  readonly org: number
  readonly keyId: string
  /** The first second of the hour. */
  readonly hourTimestamp: number
  readonly requests: number
}

/** Adds requests to what is counted already; several processes add to the same hour. */
export async function addKeyHours(db: Db, hours: readonly KeyHour[]): Promise<void> {
  if (hours.length === 0) return
  // Always in the same order, so that processes which add at the same time do not wait for each other in a circle.
  const rows = hours
    .map(({ org, keyId, hourTimestamp, requests }) => [org, keyId, hourTimestamp, requests] as const)
    .sort((one, other) => (`${one[1]} ${one[2]}` < `${other[1]} ${other[2]}` ? -1 : 1))
  await db.inTransaction(async (tx) => {
    await tx.insert(
      'api_key_hours',
      ['org', 'key_id', 'hour_timestamp', 'requests'],
      rows,
      'ON CONFLICT (org, key_id, hour_timestamp) DO UPDATE SET requests = api_key_hours.requests + excluded.requests',
    )
  })
}

/** The hours of a key from a moment on, oldest first. */
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

/** Removes the hours before a moment. */
export async function removeOldKeyHours(tx: Tx, before: number): Promise<void> {
  await tx.run('DELETE FROM api_key_hours WHERE hour_timestamp < ?', [before])
}
