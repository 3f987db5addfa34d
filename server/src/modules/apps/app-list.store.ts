import { type ProductCategoryId, productCategories } from '@muster/contract/catalog/product-categories'
import type { AppFigures } from '@muster/contract/console/console-apps'
import { type ConsoleLoginMethod, consoleLoginMethods } from '@muster/contract/console/login-methods'
import { approvalStatuses, sensitivityLevels } from '@muster/contract/records/app'
import { type RiskLevel, riskLevelOf, scoresOfLevel } from '@muster/contract/risk/risk-levels'
import type { ComputedOrder } from '../../kernel/query/computed-order.ts'
import type { FilterValues, Fragment, Predicate } from '../../kernel/query/predicates.ts'
import { methodColumns } from '../../kernel/store/figures/app-figures.ts'
import type { Dialect, Reader } from '../../kernel/store/sql.ts'
import { appTypesIn, mainCategories, usedTypesByCategory } from './app-categories.service.ts'

/** Filters of the console's list of apps that need figures or the catalog. */
export const appListFilters = [
  'category',
  'signInMethod',
  'risk',
  'openFindingsAtLeast',
  'peopleAtLeast',
  'accountsAtLeast',
  'lastUsedTimestampAfter',
  'lastUsedTimestampBefore',
] as const

const atLeastColumns = {
  openFindingsAtLeast: 'open_findings',
  peopleAtLeast: 'people',
  accountsAtLeast: 'accounts',
} as const

const columnOf = (method: ConsoleLoginMethod): string =>
  methodColumns[consoleLoginMethods.indexOf(method)] ?? ''

/** Returns SQL for the time when the accounts of an app were last used. `id` is the column with the ID of the app. */
const lastUse = (dialect: Dialect, alias: string, id = 'id'): string =>
  `(SELECT max(u.last_used_timestamp) FROM accounts u${dialect.indexedBy('accounts_last_use')} WHERE u.org = ${alias}.org AND u.app_id = ${alias}.${id} AND u.last_used_timestamp IS NOT NULL)`

/** Returns SQL for the highest score of the findings of an app. `id` is the column with the ID of the app. */
const highestScore = (dialect: Dialect, alias: string, id = 'id'): string =>
  `(SELECT max(w.priority_score) FROM findings w${dialect.indexedBy('findings_app_priority')} WHERE w.org = ${alias}.org AND w.app_id = ${alias}.${id} AND w.priority_score IS NOT NULL)`

/** Returns the conditions of the filters of the list of apps. */
export async function appListPredicates(
  db: Reader,
  { org, filters }: { readonly org: number; readonly filters: FilterValues },
): Promise<Predicate[]> {
  const figures = (condition: string, ...params: number[]): Fragment => ({
    sql: `EXISTS (SELECT 1 FROM app_figures f WHERE f.org = t.org AND f.app_id = t.id AND ${condition} LIMIT 1 OFFSET 0)`,
    params,
  })
  const tests: Fragment[] = []
  if (filters.category !== undefined) {
    const types = await appTypesIn(db, org, [filters.category].flat() as ProductCategoryId[])
    tests.push({ sql: db.dialect.textIn('t.type'), params: [JSON.stringify(types)] })
  }
  if (filters.signInMethod !== undefined) {
    const columns = ([filters.signInMethod].flat() as ConsoleLoginMethod[]).map(columnOf)
    tests.push(figures(`(${columns.map((column) => `f.${column} > 0`).join(' OR ')})`))
  }
  if (filters.risk !== undefined) tests.push(ofRisk(db.dialect, [filters.risk].flat() as RiskLevel[]))
  for (const [name, column] of Object.entries(atLeastColumns))
    if (filters[name] !== undefined) tests.push(figures(`f.${column} >= ?`, Number(filters[name])))
  const bound = (name: string, operator: string) => {
    if (filters[name] !== undefined)
      tests.push({ sql: `${lastUse(db.dialect, 't')} ${operator} ?`, params: [Number(filters[name])] })
  }
  bound('lastUsedTimestampAfter', '>=')
  bound('lastUsedTimestampBefore', '<')
  return tests.map((test) => ({ test }))
}

/** Returns the condition that the highest score of an app has one of these levels. */
function ofRisk(dialect: Dialect, levels: readonly RiskLevel[]): Fragment {
  const ranges = levels.map(scoresOfLevel)
  const tests = ranges.map((range) => (range ? '(m.score >= ? AND m.score < ?)' : 'm.score IS NULL'))
  return {
    sql: `EXISTS (SELECT 1 FROM (SELECT ${highestScore(dialect, 't')} AS score) AS m WHERE ${tests.join(' OR ')})`,
    params: ranges.flatMap((range) => (range ? [range[0], range[1] ?? Number.MAX_SAFE_INTEGER] : [])),
  }
}

const figure = (value: string): string =>
  `SELECT a.seq AS seq, coalesce(${value}, 0) AS value FROM apps a LEFT JOIN app_figures f ON f.org = a.org AND f.app_id = a.id WHERE a.org = ?`

const ofApp = (value: string): string => `SELECT a.seq AS seq, ${value} AS value FROM apps a WHERE a.org = ?`

const ranked = (column: string, values: readonly string[]): string =>
  `CASE a.${column} ${values.map((value, at) => `WHEN '${value}' THEN ${at + 1}`).join(' ')} END`

/** Sort orders without parameters. Levels sort by severity, decisions from undecided to rejected. */
const orders: Readonly<Record<string, (dialect: Dialect) => string>> = {
  people: () => figure('f.people'),
  accounts: () => figure('f.accounts'),
  openFindings: () => figure('f.open_findings'),
  signInMethods: () =>
    figure(
      methodColumns.map((column, bit) => `CASE WHEN f.${column} > 0 THEN ${1 << bit} ELSE 0 END`).join(' + '),
    ),
  risk: (dialect) => ofApp(highestScore(dialect, 'a')),
  lastUsedTimestamp: (dialect) => ofApp(lastUse(dialect, 'a')),
  sensitivityLevel: () => ofApp(ranked('sensitivity_level', sensitivityLevels.toReversed())),
  approvalStatus: () => ofApp(ranked('approval_status', approvalStatuses)),
}

/** Returns the computed order of a sort of the list of apps; undefined if a column has it. */
export async function appOrder(db: Reader, org: number, member: string): Promise<ComputedOrder | undefined> {
  if (member === 'category') return categoryOrder(db, org)
  const sql = orders[member]?.(db.dialect)
  return sql === undefined ? undefined : { sql, params: [org], type: 'integer' }
}

/** Sorts by the names of the categories. Each type is looked up, because its category is known here only. */
async function categoryOrder(db: Reader, org: number): Promise<ComputedOrder> {
  const types = await usedTypesByCategory(db, org)
  const names = Object.entries(productCategories).sort(([, one], [, other]) =>
    one.name < other.name ? -1 : 1,
  )
  const inOrder = names.flatMap(([id], at) => {
    const some = types.get(id as ProductCategoryId)
    return some ? [{ value: String(at + 1), types: some }] : []
  })
  const parts = [...inOrder, { value: 'CAST(NULL AS bigint)', types: types.get(undefined) ?? [] }]
  const source = db.dialect.seekByValues('apps', 'type', 'apps_by_type')
  return {
    sql: parts
      .map(({ value }) => `SELECT t.seq AS seq, ${value} AS value FROM ${source}`)
      .join(' UNION ALL '),
    params: parts.flatMap((part) => [JSON.stringify(part.types), org]),
    type: 'integer',
  }
}

interface FigureRow extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly people: number
  readonly accounts: number
  readonly open_findings: number
  readonly last: number | null
  readonly score: number | null
}

/** Returns the figures of apps by ID. */
export async function readAppFigures(
  db: Reader,
  org: number,
  apps: readonly { readonly id: string; readonly type: string }[],
): Promise<ReadonlyMap<string, AppFigures>> {
  const categories = await mainCategories(db, org)
  const sql = `SELECT f.app_id AS id, f.people AS people, f.accounts AS accounts, f.open_findings AS open_findings,
      ${methodColumns.map((column) => `f.${column} AS ${column}`).join(', ')},
      ${lastUse(db.dialect, 'f', 'app_id')} AS last,
      ${highestScore(db.dialect, 'f', 'app_id')} AS score
    FROM app_figures f WHERE f.org = ? AND ${db.dialect.textIn('f.app_id')}`
  const rows = await db.all<FigureRow>(sql, [org, JSON.stringify(apps.map(({ id }) => id))])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    apps.map(({ id, type }) => {
      const row = byId.get(id)
      const figures: AppFigures = {
        category: categories.get(type) ?? null,
        people: row?.people ?? 0,
        accounts: row?.accounts ?? 0,
        openFindings: row?.open_findings ?? 0,
        risk: riskLevelOf(row?.score ?? null),
        lastUsedTimestamp: row?.last ?? null,
        signInMethods: consoleLoginMethods.filter((method) => Number(row?.[columnOf(method)] ?? 0) > 0),
      }
      return [id, figures]
    }),
  )
}
