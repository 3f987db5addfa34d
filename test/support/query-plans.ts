import type { Db, Param } from '../../server/src/kernel/store/sql.ts'

/** Executed statement. */
export interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
}

/**
 * Returns the problems in query plans: full scans of tables or indexes, unbounded sorts, and rescans for each
 * row.
 */
export async function plansOf(db: Db, statements: readonly Statement[]): Promise<string[]> {
  const unique = new Map(statements.map((statement) => [statement.sql, statement]))
  const wrong: string[] = []
  for (const statement of unique.values()) {
    const found =
      db.dialect.name === 'sqlite'
        ? await sqliteViolations(db, statement)
        : await postgresViolations(db, statement)
    if (found.length > 0)
      wrong.push(`${statement.sql} ${JSON.stringify(statement.params)}: ${found.join('; ')}`)
  }
  return wrong
}

/** https://www.sqlite.org/eqp.html */
async function sqliteViolations(db: Db, { sql, params }: Statement): Promise<string[]> {
  const rows = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
  const details = rows.map(({ detail }) => detail)
  // Intermediate results are bounded, so they may be scanned.
  const made = new Set(details.map((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (.*)/.exec(detail)?.[1]))
  return details.filter((detail) => {
    const scanned = /^SCAN (\S+)/.exec(detail)?.[1]
    if (scanned !== undefined) return !made.has(scanned) && !/VIRTUAL TABLE INDEX/.test(detail)
    if (/^CORRELATED LIST SUBQUERY/.test(detail)) return true
    if (/TEMP B-TREE/.test(detail)) return !made.has('d')
    return /^SEARCH .*\(org=\?\)$/.test(detail)
  })
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  'Join Filter'?: string
  Plans?: PlanNode[]
}

/** Checks the custom plan for these values, and the generic plan that a prepared statement may switch to. */
async function postgresViolations(db: Db, { sql, params }: Statement): Promise<string[]> {
  const values = params.map((value) =>
    typeof value === 'number' ? value : `'${String(value).replaceAll("'", "''")}'`,
  )
  return db.inTransaction(async (tx) => {
    let count = 0
    const numbered = sql.replace(/\?/g, () => `$${++count}`)
    await tx.run("SET LOCAL standard_conforming_strings = 'on'")
    await tx.run(`PREPARE statement AS ${numbered}`)
    const execute = `EXPLAIN (FORMAT JSON) EXECUTE statement${values.length > 0 ? `(${values.join(', ')})` : ''}`
    const violations: string[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await tx.run(`SET LOCAL plan_cache_mode = '${mode}'`)
      const [row] = await tx.all<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        execute.replaceAll('?', "' || chr(63) || '"),
      )
      const plan = row?.['QUERY PLAN'][0].Plan
      if (plan) violations.push(...nodeViolations(plan).map((violation) => `${mode}: ${violation}`))
    }
    await tx.run('DEALLOCATE statement')
    return violations
  })
}

const hasBound = (node: PlanNode): boolean =>
  node['Node Type'] === 'Limit' || (node.Plans ?? []).some(hasBound)

function nodeViolations(node: PlanNode): string[] {
  const below = (node.Plans ?? []).flatMap(nodeViolations)
  const {
    'Node Type': type,
    'Index Cond': condition,
    'Relation Name': relation = '',
    'Index Name': index = '',
    'Join Filter': joined,
  } = node
  if (type === 'Seq Scan') return [...below, `reads all of ${relation}`]
  if (joined !== undefined) return [...below, `scans one side for each row of the other: ${joined}`]
  if (/Sort/.test(type) && !(node.Plans ?? []).some(hasBound)) return [...below, 'sorts without a bound']
  // A condition on the organization alone matches all of its rows.
  if (/Index/.test(type) && !/ AND /.test(condition ?? ''))
    return [...below, `reads all of an organization in ${index}`]
  return below
}
