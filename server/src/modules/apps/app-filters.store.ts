import type { ProductCategoryId } from '@muster/contract/catalog/product-categories'
import { type Predicate, unorderedPath } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Param, Reader } from '../../kernel/store/sql.ts'
import { indexOf, type Table, tableOf } from '../../kernel/store/tables.ts'
import { isAiDomain } from './ai-domain.rules.ts'
import { appTypesIn } from './app-categories.service.ts'

type Request = Pick<SortedRequest, 'collection' | 'org' | 'filters'>

const valuesOf = (value: unknown): string[] => (value === undefined ? [] : [value].flat().map(String))

/**
 * Returns the conditions of filters by the app of a record: `appSensitivity` and `appCategory`. The apps are read first:
 * there are some thousands at most, and their IDs lead to the records.
 */
export async function appFilterPredicates(
  db: Reader,
  { collection, org, filters }: Request,
): Promise<Predicate[]> {
  const levels = valuesOf(filters.appSensitivity)
  const categories = valuesOf(filters.appCategory) as ProductCategoryId[]
  if (levels.length + categories.length === 0) return []
  const conditions: string[] = []
  const params: Param[] = []
  if (levels.length > 0) {
    conditions.push(db.dialect.textIn('sensitivity_level'))
    params.push(JSON.stringify(levels))
  }
  if (categories.length > 0) {
    conditions.push(db.dialect.textIn('type'))
    params.push(JSON.stringify(await appTypesIn(db, org, categories)))
  }
  const sql = `SELECT id FROM apps WHERE org = ? AND ${conditions.join(' AND ')}`
  const rows = await db.all<{ id: string }>(sql, [org, ...params])
  return [
    ofApps(
      db,
      tableOf(collection),
      rows.map(({ id }) => id),
    ),
  ]
}

/** Returns the condition that a record belongs to one of the apps. */
export function ofApps(
  { dialect }: Reader,
  table: Table,
  appIds: readonly string[],
  column = 'app_id',
): Predicate {
  const ids = JSON.stringify(appIds)
  return {
    test: { sql: dialect.textIn(`t.${column}`), params: [ids] },
    path: unorderedPath(
      `${table.name} d${dialect.indexedBy(indexOf(table, column))}`,
      `d.org = ? AND ${dialect.textIn(`d.${column}`)}`,
      [ids],
    ),
  }
}

/** Returns the condition of the filter of apps outside the catalog that are probably AI tools. */
export async function otherAppPredicates(
  _db: Reader,
  { filters }: Pick<Request, 'filters'>,
): Promise<Predicate[]> {
  const wanted = flagOf(filters.aiTool)
  if (wanted === undefined) return []
  const sql = `(t.hidden = 0 AND ${isAiDomain('t.domain')})`
  return [{ test: { sql: wanted ? sql : `NOT ${sql}`, params: [] } }]
}

/** Returns the value of a boolean filter; undefined if it is not set, or if both values are. */
export function flagOf(value: unknown): boolean | undefined {
  const values = new Set([value].flat())
  return values.size === 1 ? ([...values][0] as boolean | undefined) : undefined
}
