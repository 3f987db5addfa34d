import type { Collection } from '@muster/contract/api/collection'
import type { SearchThrough } from '@muster/contract/console/console-lists'
import { foldCase, foldName } from '../lib/fold-case.ts'
import { extensionNamePredicate, searchesExtensionNames } from '../store/extension-names.ts'
import { membersContain } from '../store/member-text.ts'
import type { Param, Reader } from '../store/sql.ts'
import { type Column, indexOf, snakeCase, type Table, tableOf } from '../store/tables.ts'
import { columnValue } from '../store/values.ts'
import { consoleFilterPredicate, isConsoleFilter } from './console-predicates.ts'
import type { ScanRequest } from './plan.ts'
import { type Fragment, type Predicate, predicatesOf, unorderedPath } from './predicates.ts'

/** A search: one of the members must contain each of the words. First and last name, for example, are two members. */
export interface Search {
  readonly members: readonly string[]
  /** Members that refer to other records. The names of those records are searched instead of `members`. */
  readonly through?: readonly SearchThrough[]
  readonly text: string
}

type SearchRequest = Omit<ScanRequest, 'sort'> & { readonly search?: Search | undefined }

/** Returns the predicates of the filters and the search of a request. */
export async function requestPredicates(request: SearchRequest, db: Reader): Promise<Predicate[]> {
  const { collection } = request
  const table = tableOf(collection)
  // The creation window is a range of `seq`, also for collections that have no such filter in the contract.
  const { creationTimestampAfter: _after, creationTimestampBefore: _before, ...filters } = request.filters
  const single: Record<string, unknown> = {}
  const predicates: Predicate[] = []
  for (const [name, value] of Object.entries(filters)) {
    const filter = collection.filters[name]
    if (isConsoleFilter(collection, name, value)) {
      const predicate = consoleFilterPredicate(collection, name, value, db.dialect)
      if (predicate) predicates.push(predicate)
    } else if (filter?.kind !== 'exact' || !Array.isArray(value)) single[name] = value
    else if (value.length === 1) single[name] = value[0]
    else predicates.push(oneOfValues(table, filter.member, value))
  }
  const searched = request.search ? await searchPredicates(request, request.search, db) : []
  return [...predicatesOf(collection, single, db.dialect), ...predicates, ...searched]
}

/** Returns predicates for each word of a search, with an index where the searched members have one. */
async function searchPredicates(
  { collection, org }: SearchRequest,
  { members, through = [], text }: Search,
  db: Reader,
): Promise<Predicate[]> {
  const table = tableOf(collection)
  const { dialect } = db
  const words = wordsIn(text)
  if (through.length > 0)
    return Promise.all(words.map((word) => referencedNamePredicate(db, table, org, through, word)))
  const filter = substringFilterOf(collection, members)
  if (filter !== undefined)
    return words.flatMap((word) => predicatesOf(collection, { [filter]: word }, dialect))
  const tests = words.map((word) => membersContain(dialect, members, word))
  if (searchesExtensionNames(table, members)) return [extensionNamePredicate(table, words, tests, dialect)]
  return tests.map((test) => ({ test }))
}

/** Maximum number of words in a search. The last one is the rest of the text. */
const maximumWords = 6

/** Splits a search into words. A text of blanks only is searched as it is. */
function wordsIn(text: string): readonly string[] {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= 1) return [words[0] ?? text]
  return words.length <= maximumWords
    ? words
    : [...words.slice(0, maximumWords - 1), words.slice(maximumWords - 1).join(' ')]
}

/** Returns the `contains` filter that is equivalent to a search of a single member, if there is one. It has an index. */
function substringFilterOf({ filters }: Collection, members: readonly string[]): string | undefined {
  const found = Object.entries(filters).find(
    ([, { kind, member }]) => kind === 'contains' && member === members[0],
  )
  return members.length === 1 ? found?.[0] : undefined
}

function oneOfValues(table: Table, member: string, values: readonly unknown[]): Predicate {
  const column = table.columns.find((candidate) => candidate.member === member) as Column
  const params = values.map((value) => columnValue(column, value))
  const condition = (alias: string) => `${alias}.${column.name} IN (${params.map(() => '?').join(', ')})`
  return {
    test: { sql: condition('t'), params },
    path: unorderedPath(`${table.name} d`, `d.org = ? AND ${condition('d')}`, params),
  }
}

/** A word in more names than this is too common for a lookup by name. The rows are scanned instead. */
const maximumMatches = 500

/** Table of the records that a member refers to. */
interface NameSource {
  readonly from: string
  /** Column that the member refers to. */
  readonly value: string
  /** Returns the test of a row `n`: its name contains a word. `contains` is the test of one column. */
  readonly nameContains: (contains: (column: string) => string) => string
  /** Returns the parameters of that test. */
  readonly params: (word: string) => readonly Param[]
}

const nameSources: Readonly<Record<SearchThrough, NameSource>> = {
  employeeId: {
    from: 'employees',
    value: 'id',
    nameContains: (contains) => contains('n.sort_name'),
    params: (word) => [foldName(word)],
  },
  appType: {
    from: 'apps',
    value: 'type',
    nameContains: (contains) => `(${contains('n.sort_name')} OR ${contains('lower(n.type)')})`,
    params: (word) => [foldName(word), foldCase(word)],
  },
}

/**
 * Returns the predicate "the name of a record that the row refers to (its employee, its app) contains the word". The names
 * are searched first: they are few compared to the rows, which are then found by index.
 */
async function referencedNamePredicate(
  db: Reader,
  table: Table,
  org: number,
  members: readonly SearchThrough[],
  word: string,
): Promise<Predicate> {
  const { dialect } = db
  const tests: Fragment[] = []
  const paths: { readonly sql: string; readonly values: string }[] = []
  for (const member of members) {
    const { from, value, nameContains, params } = nameSources[member]
    const column = snakeCase(member)
    const hit = nameContains((name) => dialect.contains(name))
    const rows = await db.all<{ value: string }>(
      `SELECT n.${value} AS value FROM ${from} n${dialect.indexedBy(`${from}_by_sort_name`)} WHERE n.org = ? AND ${hit} LIMIT ${maximumMatches + 1}`,
      [org, ...params(word)],
    )
    if (rows.length > maximumMatches) {
      const sql = `EXISTS (SELECT 1 FROM ${from} n WHERE n.org = t.org AND n.${value} = t.${column} AND ${hit} LIMIT 1 OFFSET 0)`
      tests.push({ sql, params: params(word) })
      continue
    }
    const values = JSON.stringify(rows.map((row) => row.value))
    tests.push({ sql: dialect.textIn(`t.${column}`), params: [values] })
    const index = dialect.indexedBy(indexOf(table, column))
    paths.push({
      sql: `SELECT f.seq AS seq FROM ${table.name} f${index} WHERE f.org = ? AND ${dialect.textIn(`f.${column}`)}`,
      values,
    })
  }
  const test: Fragment = {
    sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`,
    params: tests.flatMap(({ params }) => [...params]),
  }
  if (paths.length < members.length) return { test }
  const from = `(${paths.map(({ sql }) => sql).join(' UNION ')}) AS d`
  const params = (org: number) => paths.flatMap(({ values }): Param[] => [org, values])
  return { test, path: { ...unorderedPath(from, '1 = 1', []), params } }
}
