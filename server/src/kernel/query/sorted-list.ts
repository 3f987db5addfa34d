/**
 * Pages and counts of a console list: any sort, console filters and a search. (`/v1` lists, which are always in creation
 * order, are in `list.ts`.)
 *
 * A page is read in segments ({@link Segment}): rows that have a value of the sort, then rows that have none. Each segment
 * is an index range, so a page without conditions costs the same at any depth. Rows that the conditions reject cost time
 * too, so a page has a budget: when it is spent, a short page is returned, with the cursor of the last row that was
 * read. `sorted-source.ts` decides how rows are found.
 *
 * Example: accounts of one employee, most recently used first. If the employee has few accounts, all are read through
 * `accounts_by_employee_id` and sorted. If not, the list scans the index of the sort and tests each row. On SQLite:
 *
 *     SELECT t.record AS record, t.seq AS seq, t.last_used_timestamp AS value
 *     FROM accounts t INDEXED BY accounts_by_last_used_timestamp
 *     WHERE t.org = ? AND (t.place < 0) = ? AND t.seq > ? AND t.seq < ? AND t.last_used_timestamp IS NOT NULL
 *       AND (t.last_used_timestamp, t.seq) < (?, ?)  -- cursor
 *       AND (t.last_used_timestamp, t.seq) >= (?, ?) -- end of the chunk
 *       AND t.employee_id = ?
 *     ORDER BY t.last_used_timestamp DESC, t.seq DESC LIMIT ?
 *
 * On PostgreSQL the statement has no INDEXED BY, and `(t.unlisted + 0)` and `(t.employee_id || '')` instead of the plain
 * columns, so the index of the sort is the only one that fits.
 */
import type { Db, Param, Reader } from '../store/sql.ts'
import type { Fragment } from './predicates.ts'
import {
  type Cursor,
  type MergedSource,
  planSorted,
  type Segment,
  type SortedPlan,
  type SortedRequest,
} from './sorted-source.ts'

/** A page of a sorted list. */
export interface SortedPage {
  /** Records as they are stored. */
  readonly records: readonly string[]
  /** Cursor of the next page; undefined at the end. A page can be short, or empty, and still have a next one. */
  readonly next: Cursor | undefined
}

/** Limits of the work for one page and for one count. Tests use low ones. */
export interface ScanBudget {
  /** Rows of one statement. */
  readonly chunkRows: number
  /** Minimum number of statements for a page. */
  readonly chunks: number
  /** Further statements are run until this time has passed. Where tests are fast, a rare text needs few short pages. */
  readonly pageMs: number
  /** Rows that a count tests. */
  readonly countRows: number
  /** A path with fewer rows is read whole and sorted. */
  readonly sortableRows: number
}

const defaultBudget: ScanBudget = {
  chunkRows: 4000,
  chunks: 2,
  pageMs: 60,
  countRows: 20_000,
  sortableRows: 8000,
}

interface FoundRow {
  record: string
  seq: number
  value: string | number | null
}

/**
 * Reads a page of a collection in the requested order. If the conditions reject most rows, the page ends when the budget is
 * spent, and the next page continues there. Everything but a list without conditions is read off the main thread.
 */
export async function listSorted(
  db: Db,
  request: SortedRequest & { readonly cursor: Cursor | undefined; readonly limit: number },
  budget: ScanBudget = defaultBudget,
): Promise<SortedPage> {
  const isFast = Object.keys(request.filters).length === 0 && !request.search
  const reader: Reader = isFast ? db : db.slow
  const plan = await planSorted(reader, request, budget.sortableRows)
  const isChunked = plan.tests.length > 0 && !plan.selective
  const { limit } = request
  const rows: FoundRow[] = []
  const page = (next: Cursor | undefined) => ({ records: rows.map(({ record }) => record), next })
  let cursor = request.cursor
  let rowsLeft = budget.chunkRows * budget.chunks
  const untilMs = performance.now() + budget.pageMs
  for (const segment of plan.segments) {
    // A cursor without a value is past all rows that have one.
    if (cursor && cursor.value === null && !segment.nulls) continue
    let from = cursor
    cursor = undefined
    for (const { size, tests, ...chunk } of chunksOf(plan, segment, limit, budget)) {
      if (isChunked && rowsLeft <= 0 && performance.now() >= untilMs) return page(from ?? startOfNulls)
      rowsLeft -= size
      const end = isChunked ? await chunkEnd(reader, chunk, request, from, size) : undefined
      const range = { from, end, limit: limit - rows.length + 1 }
      rows.push(...(await readRows(reader, tests, chunk.segment, request, range)))
      if (rows.length > limit) {
        rows.length = limit
        return page(cursorOf(rows.at(-1)))
      }
      from = end
      if (!from) break
    }
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

/** A chunk of a segment: its size, the source of its rows, and their tests. */
interface Chunk {
  readonly segment: Segment
  readonly tests: readonly Fragment[]
  readonly size: number
  readonly end?: MergedSource['end']
}

/**
 * Generates the chunks of a segment, without end. A segment with a merged source starts with a short plain scan, which is
 * enough if matches are common. Then the merged source supplies as many rows as a page has, and eight times more with each
 * further chunk.
 */
function* chunksOf(
  { tests }: SortedPlan,
  segment: Segment,
  limit: number,
  { chunkRows }: ScanBudget,
): Generator<Chunk> {
  const { merged } = segment
  if (!merged) while (true) yield { segment, tests, size: chunkRows }
  yield { segment, tests, size: Math.min(chunkRows, limit * pagesBeforeMerge) }
  const mergedSegment = { ...segment, source: merged.source, seq: 'd.seq' }
  for (let size = limit + 1; ; size *= 8)
    yield {
      segment: mergedSegment,
      tests: merged.tests,
      end: merged.end,
      size: Math.min(size, chunkRows),
    }
}

/** Pages' worth of rows that are scanned before the merged source is used. */
const pagesBeforeMerge = 10

const cursorOf = (row: FoundRow | undefined): Cursor | undefined => row && { value: row.value, seq: row.seq }

/** Cursor before the first record without a value. */
const startOfNulls: Cursor = { value: null, seq: -1 }

/** Part of a segment: after `from`, up to and including `end`. */
interface Range {
  readonly from?: Cursor | undefined
  readonly end?: Cursor | undefined
}

function selectOf(
  tests: readonly Fragment[],
  segment: Segment,
  { sort: { descending } }: Pick<SortedRequest, 'sort'>,
  columns: string,
  range: Range = {},
): { sql: string; params: Param[] } {
  const { after, below } = segment.key === undefined ? seqBounds(segment, descending, range) : segment
  const { from, fromParams, where } = segment.source(after, below)
  const conditions = [...where, ...keyConditions(segment, descending, range), ...tests]
  const direction = descending ? ' DESC' : ''
  const order = [segment.key, segment.seq]
    .filter((part) => part !== undefined)
    .map((part) => `${part}${direction}`)
  return {
    sql: `SELECT ${columns} FROM ${from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order.join(', ')}`,
    params: [...fromParams, ...conditions.flatMap(({ params }) => [...params])],
  }
}

/** Returns the bounds of `seq` of a range in a segment that is ordered by `seq` alone; {@link startOfNulls} is no bound. */
function seqBounds(
  segment: Segment,
  descending: boolean,
  { from, end }: Range,
): { after: number; below: number } {
  const start = from && from.seq >= 0 ? from.seq : undefined
  if (descending) {
    return {
      after: Math.max(segment.after, end ? end.seq - 1 : segment.after),
      below: Math.min(segment.below, start ?? segment.below),
    }
  }
  return {
    after: Math.max(segment.after, start ?? segment.after),
    below: Math.min(segment.below, end ? end.seq + 1 : segment.below),
  }
}

/** Returns the conditions of a range in a segment with a sort key. Addresses are unique and need no `seq` beside them. */
function keyConditions({ key }: Segment, descending: boolean, { from, end }: Range): Fragment[] {
  if (key === undefined) return []
  const bound = (operator: string, { value, seq }: Cursor): Fragment =>
    key === 'a.address'
      ? { sql: `${key} ${operator} ?`, params: [value] }
      : { sql: `(${key}, t.seq) ${operator} (?, ?)`, params: [value, seq] }
  return [
    ...(from ? [bound(descending ? '<' : '>', from)] : []),
    ...(end ? [bound(descending ? '>=' : '<=', end)] : []),
  ]
}

async function readRows(
  reader: Reader,
  tests: readonly Fragment[],
  segment: Segment,
  request: SortedRequest,
  { limit, ...range }: Range & { limit: number },
): Promise<FoundRow[]> {
  const columns = `t.record AS record, t.seq AS seq, ${segment.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf(tests, segment, request, columns, range)
  return reader.all<FoundRow>(`${sql} LIMIT ?`, [...params, limit])
}

/** Finds the cursor of the last row of the next chunk. Returns undefined for the last chunk of a segment. */
async function chunkEnd(
  reader: Reader,
  { segment, end: endOfMerged }: Pick<Chunk, 'segment' | 'end'>,
  request: Pick<SortedRequest, 'sort'>,
  from: Cursor | undefined,
  rows: number,
): Promise<Cursor | undefined> {
  if (endOfMerged) {
    const { descending } = request.sort
    const { after, below } = seqBounds(segment, descending, { from })
    const { sql, params } = endOfMerged(descending, rows, after, below)
    const end = await reader.get<{ seq: number }>(sql, params)
    return end && { value: null, seq: end.seq }
  }
  const columns = `t.seq AS seq, ${segment.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf([], segment, request, columns, { from })
  return reader.get<Cursor>(`${sql} LIMIT 1 OFFSET ?`, [...params, rows - 1])
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
  budget: ScanBudget = defaultBudget,
): Promise<{ count: number; more: boolean }> {
  const reader = db.slow
  const { order: _order, ...unsorted } = request
  const byCreation = { ...unsorted, sort: { member: 'creationTimestamp', descending: false } }
  const plan = await planSorted(reader, byCreation, budget.sortableRows)
  const [segment] = plan.segments
  if (!segment) return { count: 0, more: false }
  if (segment.merged) {
    const { sql, params } = segment.merged.count(segment.after, segment.below, maximum + 1)
    const { examined = 0, hits } =
      (await reader.get<{ examined: number; hits: number | null }>(sql, params)) ?? {}
    return { count: Math.min(hits ?? 0, maximum), more: examined > maximum }
  }
  const isBounded = plan.tests.length > 0 && !plan.selective
  const end = isBounded
    ? await chunkEnd(reader, { segment }, byCreation, undefined, budget.countRows)
    : undefined
  const { sql, params } = selectOf(plan.tests, segment, byCreation, '1', { end })
  const counted = `SELECT count(*) AS rows FROM (${sql} LIMIT ${maximum + 1}) AS m`
  const found = (await reader.get<{ rows: number }>(counted, params))?.rows ?? 0
  return found > maximum ? { count: maximum, more: true } : { count: found, more: end !== undefined }
}
