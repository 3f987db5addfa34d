/** Exact counts of console lists: from counts by facets if the filters allow it, otherwise row by row. */
import type { Db, Reader } from '../store/sql.ts'
import { hiddenRecordsFilterOf } from '../store/tables.ts'
import { countByFacets } from './facet-filters.ts'
import { defaultLimits, planScan, type ScanLimits, type ScanRequest, scanOf } from './plan.ts'
import type { AccessPath, Fragment, Predicate } from './predicates.ts'
import { type Cursor, cursorAt, partsOf, type Scan, selectRows } from './scan.ts'
import { requestPredicates } from './search.ts'
import type { SortedRequest } from './sorted-list.ts'

/** Limits of a count. */
export interface CountLimits {
  /** Ends the count after this time. Without it, all rows are counted. */
  readonly maximumMs?: number
  /** Ends the count when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** Limits of the planner. Tests use low ones. */
  readonly scan?: ScanLimits
  /** Rows per statement: few enough for other reads to run in between. */
  readonly rows?: number
}

export interface ListCount {
  readonly count: number
  /** True if the count ended early: there are at least that many. */
  readonly more: boolean
}

/**
 * Counts the records of a list. Filters on facets, and lists without filters, cost a few hundred numbers. Any other count
 * reads rows or an index, in parts.
 */
export async function countList(
  db: Db,
  request: Omit<SortedRequest, 'sort'>,
  limits: CountLimits = {},
): Promise<ListCount> {
  const { maximumMs = Number.POSITIVE_INFINITY, signal, scan = defaultLimits, rows = 20_000 } = limits
  const { collection, org, filters, also = [], search } = request
  if (also.length === 0 && !search) {
    const count = await countByFacets(db, collection, org, filters)
    if (count !== undefined) return { count, more: false }
  }
  const reader = db.slow
  const byCreation = {
    ...request,
    order: undefined,
    sort: { member: 'creationTimestamp', descending: false },
  }
  const predicates = await requestPredicates(byCreation, reader)
  const untilMs = performance.now() + maximumMs
  let count = 0
  for await (const part of countParts(reader, byCreation, predicates, scan, rows)) {
    count += part.count
    if (part.isLast) break
    if (performance.now() >= untilMs || signal?.aborted) return { count, more: true }
  }
  return { count, more: false }
}

interface PartCount {
  readonly count: number
  readonly isLast: boolean
}

/** Counts a list in parts. A list is planned again after each, as for pages. */
async function* countParts(
  reader: Reader,
  request: ScanRequest,
  predicates: readonly Predicate[],
  limits: ScanLimits,
  rows: number,
): AsyncGenerator<PartCount> {
  const [only] = predicates
  if (only?.path && predicates.length === 1) {
    const whole = scanOf(request, undefined, limits)
    const { countsAlone } = only.path
    if (countsAlone) return yield* countLookups(reader, whole, only.path, countsAlone, rows)
    const count = await countPath(reader, request, whole, only.path, only.test)
    if (count !== undefined) return yield { count, isLast: true }
  }
  let from: Cursor | undefined
  do {
    const scan = await planScan(reader, request, predicates, from, limits)
    const [part] = partsOf(scan)
    const end = scan.selective ? undefined : await cursorAt(reader, scan, part, from, rows)
    const narrow = scan.tests.length === 0
    const found = selectRows(reader, scan, part, '1 AS found', { from, end, narrow })
    yield { count: await countRows(reader, found), isLast: end === undefined }
    from = end
  } while (from)
}

async function countRows(reader: Reader, { sql, params }: Fragment): Promise<number> {
  const row = await reader.get<{ rows: number }>(`SELECT count(*) AS rows FROM (${sql}) AS m`, params)
  return row?.rows ?? 0
}

/**
 * Counts the only condition from its index alone, without the rows that lists leave out; undefined if rows have to be checked.
 */
async function countPath(
  reader: Reader,
  { collection, filters }: ScanRequest,
  whole: Scan,
  path: AccessPath,
  test: Fragment,
): Promise<number | undefined> {
  const hasWindow = ['creationTimestampAfter', 'creationTimestampBefore'].some((name) => name in filters)
  if (path.recheck || whole.hidden === 1 || (hasWindow && !path.ordered)) return undefined
  const all = await countRows(reader, rowsOfPath(whole, path))
  if (hiddenRecordsFilterOf(collection) === '') return all
  const hidden: Scan = { ...whole, hidden: 1, tests: [test] }
  const [part] = partsOf(hidden)
  return all - (await countRows(reader, selectRows(reader, hidden, part, '1 AS found')))
}

const rowsOfPath = ({ org, after, below }: Scan, { alias, from, where, params }: AccessPath): Fragment => ({
  sql: `SELECT ${alias}.seq FROM ${from} WHERE ${where}`,
  params: params(org, after, below),
})

/**
 * Counts a path of lookups: the rows that need no recheck from its index alone, the others in parts. Its rows are not sorted,
 * so a part is a range of the list.
 */
async function* countLookups(
  reader: Reader,
  whole: Scan,
  path: AccessPath,
  { sure, unsure }: NonNullable<AccessPath['countsAlone']>,
  rows: number,
): AsyncGenerator<PartCount> {
  const narrowed = (condition: string): AccessPath => ({ ...path, where: `${path.where} AND ${condition}` })
  yield { count: await countRows(reader, rowsOfPath(whole, narrowed(sure))), isLast: false }
  const tests = path.recheck ? [path.recheck] : []
  const [part] = partsOf(whole)
  let from: Cursor | undefined
  do {
    const end = await cursorAt(reader, whole, part, from, rows)
    const scan: Scan = {
      ...whole,
      path: narrowed(unsure),
      sortedRows: Number.MAX_SAFE_INTEGER,
      after: from?.seq ?? whole.after,
      below: end ? end.seq + 1 : whole.below,
    }
    const found = selectRows(reader, scan, part, '1 AS found', { tests })
    yield { count: await countRows(reader, found), isLast: end === undefined }
    from = end
  } while (from)
}
