import { appSortName, personSortName } from '../derived-columns.ts'
import type { SqlTx } from '../sql.ts'

const rowsPerRead = 1000

const sortNames = { employees: personSortName, apps: appSortName } as const

interface NamedRow {
  readonly org: number
  readonly unlisted: number
  readonly seq: number
  readonly record: string
}

/** Case-folds the sort names that migration 0017 has filled by SQL, where they contain characters that SQL does not fold. */
export async function foldSortNames(tx: SqlTx): Promise<void> {
  for (const table of ['employees', 'apps'] as const) {
    const nonAscii =
      tx.dialect.name === 'sqlite'
        ? `sort_name GLOB '*[^ -~' || char(10) || ']*'`
        : `sort_name ~ '[^ -~\\n]' COLLATE "C"`
    const sql = `SELECT org, unlisted, seq, record FROM ${table}
      WHERE (org, unlisted, seq) > (?, ?, ?) AND ${nonAscii} ORDER BY org, unlisted, seq LIMIT ${rowsPerRead}`
    let after: readonly [number, number, number] = [0, 0, 0]
    for (;;) {
      const rows = await tx.all<NamedRow>(sql, after)
      for (const { org, unlisted, seq, record } of rows)
        await tx.run(`UPDATE ${table} SET sort_name = ? WHERE ${tx.dialect.recordAt}`, [
          sortNames[table](JSON.parse(record)),
          org,
          unlisted,
          seq,
        ])
      const last = rows.at(-1)
      if (!last || rows.length < rowsPerRead) break
      after = [last.org, last.unlisted, last.seq]
    }
  }
}
