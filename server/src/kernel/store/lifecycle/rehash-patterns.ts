import { indexedText } from '../indexed-text.ts'
import type { SqlTx } from '../sql.ts'

const rowsPerPage = 1000

/** Puts the hash of each long pattern of a blocked URL in the place of its text, by which versions before 0014 found it. */
export async function rehashPatterns(tx: SqlTx): Promise<void> {
  // What is counted as characters here may be twice as many units of a text there.
  const sql = `SELECT org, id, url FROM blocked_urls WHERE length(url) > 128 AND (org, id) > (?, ?)
    ORDER BY org, id LIMIT ${rowsPerPage}`
  let after: readonly [number, string] = [0, '']
  for (;;) {
    const rows = await tx.all<{ org: number; id: string; url: string }>(sql, after)
    for (const { org, id, url } of rows) {
      const indexed = indexedText(url)
      if (indexed === url) continue
      await tx.run('UPDATE blocked_urls SET url = ? WHERE org = ? AND id = ?', [indexed, org, id])
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerPage) return
    after = [last.org, last.id]
  }
}
