import { detections } from '@muster/contract/records/detection'
import { getRecordsByIds } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Returns the address of a detection in the console. */
export const detectionLinkOf = (publicUrl: string, id: string): string =>
  `${publicUrl}/console/detections/${id}`

const rowsPerRead = 500

interface OutdatedRow {
  readonly org: number
  readonly unlisted: number
  readonly seq: number
  readonly id: string
}

/**
 * Rewrites the links of detections that do not point to `publicUrl`: the address of the server changed, or the
 * detections came from another server by import or restore. Emits no events, because the detections did not change.
 *
 * @returns the number of rewritten links
 */
export async function rewriteDetectionLinks(db: Db, publicUrl: string, signal: AbortSignal): Promise<number> {
  const upToDate = `%"detectionLink":"${detectionLinkOf(publicUrl, '').replace(/[\\%_]/g, '\\$&')}%`
  const sql = `SELECT org, unlisted, seq, id FROM detections
    WHERE record NOT LIKE ? ESCAPE '\\' AND (org, unlisted, seq) > (?, ?, ?)
    ORDER BY org, unlisted, seq LIMIT ${rowsPerRead}`
  let changed = 0
  let last: Pick<OutdatedRow, 'org' | 'unlisted' | 'seq'> = { org: 0, unlisted: 0, seq: 0 }
  while (!signal.aborted) {
    const rows = await db.slow.all<OutdatedRow>(sql, [upToDate, last.org, last.unlisted, last.seq])
    for (const [org, ofOrg] of Map.groupBy(rows, (row) => Number(row.org)))
      await rewriteLinks(
        db,
        publicUrl,
        org,
        ofOrg.map(({ id }) => id),
      )
    changed += rows.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < rowsPerRead) break
    last = end
  }
  return changed
}

const rewriteLinks = (db: Db, publicUrl: string, org: number, ids: readonly string[]): Promise<void> =>
  db.inTransaction(async (tx) => {
    for (const { id, seq, hidden, record } of await getRecordsByIds(tx, detections, org, ids)) {
      const text = JSON.stringify({ ...record, detectionLink: detectionLinkOf(publicUrl, id) })
      const key = [org, hidden ? 1 : 0, seq]
      await tx.run(`UPDATE detections SET record = ? WHERE ${tx.dialect.recordAt}`, [text, ...key])
    }
  })
