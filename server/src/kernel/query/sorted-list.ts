/** Pages and counts of a console list: any sort, console filters and a search. `list.ts` describes the planner. */
import type { Db, Reader } from '../store/sql.ts'
import { readChunks } from './chunks.ts'
import { defaultLimits, planScan, type ScanLimits, type ScanRequest, scanOf } from './plan.ts'
import type { AccessPath, Predicate } from './predicates.ts'
import { type Cursor, cursorAt, partsOf, type Scan, selectRows } from './scan.ts'
import { requestPredicates, type Search } from './search.ts'

/** A request for a sorted list, without its page. */
export interface SortedRequest extends ScanRequest {
  /** Further conditions, of filters that a module resolves itself. */
  readonly also?: readonly Predicate[]
  readonly search?: Search | undefined
}

/** A page of a sorted list. */
export interface SortedPage {
  /** Records as they are stored. */
  readonly records: readonly string[]
  /** Cursor of the next page; undefined at the end. A page can be short, or empty, and still have a next one. */
  readonly next: Cursor | undefined
}

/** Limits of the work for one page and for one count. Tests use low ones. */
export interface ScanBudget extends ScanLimits {
  /** Minimum number of rows that a page tests. */
  readonly pageRows: number
  /** Further rows are tested until this time has passed. Where tests are fast, a rare text needs few short pages. */
  readonly pageMs: number
  /** Rows that a count tests. */
  readonly countRows: number
}

const defaultBudget: ScanBudget = { ...defaultLimits, pageRows: 8000, pageMs: 60, countRows: 20_000 }

interface FoundRow extends Partial<Cursor> {
  readonly record: string
  readonly seq: number
}

/**
 * Reads a page of a collection in the requested order. If the conditions reject most rows, the page ends when the budget is
 * spent, and the next page continues there. Everything but a list without conditions and computed order is
 * read off the main thread.
 */
export async function listSorted(
  db: Db,
  request: SortedRequest & { readonly cursor: Cursor | undefined; readonly limit: number },
  budget: ScanBudget = defaultBudget,
): Promise<SortedPage> {
  const { cursor, limit, filters, also = [], search, order } = request
  const isFast = Object.keys(filters).length === 0 && also.length === 0 && !search && !order
  const reader: Reader = isFast ? db : db.slow
  const predicates = await requestPredicates(request, reader)
  const found: FoundRow[] = []
  const page = (next: Cursor | undefined) => ({ records: found.map(({ record }) => record), next })
  const untilMs = performance.now() + budget.pageMs
  let rowsLeft = budget.pageRows
  for await (const chunk of readChunks(db, request, predicates, budget, { reader, cursor, limit })) {
    const { sql, params, rows, end } = chunk
    found.push(...(await chunk.reader.all<FoundRow>(`${sql} LIMIT ?`, [...params, limit - found.length + 1])))
    if (found.length > limit) {
      found.length = limit
      const last = found.at(-1)
      return page(last && { value: last.value ?? null, seq: last.seq })
    }
    rowsLeft -= rows
    if (end && rowsLeft <= 0 && performance.now() >= untilMs) return page(end)
  }
  return page(undefined)
}

/**
 * Reads all records of a list for an export, in parts. The order is always the creation order, in the direction of the
 * sort: other sort values can change between two parts, and a record would then be missed or exported twice.
 */
export async function* scanInCreationOrder(
  db: Db,
  { sort, order: _order, ...request }: SortedRequest,
  partSize: number,
): AsyncGenerator<readonly string[]> {
  const byCreation = { ...sort, member: 'creationTimestamp' }
  let cursor: Cursor | undefined
  do {
    const { records, next } = await listSorted(db, { ...request, sort: byCreation, cursor, limit: partSize })
    yield records
    cursor = next
  } while (cursor)
}

/**
 * Counts the records that meet the conditions, up to `maximum`, among as many rows as the budget allows.
 *
 * @returns `more` is true if there are, or may be, more than `count`
 */
export async function countSorted(
  db: Db,
  request: Omit<SortedRequest, 'sort'>,
  maximum: number,
  changedBudget: Partial<ScanBudget> = {},
): Promise<{ count: number; more: boolean }> {
  const budget = { ...defaultBudget, ...changedBudget }
  const reader = db.slow
  const { order: _order, ...unsorted } = request
  const byCreation = { ...unsorted, sort: { member: 'creationTimestamp', descending: false } }
  const predicates = await requestPredicates(byCreation, reader)
  const [only] = predicates
  if (only?.path?.countsAlone && predicates.length === 1)
    return countPath(reader, scanOf(byCreation, undefined, budget), only.path, maximum)
  const scan = await planScan(reader, byCreation, predicates, undefined, budget)
  const [part] = partsOf(scan)
  const isBounded = scan.tests.length > 0 && !scan.selective
  const end = isBounded ? await cursorAt(reader, scan, part, undefined, budget.countRows) : undefined
  const { sql, params } = selectRows(reader, scan, part, '1', { end })
  const counted = `SELECT count(*) AS rows FROM (${sql} LIMIT ${maximum + 1}) AS m`
  const found = (await reader.get<{ rows: number }>(counted, params))?.rows ?? 0
  return found > maximum ? { count: maximum, more: true } : { count: found, more: end !== undefined }
}

/** Counts the matches among at most `maximum` rows of a path. */
async function countPath(
  reader: Reader,
  scan: Scan,
  path: AccessPath,
  maximum: number,
): Promise<{ count: number; more: boolean }> {
  const [part] = partsOf(scan)
  const { sql: test = '1 = 1', params: testParams = [] } = path.recheck ?? {}
  const column = `CASE WHEN ${test} THEN 1 ELSE 0 END AS hit`
  const { sql, params } = selectRows(reader, { ...scan, path, sortedRows: maximum + 1 }, part, column, {
    tests: [],
  })
  const counted = `SELECT count(*) AS examined, sum(hit) AS hits FROM (${sql}) AS m`
  const row = await reader.get<{ examined: number; hits: number | null }>(counted, [...testParams, ...params])
  const { examined = 0, hits } = row ?? {}
  return { count: Math.min(hits ?? 0, maximum), more: examined > maximum }
}
