import type { Collection } from '@muster/contract/collection'
import { extensionNamePredicate, searchesExtensionNames } from '../store/extension-names.ts'
import { membersContain } from '../store/member-text.ts'
import type { Reader } from '../store/sql.ts'
import { type Column, type Table, tableOf } from '../store/tables.ts'
import { columnValue } from '../store/values.ts'
import { consoleFilterPredicate, isConsoleFilter } from './console-predicates.ts'
import { type Predicate, predicatesOf } from './predicates.ts'
import { referencedNamePredicate } from './search-through.ts'
import type { Search, SortedRequest } from './sorted-source.ts'

/** Returns the predicates of the filters and the search of a request. */
export async function requestPredicates(
  request: SortedRequest,
  table: Table,
  db: Reader,
): Promise<Predicate[]> {
  const { collection } = request
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
  return [
    ...predicatesOf(collection, single, db.dialect),
    ...predicates,
    ...(request.also ?? []),
    ...searched,
  ]
}

/** Returns predicates for each word of a search, with an index where the searched members have one. */
async function searchPredicates(
  { collection, org }: SortedRequest,
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
    path: {
      ordered: false,
      ownTable: false,
      from: `${table.name} d`,
      where: `d.org = ? AND ${condition('d')}`,
      params: (org) => [org, ...params],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}
