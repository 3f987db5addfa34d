import type { Collection } from '@muster/contract/collection'
import { foldCase } from '../lib/fold-case.ts'
import type { Dialect, Param } from '../store/sql.ts'
import { type Column, indexOf, substringTableOf, type Table, tableOf } from '../store/tables.ts'
import { columnValue, sideValue } from '../store/values.ts'

/** A condition of a list: it can test a row `t`, and most can lead to the rows that meet it. */
export interface Predicate {
  test: Fragment
  /** The same test by an index, of a row of which only the number is known: it need not be fetched to be refused. */
  indexTest?: { sql(seq: string): string; params(org: number): Param[] }
  lead?: Lead
}

export interface Fragment {
  sql: string
  params: readonly Param[]
}

/**
 * A way to the rows that meet a condition, by an index. An ordered lead gives them in the order of creation, between
 * two bounds of `seq` (both exclusive); the rows of another come from everywhere and must be sorted.
 */
export interface Lead {
  ordered: boolean
  /** The rows come from the collection's own table `t`, so that no join is needed. */
  own: boolean
  /** For such a lead: the same rows as numbers, from the index alone. */
  numbers?: Pick<Lead, 'from' | 'where' | 'seq' | 'order'>
  from: string
  where: string
  params(org: number, after: number, below: number): Param[]
  /**
   * Counting the rows costs more than looking at some: a sample tells first whether they are many. It needs these
   * columns, and the narrow index has them or not.
   */
  sample?: { columns: string; narrow: boolean }
  /** The lead gives rows that do not meet the condition, too: each must be tested. */
  tested?: boolean
  /** Asks for rows that the index does not have yet, and the way to all rows when there are some. */
  late?: { sql: string; params(org: number, after: number, below: number): Param[]; lead: Lead }
  /** What the condition can be looked up by: to look up the rarest few of them costs far less than all. */
  pieces?: { tests: readonly Fragment[]; lead(chosen: readonly number[]): Lead }
  /** The rows come from several lists, each in order, and between the bounds. */
  merged?: Merged
  /** The expression that is the sequence number, and the one to order by. */
  seq: string
  order: string
}

/** What a lead knows whose rows come from several lists that are in order each. */
export interface Merged {
  /** What it tells of a row `d` beside its number, when that says that the row passes, and the test of any other. */
  columns: string
  passes: string
  test: Fragment
  /** Finds the number of the row so many rows on, without sorting all that there are. */
  end(
    descending: boolean,
    count: number,
  ): { sql: string; params(org: number, after: number, below: number): Param[] }
}

export type FilterValues = Readonly<Record<string, unknown>>

/**
 * The conditions that a request's filters stand for. The window of creation is not among them: it is
 * a range of the key.
 */
export function predicatesOf(collection: Collection, filters: FilterValues, dialect: Dialect): Predicate[] {
  const table = tableOf(collection)
  const made: Predicate[] = []
  const windows = new Map<Column, { from?: number; below?: number }>()
  for (const [name, { kind, member }] of Object.entries(collection.filters)) {
    const value = filters[name]
    if (value === undefined || member === 'creationTimestamp') continue
    if (kind === 'all' || kind === 'has') {
      for (const element of new Set([value].flat())) made.push(holdsElement(table, member, String(element)))
      continue
    }
    const column = table.columns.find((candidate) => candidate.member === member)
    if (!column) throw new Error(`${collection.name} has no column for ${member}`)
    if (kind === 'exact') made.push(equals(table, column.name, columnValue(column, value), dialect))
    else if (kind === 'contains') made.push(holdsText(table, column, String(value), dialect))
    else windows.set(column, { ...windows.get(column), [kind === 'after' ? 'from' : 'below']: Number(value) })
  }
  for (const [column, { from, below }] of windows) made.push(isWithin(table, column, from, below, dialect))
  return made
}

/** A condition that a column has a value; the column has an index. */
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
    lead: {
      ordered: true,
      own: true,
      numbers: { from: `${table.name} d${index}`, where: where('d'), seq: 'd.seq', order: 'd.seq' },
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
    lead: {
      ordered: false,
      own: false,
      sample: { columns: `t.${column.name}`, narrow: true },
      from: `${table.name} d${dialect.indexedBy(indexOf(table, column.name))}`,
      where: `d.org = ? AND ${condition(`d.${column.name}`)}`,
      params: (org) => [org, ...values],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}

/** The OFFSET keeps PostgreSQL from making joins of the tests, and planning the order of fifty of them. */
function holdsElement(table: Table, member: string, element: string): Predicate {
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
    lead: {
      ordered: true,
      own: false,
      from: `${side.table} d`,
      where: 'd.org = ? AND d.value = ? AND d.seq > ? AND d.seq < ?',
      params: (org, after, below) => [org, value, after, below],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}

function holdsText(table: Table, column: Column, text: string, dialect: Dialect): Predicate {
  const needle = foldCase(text)
  const test = { sql: dialect.contains(`t.${column.name}`), params: [needle] }
  // Shorter texts have no trigram to look up; they are common, and a walk meets them soon.
  if ([...needle].length < 3) return { test }
  return {
    test,
    lead: dialect.substringPath(table.name, column.name, substringTableOf(table, column.name), needle),
  }
}
