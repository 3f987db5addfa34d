import type { Collection } from '@muster/contract/api/collection'
import type { Param, Reader } from '../store/sql.ts'
import { indexOf, scanIndexOf, sortColumnOf, type Table } from '../store/tables.ts'
import type { AccessPath, Fragment } from './predicates.ts'

/** Position after a record: its value of the sort, and its sequence number. */
export interface Cursor {
  /** Null if the record has no value (such records come last), or if the sort is by creation. */
  readonly value: string | number | null
  readonly seq: number
}

/** Order of a list. */
export interface Sort {
  readonly member: string
  readonly descending: boolean
}

export const isByCreation = ({ member }: Sort): boolean => member === 'creationTimestamp'

/** A plan for reading the rows of a list in order. */
export interface Scan {
  readonly collection: Collection
  readonly table: Table
  readonly org: number
  /** 1 to read the hidden records, else 0. */
  readonly hidden: 0 | 1
  readonly sort: Sort
  /** Exclusive bounds of `seq`. */
  readonly after: number
  readonly below: number
  /** Supplies the rows; undefined to read all rows in the order of the sort. */
  readonly path: AccessPath | undefined
  /** True if the path has so few rows that all of them can be sorted, or tested. */
  readonly selective: boolean
  /** Maximum number of rows of an unordered path. */
  readonly sortedRows: number
  readonly tests: readonly Fragment[]
}

/**
 * Part of a list that is an ordered range of one index. Records without a value of the sort are a part of their own, after
 * all others.
 */
export interface Part {
  /** Expression to sort by before `seq`; undefined if the order is by `seq` alone. */
  readonly key: string | undefined
  /** Index that has the rows in order; null for the table itself. */
  readonly index: string | null
  readonly condition?: string
}

/** Key of employees in the order of their primary addresses. Each has one, and it is unique. */
const addressKey = 'a.address'

/** Returns the parts of a list, in order. */
export function partsOf({ collection, table, sort, path }: Scan): readonly [Part, ...Part[]] {
  const column = sortColumnOf(table, sort.member)
  if (!column) return [{ key: undefined, index: null }]
  const key = `t.${column.name}`
  // The column has a substring index only. The key of `employee_addresses` serves as the index of the sort.
  if (!path && collection.name === 'employees' && sort.member === 'email')
    return [{ key: addressKey, index: null }]
  const index = indexOf(table, column.name)
  const withValue: Part = { key, index, condition: `${key} IS NOT NULL` }
  if (!column.nullable) return [withValue]
  const nullIndex = column.indexesNulls ? index : scanIndexOf(table)
  return [withValue, { key: undefined, index: nullIndex, condition: `${key} IS NULL` }]
}

/** Range of a part: after `from`, up to and including `end`. */
export interface Range {
  readonly from?: Cursor | undefined
  readonly end?: Cursor | undefined
}

/** Options of {@link selectRows}. */
interface Selection extends Range {
  readonly tests?: readonly Fragment[]
  /** True if no column is needed but `seq` and the sort: the narrow index is read instead of the table. */
  readonly narrow?: boolean
}

/** Builds a statement for the rows `t` of a part that pass the tests, in order. */
export function selectRows(
  reader: Reader,
  scan: Scan,
  part: Part,
  columns: string,
  { tests = scan.tests, narrow = false, ...range }: Selection = {},
): Fragment {
  const { key } = part
  const { descending } = scan.sort
  const bounds = key === undefined ? seqBounds(scan, range) : scan
  const index = narrow && part.index === null ? scanIndexOf(scan.table) : part.index
  const source = sourceOf(reader, { ...scan, after: bounds.after, below: bounds.below }, { ...part, index })
  const own = part.condition === undefined ? [] : [{ sql: part.condition, params: [] }]
  const conditions = [...source.where, ...own, ...keyConditions(part, descending, range), ...tests]
  const direction = descending ? ' DESC' : ''
  const order = [...(key === undefined ? [] : [key]), source.order].map((by) => `${by}${direction}`)
  return {
    sql: `SELECT ${columns} FROM ${source.from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order.join(', ')}`,
    params: [...source.fromParams, ...conditions.flatMap(({ params }) => [...params])],
  }
}

interface Source {
  readonly from: string
  readonly fromParams: readonly Param[]
  readonly where: readonly Fragment[]
  /** Expression of the creation order. */
  readonly order: string
}

/**
 * Returns the rows of a scan without its tests. Each bound of `seq` occurs once: with two conditions on the same bound, a
 * store uses the first one as its index range, and reads too much.
 */
function sourceOf({ dialect }: Reader, scan: Scan, { key, index }: Part): Source {
  const { table, org, hidden, after, below, path } = scan
  const hiddenTest = (flag: string): Fragment => ({ sql: `${flag} = ?`, params: [hidden] })
  const bounds: Fragment = { sql: 't.seq > ? AND t.seq < ?', params: [after, below] }
  // In a sort by a column, PostgreSQL would read the index of the sort instead of the path.
  if (path?.alias === 't' && isByCreation(scan.sort)) {
    const where = { sql: path.where, params: path.params(org, after, below) }
    return { from: path.from, fromParams: [], where: [where, hiddenTest(dialect.hiddenFlag)], order: 't.seq' }
  }
  if (path) {
    const { sql, params } = seqsOf(scan, path)
    const from = dialect.joinBySeq(`(${sql}) AS d`, table.name, 'd.seq')
    return {
      from,
      fromParams: [...params, org, hidden],
      where: [{ sql: '1 = 1', params: [] }],
      order: 'd.seq',
    }
  }
  if (key === addressKey) {
    const where = ['org = a.org', 'id = a.employee_id', 'email = a.address', 'unlisted = ?']
    const joined = dialect.indexedJoin({ table: 'employees', alias: 't', index: 'employees_id', where })
    const from = `employee_addresses a CROSS JOIN ${joined}`
    return {
      from,
      fromParams: [hidden],
      where: [{ sql: 'a.org = ?', params: [org] }, bounds],
      order: 't.seq',
    }
  }
  const from = `${table.name} t${dialect.indexedBy(index)}`
  if (index === null) {
    const { where, params, order } = dialect.scan(org, hidden, after, below)
    return { from, fromParams: [], where: [{ sql: where, params }], order }
  }
  // `unlisted` is a key column of the narrow index only.
  const flag = index === scanIndexOf(table) ? 't.unlisted' : dialect.hiddenFlag
  const where = [{ sql: 't.org = ?', params: [org] }, hiddenTest(flag), bounds]
  return { from, fromParams: [], where, order: 't.seq' }
}

/**
 * Returns the sequence numbers of a path. Those of an unordered path are sorted before their records are fetched: to sort the
 * records would fetch all of them.
 */
function seqsOf({ org, after, below, sort, sortedRows }: Scan, path: AccessPath): Fragment {
  const { alias, columns = '', from, where } = path
  const params = path.params(org, after, below)
  const sql = `SELECT ${alias}.seq AS seq${columns} FROM ${from} WHERE ${where}`
  if (path.ordered && isByCreation(sort)) return { sql, params }
  const order = `seq${sort.descending ? ' DESC' : ''}`
  return {
    sql: `SELECT * FROM (${sql} AND ${alias}.seq > ? AND ${alias}.seq < ? LIMIT ${sortedRows}) AS f ORDER BY ${order} LIMIT ${sortedRows}`,
    params: [...params, after, below],
  }
}

/** Returns the bounds of `seq` of a range in a part that is ordered by `seq` alone. */
function seqBounds({ sort, after, below }: Scan, { from, end }: Range): { after: number; below: number } {
  const start = from && from.seq >= 0 ? from.seq : undefined
  const [first, last] = sort.descending ? [end && end.seq - 1, start] : [start, end && end.seq + 1]
  return { after: Math.max(after, first ?? after), below: Math.min(below, last ?? below) }
}

/** Cursor before the first record without a value. */
export const startOfNulls: Cursor = { value: null, seq: -1 }

/** Returns the conditions of a range in a part with a sort key. Addresses are unique and need no `seq` beside them. */
function keyConditions({ key }: Part, descending: boolean, { from, end }: Range): Fragment[] {
  if (key === undefined) return []
  const bound = (operator: string, { value, seq }: Cursor): Fragment =>
    key === addressKey
      ? { sql: `${key} ${operator} ?`, params: [value] }
      : { sql: `(${key}, t.seq) ${operator} (?, ?)`, params: [value, seq] }
  return [
    ...(from ? [bound(descending ? '<' : '>', from)] : []),
    ...(end ? [bound(descending ? '>=' : '<=', end)] : []),
  ]
}

/** Finds the cursor of the row at position `rows` of a part after `from`, without tests; undefined if there are fewer. */
export async function cursorAt(
  reader: Reader,
  scan: Scan,
  part: Part,
  from: Cursor | undefined,
  rows: number,
): Promise<Cursor | undefined> {
  const columns = `t.seq AS seq, ${part.key ?? 'NULL'} AS value`
  const { sql, params } = selectRows(reader, scan, part, columns, { from, tests: [], narrow: true })
  return reader.get<Cursor>(`${sql} LIMIT 1 OFFSET ?`, [...params, rows - 1])
}
