import type { Collection } from '@muster/contract/api/collection'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import { products } from '@muster/contract/catalog/products'
import { consoleFilters } from '@muster/contract/console/console-filters'
import {
  type ConsoleList,
  type ConsoleValues,
  listParameters,
  valuesShown,
} from '@muster/contract/console/console-lists'
import { extensionGroups } from '@muster/contract/console/extension-group'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { foldName } from '../../kernel/lib/fold-case.ts'
import { countList } from '../../kernel/query/count-list.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import { countValue, distinctValues } from '../../kernel/store/distinct-values.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'
import type { ResolveFilters } from './resolve-filters.ts'

/**
 * Returns the parameters of `GET /console/api/lists/<name>/values`: the filter, and the active filters of the
 * list.
 */
export function valueParameters(list: ConsoleList): QueryParameter[] {
  const filters = listParameters(list).filter(({ name }) => !['sort', 'limit', 'cursor'].includes(name))
  const enumerable = filters.filter((parameter) => isEnumerable(list, parameter)).map(({ name }) => name)
  return [
    ...filters,
    {
      name: 'of',
      description: 'The filter.',
      maxValues: 1,
      example: enumerable[0],
      schema: { type: 'string', enum: enumerable },
    },
    {
      name: 'text',
      description: 'Only values whose text contains this.',
      maxValues: 1,
      example: 'okta',
      schema: { type: 'string', minLength: 1, maxLength: 254 },
    },
  ]
}

function isEnumerable({ collection }: ConsoleList, { name, filter, schema }: QueryParameter): boolean {
  if (filter === undefined) return false
  if ('enum' in schema || schema.type === 'boolean') return true
  const isConsoleFilter = consoleFilters[collection.name]?.[name] !== undefined || name === 'except'
  return !isConsoleFilter && ['exact', 'has', 'all'].includes(filter.kind)
}

/** Time after which no further value is counted. */
const countsMs = 1000

/** Query for the values of a filter. */
export interface ValuesRequest {
  readonly of: QueryParameter
  readonly text: string | undefined
  /** List with its other active filters. */
  readonly list: Omit<SortedRequest, 'sort'>
}

/**
 * Lists the existing values of a filter. Values of an enumeration are counted among the records that match the other
 * filters, other values among all records.
 */
export async function listValues(
  db: Db,
  { of, text, list }: ValuesRequest,
  resolve: ResolveFilters,
): Promise<ConsoleValues> {
  const { schema, name } = of
  const untilMs = performance.now() + countsMs
  const withValue = (value: unknown) => ({ ...list, filters: { ...list.filters, [name]: [value] } })
  if ('enum' in schema || schema.type === 'boolean') {
    const values = []
    for (const value of 'enum' in schema ? schema.enum : [true, false]) {
      const maximumMs = untilMs - performance.now()
      const { count, more } = await countList(db, await resolve(withValue(value)), { maximumMs })
      values.push({ value: String(value), text: null, count: more ? null : count })
    }
    return { values, more: false }
  }
  const found: (readonly [value: string, text: string | null])[] = []
  for await (const match of matchingValues(db.slow, list, of, text)) found.push(match)
  const { org, collection } = list
  const member = of.filter?.member ?? ''
  const values = []
  for (const [value, name] of found.slice(0, valuesShown)) {
    const isLate = performance.now() >= untilMs
    const count = isLate ? null : await countValue(db.slow, org, collection, member, value)
    values.push({ value, text: name, count })
  }
  // Records hidden from lists do not count.
  return { values: values.filter(({ count }) => count !== 0), more: found.length > valuesShown }
}

/** Yields the values whose text contains `text`, ignoring case and accents, sorted by their texts. */
async function* matchingValues(
  db: Reader,
  { org, collection }: Pick<SortedRequest, 'org' | 'collection'>,
  { filter }: QueryParameter,
  text: string | undefined,
): AsyncGenerator<readonly [value: string, text: string | null]> {
  const member = filter?.member ?? ''
  const needle = foldName(text ?? '')
  const found: (readonly [string, string | null, string])[] = []
  for await (const values of distinctValues(db, org, collection, member)) {
    const names = await namesOf(db, org, collection, member, values)
    for (const value of values) {
      const name = names.get(value) ?? null
      const folded = foldName(name ?? value)
      if (folded.includes(needle) || foldName(value).includes(needle)) found.push([value, name, folded])
    }
  }
  found.sort(([, , one], [, , other]) => (one < other ? -1 : one > other ? 1 : 0))
  for (const [value, name] of found) yield [value, name]
}

/** Returns the display names of values, where they have one. */
async function namesOf(
  db: Reader,
  org: number,
  collection: Collection,
  member: string,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (member === 'appType' || (collection.name === apps.name && member === 'type')) {
    const all = [...products, ...(await listCatalogProducts(db, org))]
    return new Map(all.map(({ appType, friendlyName }) => [appType, friendlyName]))
  }
  if (member === 'extensionId') {
    const groups = await findRecords(db, extensionGroups, org, 'id', values)
    return new Map(groups.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]))
  }
  if (member === 'otherAppId') {
    const known = await findRecords(db, appsOther, org, 'id', values)
    return new Map(known.map(({ id, domain }) => [id, domain]))
  }
  if (member === 'appId') {
    const known = await findRecords(db, apps, org, 'id', values)
    return new Map(known.map(({ id, friendlyName }) => [id, friendlyName]))
  }
  return new Map()
}
