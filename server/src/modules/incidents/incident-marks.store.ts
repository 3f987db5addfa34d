import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A detection whose incident may be outdated. */
export interface DetectionMark {
  readonly number: number
  readonly org: number
  readonly detectionId: string
}

/** Mark of all detections of an organization, and the position up to which they are done. */
export interface AllMark {
  readonly number: number
  readonly org: number
  readonly doneSeq: number
}

/** Returns true if anything is marked. */
export const hasMarks = async (db: Reader): Promise<boolean> =>
  (await db.get('SELECT 1 AS found FROM incident_changes LIMIT 1')) !== undefined

/** Returns the oldest marks of detections, of one organization or of all. */
export const nextMarks = (tx: Tx, limit: number, org?: number): Promise<DetectionMark[]> =>
  tx.all<DetectionMark>(
    `SELECT number, org, detection_id AS "detectionId" FROM incident_changes
     WHERE detection_id IS NOT NULL${org === undefined ? '' : ' AND org = ?'} ORDER BY number LIMIT ?`,
    [...(org === undefined ? [] : [org]), limit],
  )

/** Returns the oldest mark of all detections of an organization. */
export const nextAllMark = (tx: Tx): Promise<AllMark | undefined> =>
  tx.get<AllMark>(
    'SELECT number, org, done_seq AS "doneSeq" FROM incident_changes WHERE detection_id IS NULL ORDER BY number LIMIT 1',
  )

/** Marks detections. Triggers mark those with a changed column; the page is not a column. */
export async function addMarks(tx: Tx, org: number, detectionIds: readonly string[]): Promise<void> {
  if (detectionIds.length === 0) return
  await tx.insert(
    'incident_changes',
    ['org', 'detection_id'],
    detectionIds.map((id) => [org, id]),
  )
}

/** Removes marks. */
export async function removeMarks(tx: Tx, numbers: readonly number[]): Promise<void> {
  const marks = numbers.map(() => '?').join(', ')
  await tx.run(`DELETE FROM incident_changes WHERE number IN (${marks})`, numbers)
}

/** Records the position up to which all detections are done. */
export async function advanceAllMark(tx: Tx, number: number, doneSeq: number): Promise<void> {
  await tx.run('UPDATE incident_changes SET done_seq = ? WHERE number = ?', [doneSeq, number])
}

/** Returns the next detections of an organization. */
export const nextDetections = (
  tx: Tx,
  { org, doneSeq }: AllMark,
  limit: number,
): Promise<{ seq: number; id: string }[]> =>
  tx.all('SELECT seq, id FROM detections WHERE org = ? AND unlisted = 0 AND seq > ? ORDER BY seq LIMIT ?', [
    org,
    doneSeq,
    limit,
  ])
