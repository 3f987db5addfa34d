import { indexedText } from '../indexed-text.ts'
import type { SqlTx } from '../sql.ts'

const rowsPerPage = 1000

/** Replaces each long pattern of a blocked URL by its hash. Versions before migration 0014 stored the text. */
export async function rehashPatterns(tx: SqlTx): Promise<void> {
  // SQL counts characters, JavaScript UTF-16 units, which may be twice as many; so the limit is lower here.
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
