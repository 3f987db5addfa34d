import { detections } from '@muster/contract/detection'
import { getRecordsByIds } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Where the console shows a detection. */
export const detectionLinkOf = (publicUrl: string, id: string): string =>
  `${publicUrl}/console/detections/${id}`

const rowsPerRead = 500

interface Astray {
  readonly org: number
  readonly unlisted: number
  readonly seq: number
  readonly id: string
}

/**
 * Leads the links of all detections to the server at `publicUrl`: those that were seen under another address, or came
 * from another server by import or restore, lead elsewhere. No event tells of it, since nothing about the detections
 * has changed.
 *
 * @returns how many led elsewhere
 */
export async function rewriteDetectionLinks(db: Db, publicUrl: string, signal: AbortSignal): Promise<number> {
  const right = `%"detectionLink":"${detectionLinkOf(publicUrl, '').replace(/[\\%_]/g, '\\$&')}%`
  const sql = `SELECT org, unlisted, seq, id FROM detections
    WHERE record NOT LIKE ? ESCAPE '\\' AND (org, unlisted, seq) > (?, ?, ?)
    ORDER BY org, unlisted, seq LIMIT ${rowsPerRead}`
  let changed = 0
  let last: Pick<Astray, 'org' | 'unlisted' | 'seq'> = { org: 0, unlisted: 0, seq: 0 }
  while (!signal.aborted) {
    const rows = await db.slow.all<Astray>(sql, [right, last.org, last.unlisted, last.seq])
    for (const [org, those] of Map.groupBy(rows, (row) => Number(row.org)))
      await readdress(
        db,
        publicUrl,
        org,
        those.map(({ id }) => id),
      )
    changed += rows.length
    const end = rows.at(-1)
    if (end === undefined || rows.length < rowsPerRead) break
    last = end
  }
  return changed
}

const readdress = (db: Db, publicUrl: string, org: number, ids: readonly string[]): Promise<void> =>
  db.inTransaction(async (tx) => {
    for (const { id, seq, hidden, record } of await getRecordsByIds(tx, detections, org, ids)) {
      const text = JSON.stringify({ ...record, detectionLink: detectionLinkOf(publicUrl, id) })
      const place = [org, hidden ? 1 : 0, seq]
      await tx.run(`UPDATE detections SET record = ? WHERE ${tx.dialect.recordAt}`, [text, ...place])
    }
  })
