import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import type { SqlTx } from '../sql.ts'
import type { Table } from '../tables.ts'

/** Columns of `app_figures` with the number of accounts by sign-in method, in the order of the contract. */
export const methodColumns: readonly string[] = consoleLoginMethods.map(
  (method) => `by_${method.toLowerCase()}`,
)

const countedTables = ['accounts', 'findings']

/**
 * Drops the triggers that keep the figures of apps, if a bulk load fills the tables that they count. A trigger for each row
 * would write about one page per account.
 *
 * @returns the statements that create them again
 */
export async function dropFigureTriggers(tx: SqlTx, filled: readonly Table[]): Promise<string[]> {
  if (!filled.some(({ name }) => countedTables.includes(name))) return []
  const triggers = await tx.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('accounts', 'findings', 'app_people') AND name NOT LIKE 'facet_counts_%'",
  )
  for (const { name } of triggers) await tx.run(`DROP TRIGGER ${name}`)
  return triggers.map(({ sql }) => sql)
}

/** Counts the figures of all apps anew. The triggers must be dropped. */
export async function countAppFigures(tx: SqlTx): Promise<void> {
  const byMethod = methodColumns.map((_, bit) => `sum((coalesce(login_methods, 0) >> ${bit}) & 1)`)
  const none = methodColumns.map(() => '0')
  const columns = `org, app_id, people, accounts, open_findings, ${methodColumns.join(', ')}`
  for (const table of ['app_people', 'app_figures']) await tx.run(`DELETE FROM ${table}`)
  await tx.run(
    'INSERT INTO app_people (org, app_id, employee_id, accounts) SELECT org, app_id, employee_id, count(*) FROM accounts GROUP BY org, app_id, employee_id',
  )
  await tx.run(
    `INSERT INTO app_figures (${columns}) SELECT org, app_id, count(DISTINCT employee_id), count(*), 0, ${byMethod.join(', ')} FROM accounts GROUP BY org, app_id`,
  )
  await tx.run(
    `INSERT INTO app_figures (${columns}) SELECT org, app_id, 0, 0, count(*), ${none.join(', ')} FROM findings WHERE state = 'OPEN' AND app_id IS NOT NULL GROUP BY org, app_id ON CONFLICT (org, app_id) DO UPDATE SET open_findings = excluded.open_findings`,
  )
}
