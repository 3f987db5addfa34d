import type { Collection } from '@muster/contract/api/collection'
import { foldCase } from '../lib/fold-case.ts'
import type { Dialect, Param } from '../store/sql.ts'
import { type Column, indexOf, type Side, substringTableOf, type Table, tableOf } from '../store/tables.ts'
import { columnValue, sideValue } from '../store/values.ts'

/** A filter condition. It can test a row `t`; most conditions also have an index that finds the matching rows. */
export interface Predicate {
  readonly test: Fragment
  readonly path?: AccessPath
  /** For a text: its index, whose path depends on a sample of the rows. */
  readonly text?: TextIndex & { readonly column: string }
}

export interface Fragment {
  readonly sql: string
  readonly params: readonly Param[]
}

/**
 * An index access path to the rows that meet a condition. An ordered path returns them in creation order, between two
 * exclusive bounds of `seq`. The rows of an unordered path must be sorted.
 */
export interface AccessPath {
  readonly ordered: boolean
  /** `t` if the path reads the collection's own table, so no join is needed; `d` if it only returns `d.seq`. */
  readonly alias: 't' | 'd'
  readonly from: string
  readonly where: string
  params(org: number, after: number, below: number): Param[]
  /** Test of the path's rows, if it also returns rows that do not meet the condition. */
  readonly recheck?: Fragment
  /** Additional columns of a row `d` for that test, each after a comma. */
  readonly columns?: string
  /**
   * Conditions on `from` that part its rows into those that need no recheck and the others. A count of this condition alone
   * then reads the path even if it has many rows.
   */
  readonly countsAlone?: { readonly sure: string; readonly unsure: string }
}

/** Index of the substrings of a column. */
export interface TextIndex {
  /** Parts of the text. The index finds the rows that have some of them. */
  readonly pieces: readonly string[]
  path(pieces: readonly string[]): AccessPath
}

/** Returns an unordered path. `params` are the parameters of `from` and `where` after the organization. */
export const unorderedPath = (from: string, where: string, params: readonly Param[]): AccessPath => ({
  ordered: false,
  alias: 'd',
  from,
  where,
  params: (org) => [org, ...params],
})

export type FilterValues = Readonly<Record<string, unknown>>

/** Returns the predicates of a request's filters, except for the creation window, which is a range of the key. */
export function predicatesOf(collection: Collection, filters: FilterValues, dialect: Dialect): Predicate[] {
  const table = tableOf(collection)
  const predicates: Predicate[] = []
  const windows = new Map<Column, { from?: number; below?: number }>()
  for (const [name, { kind, member }] of Object.entries(collection.filters)) {
    const value = filters[name]
    if (value === undefined || member === 'creationTimestamp') continue
    if (kind === 'all' || kind === 'has') {
      for (const element of new Set([value].flat()))
        predicates.push(hasElement(table, member, String(element)))
      continue
    }
    const column = table.columns.find((candidate) => candidate.member === member)
    if (!column) throw new Error(`${collection.name} has no column for ${member}`)
    if (kind === 'exact') predicates.push(equals(table, column.name, columnValue(column, value), dialect))
    else if (kind === 'contains') predicates.push(containsText(table, column, String(value), dialect))
    else windows.set(column, { ...windows.get(column), [kind === 'after' ? 'from' : 'below']: Number(value) })
  }
  for (const [column, { from, below }] of windows)
    predicates.push(isWithin(table, column, from, below, dialect))
  return predicates
}

/** Returns the predicate `column = value`. The column must have an index. */
export function equals(table: Table, column: string, value: Param, dialect: Dialect): Predicate {
  const type = typeof value === 'string' ? 'text' : 'integer'
  return {
    test: { sql: `${dialect.withoutIndex(`t.${column}`, type)} = ?`, params: [value] },
    path: {
      ordered: true,
      alias: 't',
      from: `${table.name} t${dialect.indexedBy(indexOf(table, column))}`,
      where: `t.org = ? AND t.${column} = ? AND t.seq > ? AND t.seq < ?`,
      params: (org, after, below) => [org, value, after, below],
    },
  }
}

function isWithin(
  table: Table,
  { name }: Column,
  from: number | undefined,
  below: number | undefined,
  dialect: Dialect,
): Predicate {
  const comparisons = [...(from === undefined ? [] : ['>= ?']), ...(below === undefined ? [] : ['< ?'])]
  const values = [from, below].filter((value) => value !== undefined)
  const condition = (value: string) => comparisons.map((comparison) => `${value} ${comparison}`).join(' AND ')
  const index = dialect.indexedBy(indexOf(table, name))
  return {
    test: { sql: condition(dialect.withoutIndex(`t.${name}`, 'integer')), params: values },
    path: unorderedPath(`${table.name} d${index}`, `d.org = ? AND ${condition(`d.${name}`)}`, values),
  }
}

/**
 * Returns the predicate "the array member contains the element". Without `OFFSET 0`, PostgreSQL turns each EXISTS into a
 * join and spends its time planning the join order of up to fifty tests.
 */
function hasElement(table: Table, member: string, element: string): Predicate {
  const side = sideOf(table, member)
  const value = sideValue(side, element)
  return {
    test: {
      sql: `EXISTS (SELECT 1 FROM ${side.table} s WHERE s.org = t.org AND s.value = ? AND s.seq = t.seq LIMIT 1 OFFSET 0)`,
      params: [value],
    },
    path: {
      ordered: true,
      alias: 'd',
      from: `${side.table} d`,
      where: 'd.org = ? AND d.value = ? AND d.seq > ? AND d.seq < ?',
      params: (org, after, below) => [org, value, after, below],
    },
  }
}

/** Returns the side table of an array member. */
export function sideOf(table: Table, member: string): Side {
  const side = table.sides.find((candidate) => candidate.member === member)
  if (!side) throw new Error(`${table.name} has no side table for ${member}`)
  return side
}

function containsText(table: Table, { name }: Column, text: string, dialect: Dialect): Predicate {
  const needle = foldCase(text)
  const test = { sql: dialect.contains(`t.${name}`), params: [needle] }
  // Shorter texts have no trigram to look up. They are common, so a scan finds matches quickly.
  if ([...needle].length < 3) return { test }
  const index = dialect.textIndex(table.name, name, substringTableOf(table, name), needle)
  return { test, text: { column: name, ...index } }
}
