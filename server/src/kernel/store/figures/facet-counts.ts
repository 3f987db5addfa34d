import type { Collection } from '@muster/contract/api/collection'
import type { Dialect, Reader, SqlTx } from '../sql.ts'
import { type Table, tableOf } from '../tables.ts'

/**
 * Facets of the large collections: columns with few values, in the order of the triggers (migration 0008). The database
 * keeps the number of listed records for each combination of their values, so any filters on facets are counted by adding
 * up a few hundred numbers.
 */
const facetsByCollection: Readonly<Record<string, readonly string[]>> = {
  employees: ['licensed', 'risk_score'],
  accounts: ['mfa', 'login_methods', 'risk_score', 'password_seen'],
  accountsOther: ['login_methods'],
  appsOther: ['request_support_status', 'hidden'],
  browsers: ['browser', 'os', 'token_type', 'is_active'],
  browserExtensions: ['deployment_mode', 'enabled'],
  detections: ['detection_type', 'severity', 'response', 'classification', 'archived'],
  findings: ['type', 'state', 'priority_score'],
}

/** Expressions of facets that are no columns. */
const expressions: Readonly<Record<string, string>> = {
  password_seen: 'CASE WHEN password_id IS NULL THEN 0 ELSE 1 END',
}

export type FacetValue = string | number | null

/** Number of listed records with a combination of values. */
export interface FacetCount {
  readonly values: Readonly<Record<string, FacetValue>>
  readonly records: number
}

/** Returns the facets of a collection; none if its records are not counted by facets. */
export const facetsOf = ({ name }: Collection): readonly string[] => facetsByCollection[name] ?? []

/** Tables to add up. Only PostgreSQL has changes: transactions that change the same count would otherwise wait for each other. */
const summedTables: Readonly<Record<Dialect['name'], readonly string[]>> = {
  sqlite: ['facet_counts'],
  postgres: ['facet_counts', 'facet_count_changes'],
}

/** Reads the number of listed records for each combination of facets. The collection must have facets. */
export async function readFacetCounts(
  db: Reader,
  collection: Collection,
  org: number,
): Promise<FacetCount[]> {
  const facets = facetsOf(collection)
  const tables = summedTables[db.dialect.name]
  const rows = await db.all<{ facets: string; records: number }>(
    `SELECT facets, CAST(sum(records) AS bigint) AS records FROM (
      ${tables.map((table) => `SELECT facets, records FROM ${table} WHERE org = ? AND list = ?`).join(' UNION ALL ')}
    ) AS c GROUP BY facets`,
    tables.flatMap(() => [org, tableOf(collection).name]),
  )
  return rows.map((row) => {
    const values = JSON.parse(row.facets) as FacetValue[]
    return {
      values: Object.fromEntries(facets.map((facet, at) => [facet, values[at] ?? null])),
      records: row.records,
    }
  })
}

/** Returns true if transactions have left changes. */
export const hasFacetCountChanges = async (db: Reader): Promise<boolean> =>
  db.dialect.name !== 'sqlite' &&
  (await db.get('SELECT 1 AS found FROM facet_count_changes LIMIT 1')) !== undefined

/**
 * Adds the changes that transactions have left to the counts. Readers add up both, so a count is exact before and after. Does
 * nothing on SQLite, or while another process does it.
 */
export async function applyFacetCountChanges(tx: SqlTx): Promise<void> {
  if (tx.dialect.name === 'sqlite' || !(await tx.tryLock('facet counts'))) return
  await tx.run(`WITH changes AS (DELETE FROM facet_count_changes RETURNING org, list, facets, records)
    INSERT INTO facet_counts (org, list, facets, records)
    SELECT org, list, facets, sum(records) FROM changes GROUP BY org, list, facets
    ON CONFLICT (org, list, facets) DO UPDATE SET records = facet_counts.records + excluded.records`)
}

/**
 * Drops the triggers that count records by facets, if a bulk load fills their tables.
 *
 * @returns the statements that create them again
 */
export async function dropFacetTriggers(tx: SqlTx, filled: readonly Table[]): Promise<string[]> {
  const triggers = await tx.all<{ name: string; sql: string; table: string }>(
    `SELECT name, sql, tbl_name AS "table" FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'facet_counts_%'`,
  )
  const dropped = triggers.filter(({ table }) => filled.some(({ name }) => name === table))
  for (const { name } of dropped) await tx.run(`DROP TRIGGER ${name}`)
  return dropped.map(({ sql }) => sql)
}

/** Counts the records of some collections by facets anew. The triggers must be dropped. */
export async function countFacets(tx: SqlTx, filled: readonly Collection[]): Promise<void> {
  for (const collection of filled) {
    const facets = facetsOf(collection)
    if (facets.length === 0) continue
    const { name } = tableOf(collection)
    const values = facets.map((facet) => expressions[facet] ?? facet).join(', ')
    await tx.run('DELETE FROM facet_counts WHERE list = ?', [name])
    await tx.run(
      `INSERT INTO facet_counts (org, list, facets, records) SELECT org, '${name}', json_array(${values}), count(*) FROM ${name} WHERE unlisted = 0 GROUP BY 1, 3`,
    )
  }
}
