import type { Collection } from '@muster/contract/api/collection'
import { foldCase } from '../lib/fold-case.ts'
import type { Dialect, Param } from '../store/sql.ts'
import { type Column, indexOf, substringTableOf, type Table, tableOf } from '../store/tables.ts'
import { columnValue, sideValue } from '../store/values.ts'

/** A filter condition. It can test a row `t`; most conditions also have an index to find the matching rows. */
export interface Predicate {
  test: Fragment
  /**
   * The same test as an index lookup by sequence number (SQLite only). It rejects a row without fetching it from its
   * table.
   */
  indexTest?: { sql(seq: string): string; params(org: number): Param[] }
  path?: AccessPath
}

export interface Fragment {
  sql: string
  params: readonly Param[]
}

/**
 * An index access path to the rows that meet a condition. An ordered path returns them in creation order, between two
 * exclusive bounds of `seq`. The rows of an unordered path must be sorted.
 */
export interface AccessPath {
  ordered: boolean
  /** True if the path reads the collection's own table as `t`, so no join is needed. */
  ownTable: boolean
  /** For a path on the collection's own table: the same rows from a covering index, without the records. */
  indexOnly?: Pick<AccessPath, 'from' | 'where' | 'seq' | 'order'>
  from: string
  where: string
  params(org: number, after: number, below: number): Param[]
  /**
   * Set if counting the rows costs more than sampling. The planner then estimates the selectivity first, from these
   * columns of `t`; `narrowIndex` is true if the narrow index of the table has them.
   */
  sample?: { columns: string; narrowIndex: boolean }
  /** True if the path also returns rows that do not meet the condition, so each row must be tested. */
  recheck?: boolean
  /** A query for matching rows that are not indexed yet, and the path to use if there are any. */
  pending?: { sql: string; params(org: number, after: number, below: number): Param[]; path: AccessPath }
  /**
   * Parts of a long text. Looking up the rarest few of them costs far less than looking up the whole text. `chosen` are
   * positions in `tests`.
   */
  pieces?: { tests: readonly Fragment[]; path(chosen: readonly number[]): AccessPath }
  /** Set if the rows come from several ordered lists; the path then respects the bounds of `seq`. */
  merged?: MergedPath
  /** Expression of the sequence number. */
  seq: string
  /** Expression to order by. */
  order: string
}

/** Additions to a path whose rows come from several lists, each in order. */
export interface MergedPath {
  /** Additional columns of a row `d`. */
  columns: string
  /** Condition on those columns. A row that meets it needs no test; `test` decides about the others. */
  passes: string
  test: Fragment
  /** Finds the sequence number of the row at position `count` without sorting all rows. */
  end(
    descending: boolean,
    count: number,
  ): { sql: string; params(org: number, after: number, below: number): Param[] }
}

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
  const index = dialect.indexedBy(indexOf(table, column))
  const where = (alias: string) =>
    `${alias}.org = ? AND ${alias}.${column} = ? AND ${alias}.seq > ? AND ${alias}.seq < ?`
  return {
    test: { sql: `${dialect.withoutIndex(`t.${column}`, type)} = ?`, params: [value] },
    indexTest: {
      sql: (seq) =>
        `EXISTS (SELECT 1 FROM ${table.name} x${index} WHERE x.org = ? AND x.${column} = ? AND x.seq = ${seq})`,
      params: (org) => [org, value],
    },
    path: {
      ordered: true,
      ownTable: true,
      indexOnly: { from: `${table.name} d${index}`, where: where('d'), seq: 'd.seq', order: 'd.seq' },
      from: `${table.name} t${index}`,
      where: where('t'),
      params: (org, after, below) => [org, value, after, below],
      seq: 't.seq',
      order: 't.seq',
    },
  }
}

function isWithin(
  table: Table,
  column: Column,
  from: number | undefined,
  below: number | undefined,
  dialect: Dialect,
): Predicate {
  const comparisons = [...(from === undefined ? [] : ['>= ?']), ...(below === undefined ? [] : ['< ?'])]
  const values = [from, below].filter((value) => value !== undefined)
  const condition = (value: string) => comparisons.map((comparison) => `${value} ${comparison}`).join(' AND ')
  return {
    test: { sql: condition(dialect.withoutIndex(`t.${column.name}`, 'integer')), params: values },
    path: {
      ordered: false,
      ownTable: false,
      sample: { columns: `t.${column.name}`, narrowIndex: true },
      from: `${table.name} d${dialect.indexedBy(indexOf(table, column.name))}`,
      where: `d.org = ? AND ${condition(`d.${column.name}`)}`,
      params: (org) => [org, ...values],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}

/**
 * Returns the predicate "the array member contains the element". Without `OFFSET 0`, PostgreSQL turns each EXISTS into a
 * join and spends its time planning the join order of up to fifty tests.
 */
function hasElement(table: Table, member: string, element: string): Predicate {
  const side = table.sides.find((candidate) => candidate.member === member)
  if (!side) throw new Error(`${table.name} has no side table for ${member}`)
  const value = sideValue(side, element)
  return {
    test: {
      sql: `EXISTS (SELECT 1 FROM ${side.table} s WHERE s.org = t.org AND s.value = ? AND s.seq = t.seq LIMIT 1 OFFSET 0)`,
      params: [value],
    },
    indexTest: {
      sql: (seq) =>
        `EXISTS (SELECT 1 FROM ${side.table} s WHERE s.org = ? AND s.value = ? AND s.seq = ${seq})`,
      params: (org) => [org, value],
    },
    path: {
      ordered: true,
      ownTable: false,
      from: `${side.table} d`,
      where: 'd.org = ? AND d.value = ? AND d.seq > ? AND d.seq < ?',
      params: (org, after, below) => [org, value, after, below],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}

function containsText(table: Table, column: Column, text: string, dialect: Dialect): Predicate {
  const needle = foldCase(text)
  const test = { sql: dialect.contains(`t.${column.name}`), params: [needle] }
  // Shorter texts have no trigram to look up. They are common, so a scan finds matches quickly.
  if ([...needle].length < 3) return { test }
  return {
    test,
    path: dialect.substringPath(table.name, column.name, substringTableOf(table, column.name), needle),
  }
}
