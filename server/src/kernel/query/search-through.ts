import type { SearchThrough } from '@muster/contract/console/console-lists'
import { foldCase, foldName } from '../lib/fold-case.ts'
import type { Param, Reader } from '../store/sql.ts'
import { indexOf, snakeCase, type Table } from '../store/tables.ts'
import type { Fragment, Predicate } from './predicates.ts'

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
export async function referencedNamePredicate(
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
  return {
    test,
    path: {
      ordered: false,
      ownTable: false,
      from: `(${paths.map(({ sql }) => sql).join(' UNION ')}) AS d`,
      where: '1 = 1',
      params: (org) => paths.flatMap(({ values }): Param[] => [org, values]),
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}
