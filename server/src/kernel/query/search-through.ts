import type { SearchThrough } from '@muster/contract/console/console-lists'
import { foldCase, foldName } from '../lib/fold-case.ts'
import type { Param, Reader } from '../store/sql.ts'
import { indexOf, snakeCase, type Table } from '../store/tables.ts'
import type { Fragment, Predicate } from './predicates.ts'

/** A word that is in more names than this is so common that the rows themselves are walked. */
const namedMaximum = 500

/** Finds the values of a member whose records hold a word in their names. */
interface Names {
  readonly from: string
  readonly value: string
  /** The test of a row `n` of that table, and its parameters for a word. */
  readonly holds: (holds: (column: string) => string) => string
  readonly params: (word: string) => readonly Param[]
}

const namesBy: Readonly<Record<SearchThrough, Names>> = {
  employeeId: {
    from: 'employees',
    value: 'id',
    holds: (holds) => holds('n.sort_name'),
    params: (word) => [foldName(word)],
  },
  appType: {
    from: 'apps',
    value: 'type',
    holds: (holds) => `(${holds('n.sort_name')} OR ${holds('lower(n.type)')})`,
    params: (word) => [foldName(word), foldCase(word)],
  },
}

/**
 * The condition that a word is in the name of one of the records that a row names: of its employee, or its app. The names
 * are looked at first: they are few beside the rows, which can then be found by index.
 */
export async function searchedThrough(
  db: Reader,
  table: Table,
  org: number,
  members: readonly SearchThrough[],
  word: string,
): Promise<Predicate> {
  const { dialect } = db
  const tests: Fragment[] = []
  const leads: { readonly sql: string; readonly values: string }[] = []
  for (const member of members) {
    const { from, value, holds, params } = namesBy[member]
    const column = snakeCase(member)
    const hit = holds((name) => dialect.contains(name))
    const rows = await db.all<{ value: string }>(
      `SELECT n.${value} AS value FROM ${from} n${dialect.indexedBy(`${from}_by_sort_name`)} WHERE n.org = ? AND ${hit} LIMIT ${namedMaximum + 1}`,
      [org, ...params(word)],
    )
    if (rows.length > namedMaximum) {
      const sql = `EXISTS (SELECT 1 FROM ${from} n WHERE n.org = t.org AND n.${value} = t.${column} AND ${hit} LIMIT 1 OFFSET 0)`
      tests.push({ sql, params: params(word) })
      continue
    }
    const values = JSON.stringify(rows.map((row) => row.value))
    tests.push({ sql: dialect.textIn(`t.${column}`), params: [values] })
    const index = dialect.indexedBy(indexOf(table, column))
    leads.push({
      sql: `SELECT f.seq AS seq FROM ${table.name} f${index} WHERE f.org = ? AND ${dialect.textIn(`f.${column}`)}`,
      values,
    })
  }
  const test: Fragment = {
    sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`,
    params: tests.flatMap(({ params }) => [...params]),
  }
  if (leads.length < members.length) return { test }
  return {
    test,
    lead: {
      ordered: false,
      own: false,
      from: `(${leads.map(({ sql }) => sql).join(' UNION ')}) AS d`,
      where: '1 = 1',
      params: (org) => leads.flatMap(({ values }): Param[] => [org, values]),
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}
