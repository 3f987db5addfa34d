import type { aiUses, IdentityKind } from '@muster/contract/console/console-filters'
import type { FilterValues, Fragment, Predicate } from '../../kernel/query/predicates.ts'
import type { Param, Reader } from '../../kernel/store/sql.ts'
import { accountSources, aiAppIds, aiOtherAppIds, type Tools } from './ai-tools.store.ts'
import { readIdentityTest } from './identity.service.ts'

/** Filters of employees by the apps that they use. */
export const appUserFilters = ['appId', 'otherAppId', 'aiUse', 'appUsedTimestampAfter'] as const

interface Request {
  readonly org: number
  readonly filters: FilterValues
}

/** Returns the conditions of the filters of employees by the apps that they use. */
export async function appUserPredicates(db: Reader, { org, filters }: Request): Promise<Predicate[]> {
  const { recognized, other } = accountSources
  const after =
    filters.appUsedTimestampAfter === undefined ? undefined : Number(filters.appUsedTimestampAfter)
  const idsOf = (value: unknown): string[] => [value].flat().map(String)
  const predicates: Predicate[] = []
  if (filters.appId !== undefined)
    predicates.push(await usersOf(db, org, [{ source: recognized, appIds: idsOf(filters.appId) }], after))
  if (filters.otherAppId !== undefined)
    predicates.push(await usersOf(db, org, [{ source: other, appIds: idsOf(filters.otherAppId) }], after))
  if (filters.aiUse !== undefined) {
    const kinds = identitiesOf([filters.aiUse].flat() as (typeof aiUses)[number][])
    const isOf = kinds && (await readIdentityTest(db, org))
    const tests = isOf ? kinds.map((kind) => isOf(kind, 'u.email', 'u.org')) : []
    const tools = [
      { source: recognized, appIds: await aiAppIds(db, org) },
      { source: other, appIds: await aiOtherAppIds(db, org) },
    ]
    predicates.push(await usersOf(db, org, tools, after, tests))
  }
  return predicates
}

/** Returns the kinds of identity to test; undefined if any will do. */
function identitiesOf(uses: readonly (typeof aiUses)[number][]): IdentityKind[] | undefined {
  if (uses.includes('ANY_ACCOUNT')) return undefined
  return uses.map((use) => (use === 'WORK_ACCOUNT' ? 'WORK' : 'PRIVATE'))
}

/** Number of accounts up to which they are read to find their employees. Above that, employees are scanned and tested. */
const pathMaximum = 20_000

/** Returns the condition that an employee has an account in one of the apps, used since a time, that passes a test. */
async function usersOf(
  db: Reader,
  org: number,
  tools: readonly Tools[],
  after?: number,
  tests: readonly Fragment[] = [],
): Promise<Predicate> {
  const { dialect } = db
  const used: Fragment[] = after === undefined ? [] : [{ sql: 'u.last_used_timestamp >= ?', params: [after] }]
  if (tests.length > 0)
    used.push({
      sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`,
      params: tests.flatMap(({ params }) => [...params]),
    })
  const rest = used.map(({ sql }) => ` AND ${sql}`).join('')
  const restParams = used.flatMap(({ params }) => [...params])
  const employee = dialect.indexedJoin({
    table: 'employees',
    alias: 'e',
    index: 'employees_id',
    columns: 'seq',
    where: ['org = u.org', 'id = u.employee_id'],
  })
  const parts = tools.map(({ source: { table, app }, appIds }) => {
    const ofApps = dialect.textIn(`u.${app}`)
    const byApp = `${table} u${dialect.indexedBy(`${table}_by_${app}`)}`
    // The pairs of apps and people answer the most frequent filter without reading accounts.
    const [pairs, condition] =
      table === 'accounts' && used.length === 0
        ? ['app_people u', ofApps]
        : [`${table} u${dialect.indexedBy(`${table}_by_employee_id`)}`, `${ofApps}${rest}`]
    return {
      ids: JSON.stringify(appIds),
      rows: `SELECT 1 AS one FROM ${byApp} WHERE u.org = ? AND ${ofApps}`,
      has: `EXISTS (SELECT 1 FROM ${pairs} WHERE u.org = t.org AND u.employee_id = t.id AND ${condition} LIMIT 1 OFFSET 0)`,
      seqs: `SELECT e.seq AS seq FROM ${byApp} CROSS JOIN ${employee} WHERE u.org = ? AND ${ofApps}${rest}`,
    }
  })
  const test: Fragment = {
    sql: `(${parts.map(({ has }) => has).join(' OR ')})`,
    params: parts.flatMap(({ ids }) => [ids, ...restParams]),
  }
  const counted = await db.get<{ rows: number }>(
    `SELECT count(*) AS rows FROM (${parts.map(({ rows }) => rows).join(' UNION ALL ')} LIMIT ${pathMaximum + 1}) AS found`,
    parts.flatMap(({ ids }) => [org, ids]),
  )
  if ((counted?.rows ?? 0) > pathMaximum) return { test }
  return {
    test,
    path: {
      ordered: false,
      alias: 'd',
      from: `(SELECT DISTINCT p.seq AS seq FROM (${parts.map(({ seqs }) => seqs).join(' UNION ALL ')}) AS p) AS d`,
      where: '1 = 1',
      params: (ofOrg) => parts.flatMap(({ ids }): Param[] => [ofOrg, ids, ...restParams]),
    },
  }
}
