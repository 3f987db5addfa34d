import type { Collection } from '@muster/contract/collection'
import type { SearchThrough } from '@muster/contract/console/console-lists'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Param, Reader } from '../store/sql.ts'
import {
  hiddenRecordsFilterOf,
  indexOf,
  scanIndexOf,
  sortColumnOf,
  type Table,
  tableOf,
} from '../store/tables.ts'
import { type ComputedOrder, computedSegments } from './computed-order.ts'
import type { AccessPath, FilterValues, Fragment, MergedPath, Predicate } from './predicates.ts'
import { requestPredicates } from './sorted-predicates.ts'

/** A request for a sorted list, without its page. */
export interface SortedRequest {
  readonly collection: Collection
  readonly org: number
  /** Filter values. An exact filter can have several values, of which a record must have one. */
  readonly filters: FilterValues
  /** Further conditions, of filters that a module resolves itself. */
  readonly also?: readonly Predicate[]
  readonly search?: Search | undefined
  readonly sort: { readonly member: string; readonly descending: boolean }
  /** Computed values to sort by, in place of a column. Only for tables with some thousand rows. */
  readonly order?: ComputedOrder | undefined
}

/** A search: one of the members must contain each of the words. First and last name, for example, are two members. */
export interface Search {
  readonly members: readonly string[]
  /** Members that refer to other records. The names of those records are searched instead of `members`. */
  readonly through?: readonly SearchThrough[]
  readonly text: string
}

/** Position after a record: its value of the sort, and its sequence number. */
export interface Cursor {
  /** Null if the record has no value (such records come last), or if the sort is by creation. */
  readonly value: string | number | null
  readonly seq: number
}

/**
 * Part of a list that is an ordered range of one index. Records without a value of the sort are a segment of their own, after
 * all others.
 */
export interface Segment {
  /**
   * Returns the rows as `t`, between two exclusive bounds of `seq`. Each bound occurs once in the statement: with two
   * conditions on the same bound, a store uses the first one as its index range, and reads too much.
   */
  readonly source: (after: number, below: number) => Source
  /** Bounds of the creation window. */
  readonly after: number
  readonly below: number
  /** Expression to sort by before `seq`; undefined if the order is by `seq` alone. */
  readonly key: string | undefined
  readonly seq: string
  /** True for the rows without a value, and for a sort by creation. */
  readonly nulls: boolean
  /** A source of the same rows that rejects fewer of them, but is slower to start. */
  readonly merged?: MergedSource
}

/** A source of rows that merges several ordered lists. */
export interface MergedSource {
  readonly source: Segment['source']
  /** Tests of its rows. */
  readonly tests: readonly Fragment[]
  /** Finds the sequence number of the row at position `count`. */
  readonly end: (descending: boolean, count: number, after: number, below: number) => Fragment
  /** Counts the matches (`hits`) among at most `maximum` rows, and the rows that were `examined`. */
  readonly count: (after: number, below: number, maximum: number) => Fragment
}

/** FROM and WHERE of a statement. */
export interface Source {
  readonly from: string
  readonly fromParams: readonly Param[]
  readonly where: readonly Fragment[]
}

/** Sources of the rows of a request, and the tests that are left. */
export interface SortedPlan {
  readonly table: Table
  readonly segments: readonly Segment[]
  readonly tests: readonly Fragment[]
  /** True if so few rows can match that all of them are read and sorted. */
  readonly selective: boolean
}

/** Size of a sample, and the number of hits from which a predicate counts as common. */
const sampleRows = 1000
const sampleHits = 10

/**
 * Plans a sorted list. There are four strategies:
 * - A selective condition: read all its rows and sort them. Needed for rare matches in a long list.
 * - A sort by creation with an ordered path: use the path even if it has many rows, since they come in the right order.
 * - Only a search in extension names: a plain scan first, then the merged source. Needed because a word can match many
 *   extensions, each with many installations.
 * - Otherwise: scan the index of the sort and test each row.
 *
 * @param sortableRows a condition with fewer rows is selective
 */
export async function planSorted(
  db: Reader,
  request: SortedRequest,
  sortableRows: number,
): Promise<SortedPlan> {
  const { collection, org, filters } = request
  const table = tableOf(collection)
  const after = filters.creationTimestampAfter as number | undefined
  const before = filters.creationTimestampBefore as number | undefined
  const scope: Scope = {
    db,
    table,
    org,
    hidden: hiddenRecordsFilterOf(collection) in filters ? 1 : 0,
    after: after === undefined ? 0 : firstSequenceOf(after) - 1,
    below: before === undefined ? sequenceEnd : firstSequenceOf(before),
    sortableRows,
  }
  const predicates = await requestPredicates(request, table, db)
  const byCreation = request.sort.member === 'creationTimestamp'
  if (request.order) {
    const segments = computedSegments(scope, request.order)
    return { table, segments, tests: predicates.map(({ test }) => test), selective: true }
  }
  const [only] = predicates
  if (byCreation && only?.path?.merged && predicates.length === 1) {
    const merged = mergedSource(scope, only.path, only.path.merged)
    const segments = segmentsOf(scope, request, undefined).map((segment) => ({ ...segment, merged }))
    return { table, segments, tests: [only.test], selective: false }
  }
  const found = await mostSelective(scope, predicates)
  const path = found?.selective || (byCreation && found?.path.ordered) ? found?.path : undefined
  const tests = predicates
    .filter((predicate) => found?.predicate !== predicate || path === undefined || path.recheck)
    .map((predicate) => (path?.merged && predicate.path === path ? mergedTest(path.merged) : predicate.test))
  return { table, segments: segmentsOf(scope, request, path), tests, selective: found?.selective ?? false }
}

export interface Scope {
  readonly db: Reader
  readonly table: Table
  readonly org: number
  readonly hidden: 0 | 1
  /** Exclusive bounds of `seq`. */
  readonly after: number
  readonly below: number
  readonly sortableRows: number
}

interface Candidate {
  readonly predicate: Predicate
  readonly path: AccessPath
  readonly rows: number
  readonly selective: boolean
}

/**
 * Finds the predicate with the fewest rows, counted up to a bound. A predicate that reaches the bound is a candidate only if
 * its path is ordered.
 */
async function mostSelective(scope: Scope, predicates: readonly Predicate[]): Promise<Candidate | undefined> {
  let best: Candidate | undefined
  for (const predicate of predicates) {
    const path = await usablePath(scope, predicate)
    if (!path) continue
    const { db, org, after, below, sortableRows } = scope
    const matches = `SELECT 1 FROM ${path.from} WHERE ${path.where} LIMIT ${sortableRows}`
    const row = await db.get<{ rows: number }>(
      `SELECT count(*) AS rows FROM (${matches}) AS found`,
      path.params(org, after, below),
    )
    const rows = row?.rows ?? 0
    if (rows >= sortableRows && !path.ordered) continue
    if (!best || rows < best.rows) best = { predicate, path, rows, selective: rows < sortableRows }
    if (rows === 0) break
  }
  return best
}

/**
 * Returns the path of a predicate, or undefined if it has none, or if a sample of the first rows shows that it is too common
 * for its expensive count.
 */
async function usablePath(scope: Scope, { path, test }: Predicate): Promise<AccessPath | undefined> {
  if (!path) return undefined
  const { db, table, org, hidden, after, below } = scope
  if (path.sample) {
    const { where, params, order } = db.dialect.scan(org, hidden, after, below)
    const rows = `SELECT t.* FROM ${table.name} t${db.dialect.indexedBy(null)} WHERE ${where} ORDER BY ${order} LIMIT ${sampleRows}`
    const hits = await db.get<{ hits: number }>(
      `SELECT count(*) AS hits FROM (${rows}) AS t WHERE ${test.sql}`,
      [...params, ...test.params],
    )
    if ((hits?.hits ?? 0) >= sampleHits) return undefined
  }
  const { pending } = path
  return pending && (await db.get(pending.sql, pending.params(org, after, below))) ? pending.path : path
}

const fragment = (sql: string, ...params: Param[]): Fragment => ({ sql, params })

function segmentsOf(
  scope: Scope,
  { collection, sort }: SortedRequest,
  path: AccessPath | undefined,
): Segment[] {
  const { table, after, below, org } = scope
  const column = sortColumnOf(table, sort.member)
  if (!column && !path) return [creationSegment(scope)]
  const seq = path && !path.ownTable ? 'd.seq' : 't.seq'
  const inCreationOrder = path ? pathSource(scope, path) : scanSource(scope, scanIndexOf(table))
  if (!column) return [{ after, below, seq, source: inCreationOrder, key: undefined, nulls: true }]
  const key = `t.${column.name}`
  if (!path && collection.name === 'employees' && sort.member === 'email') {
    const source = withCondition(addressSource(scope), fragment('a.org = ?', org))
    return [{ after, below, seq, source, key: 'a.address', nulls: false }]
  }
  const byKey = path ? inCreationOrder : scanSource(scope, indexOf(table, column.name))
  const withValue: Segment = {
    after,
    below,
    seq,
    source: withCondition(byKey, fragment(`${key} IS NOT NULL`)),
    key,
    nulls: false,
  }
  if (!column.nullable) return [withValue]
  const withoutValue: Segment = {
    after,
    below,
    seq,
    source: withCondition(column.indexesNulls ? byKey : inCreationOrder, fragment(`${key} IS NULL`)),
    key: undefined,
    nulls: true,
  }
  return [withValue, withoutValue]
}

type SourceOf = Segment['source']

const withCondition =
  (source: SourceOf, condition: Fragment): SourceOf =>
  (after, below) => {
    const { where, ...rest } = source(after, below)
    return { ...rest, where: [...where, condition] }
  }

/** Returns all rows in creation order, from the table itself. */
function creationSegment({ db, table, org, hidden, after, below }: Scope): Segment {
  const from = `${table.name} t${db.dialect.indexedBy(null)}`
  const scan = (first: number, last: number) => db.dialect.scan(org, hidden, first, last)
  return {
    after,
    below,
    seq: scan(after, below).order,
    key: undefined,
    nulls: true,
    source: (first, last) => {
      const { where, params } = scan(first, last)
      return { from, fromParams: [], where: [fragment(where, ...params)] }
    },
  }
}

const scanSource = ({ db, table, org, hidden }: Scope, index: string): SourceOf => {
  // `unlisted` is a key column of the narrow index only.
  const hiddenFlag = index === scanIndexOf(table) ? 't.unlisted' : db.dialect.hiddenFlag
  return (after, below) => ({
    from: `${table.name} t${db.dialect.indexedBy(index)}`,
    fromParams: [],
    where: [
      fragment(`t.org = ? AND ${hiddenFlag} = ? AND t.seq > ? AND t.seq < ?`, org, hidden, after, below),
    ],
  })
}

/**
 * Returns employees in the order of their primary addresses. Each employee has one, and it is unique, so the key of
 * `employee_addresses` serves as the index of the sort.
 */
function addressSource({ db, hidden }: Scope): SourceOf {
  const joined = db.dialect.indexedJoin({
    table: 'employees',
    alias: 't',
    index: 'employees_id',
    where: ['org = a.org', 'id = a.employee_id', 'email = a.address', 'unlisted = ?'],
  })
  const from = `employee_addresses a CROSS JOIN ${joined}`
  return (after, below) => ({
    from,
    fromParams: [hidden],
    where: [fragment('t.seq > ? AND t.seq < ?', after, below)],
  })
}

function pathSource({ db, table, org, hidden }: Scope, path: AccessPath): SourceOf {
  return (after, below) => {
    const params = path.params(org, after, below)
    // An unordered path ignores the bounds, so they are tested.
    const isBounded = path.ordered || path.merged
    const within = (seq: string) => (isBounded ? [] : [fragment(`${seq} > ? AND ${seq} < ?`, after, below)])
    if (path.ownTable) {
      const where = [
        fragment(path.where, ...params),
        fragment(`${db.dialect.hiddenFlag} = ?`, hidden),
        ...within('t.seq'),
      ]
      return { from: path.from, fromParams: [], where }
    }
    // As a subquery, the path has its parameters first.
    const seqs = `(${seqsOf(path)}) AS d`
    const from = db.dialect.joinBySeq(seqs, table.name, 'd.seq')
    return { from, fromParams: [...params, org, hidden], where: [fragment('1 = 1'), ...within('d.seq')] }
  }
}

/** Returns a statement for the sequence numbers of a path, with the additional columns of a merged path. */
const seqsOf = ({ seq, merged, from, where }: AccessPath): string =>
  `SELECT ${[`${seq} AS seq`, ...(merged ? [merged.columns] : [])].join(', ')} FROM ${from} WHERE ${where}`

/** Returns the test of a row `t` that a merged path found as `d`. */
const mergedTest = ({ passes, test }: MergedPath): Fragment =>
  fragment(`(${passes} OR ${test.sql})`, ...test.params)

function mergedSource(scope: Scope, path: AccessPath, merged: MergedPath): MergedSource {
  const { db, table, org, hidden } = scope
  const { passes, test } = merged
  return {
    source: pathSource(scope, path),
    tests: [mergedTest(merged)],
    end: (descending, count, after, below) => {
      const { sql, params } = merged.end(descending, count)
      return { sql, params: params(org, after, below) }
    },
    count: (after, below, maximum) => {
      // Most rows pass by their columns alone. To look up each in its table would cost many times as much.
      const row = db.dialect.joinBySeq('(SELECT d.seq AS seq) AS o', table.name, 'o.seq')
      const hit = `CASE WHEN ${passes} THEN 1 WHEN EXISTS (SELECT 1 FROM ${row} WHERE ${test.sql}) THEN 1 ELSE 0 END`
      return {
        sql: `SELECT count(*) AS examined, sum(${hit}) AS hits FROM (${seqsOf(path)} LIMIT ${maximum}) AS d`,
        params: [org, hidden, ...test.params, ...path.params(org, after, below)],
      }
    },
  }
}
