/**
 * The list planner, and pages of `/v1` lists: the records that meet all filters, in creation order. `sorted-list.ts` has the
 * console's pages and counts, which use the same planner and reader with any sort, console filters and a search.
 *
 * Any filters can be combined, on a million records, and a value may match three records or half of them. The planners of the
 * stores choose badly here: their statistics are old, are averages over all values, or are missing. So the server measures:
 * it counts, up to a bound, how many rows each filter matches. The filter with the fewest rows supplies the rows through its
 * index (its access path), and the other filters become tests of those rows.
 *
 * Example: `GET /v1/employees?department=Sales&licensed=true`. Both filters are counted:
 *
 *     SELECT count(*) AS rows, max(seq) - min(seq) AS span FROM (
 *       SELECT t.seq AS seq FROM employees t INDEXED BY employees_by_department
 *       WHERE t.org = ? AND t.department = ? AND t.seq > ? AND t.seq < ? ORDER BY t.seq LIMIT 1000) AS found
 *
 * `department` matches fewer rows. If they are too many to test all, the index finds the end of the first chunk:
 *
 *     SELECT t.seq AS seq, NULL AS value FROM employees t INDEXED BY employees_by_department
 *     WHERE t.org = ? AND t.department = ? AND t.seq > ? AND t.seq < ? AND (t.place < 0) = ?
 *     ORDER BY t.seq LIMIT 1 OFFSET ?
 *
 * Then the rows of the chunk are read and tested:
 *
 *     SELECT t.record AS record, t.seq AS seq FROM employees t INDEXED BY employees_by_department
 *     WHERE t.org = ? AND t.department = ? AND t.seq > ? AND t.seq < ? AND (t.place < 0) = ? AND t.licensed = ?
 *     ORDER BY t.seq LIMIT ?
 *
 * PostgreSQL has no syntax to name an index. There the tests are expressions that no index fits, `(t.unlisted + 0) = ?` and
 * `(t.licensed + 0) = ?`, so the index of the chosen filter is the only candidate.
 *
 * The console's list of these employees by name uses the path only if it has so few rows that they can be sorted. Otherwise it
 * reads the index of the sort, and tests each row. A cursor is then the name and `seq` of the last row:
 *
 *     SELECT t.record AS record, t.seq AS seq, t.sort_name AS value FROM employees t INDEXED BY employees_by_sort_name
 *     WHERE t.org = ? AND (t.place < 0) = ? AND t.seq > ? AND t.seq < ? AND t.sort_name IS NOT NULL
 *       AND (t.sort_name, t.seq) > (?, ?) AND (t.sort_name, t.seq) <= (?, ?) AND t.department = ? AND t.licensed = ?
 *     ORDER BY t.sort_name, t.seq LIMIT ?
 *
 * `/v1` and the console differ in three ways. `/v1` fills each page, while a console page ends when its budget is spent: people
 * want to see something. `/v1` pages are bytes, which are not parsed; the console needs the values for its cursor. And `/v1`
 * has offsets.
 *
 * Strategies, each with the case of benchmark line 5 that needs it (ADR 0048 has the measurements):
 * - Count to choose a path (`choosePath`): any rare value with a common one.
 * - Sort the few rows of a path without order (`seqsOf`): a time window, `accounts?lastUsedTimestampBefore`, rare.
 * - Sample a text first, and look up its rarest pieces (`pathOfText`): `accounts?email`, rare, alone and with any filter.
 * - Read in chunks and plan again after each (`readChunks`): `detections?classification`, common, with
 *   `lastActivityTimestampBefore`, rare.
 * - Of two common filters take the one whose rows span more (`choosePath`): `browserExtensions?permissions`, common, with
 *   `enabled`, rare.
 * - Use the only filter without a count (`choosePath`): every single filter; the median is a third lower.
 * - Skip an offset in the narrow index, off the main thread ({@link listRecords}): line 4.
 */
import type { Collection } from '@muster/contract/api/collection'
import type { Db, RecordPage } from '../store/sql.ts'
import { tableOf } from '../store/tables.ts'
import { readChunks } from './chunks.ts'
import { defaultLimits, planScan, type ScanLimits } from './plan.ts'
import { equals, type FilterValues, predicatesOf } from './predicates.ts'
import { partsOf, selectRows } from './scan.ts'

export interface ListRequest {
  collection: Collection
  org: number
  filters: FilterValues
  /** Internal column and value that restrict the list to the records under a parent record. */
  parent?: { column: string; value: string }
  /** Sequence number of the last record of the previous page; 0 for the first page. */
  after: number
  /** Number of records to skip. */
  offset: number
  limit: number
}

/** Limits of a `/v1` page. Tests use low ones. */
export interface ListLimits extends ScanLimits {
  /** Larger offsets are skipped off the main thread. */
  readonly mainThreadOffset: number
}

const defaultListLimits: ListLimits = { ...defaultLimits, mainThreadOffset: 2000 }

/**
 * Reads a page of a collection: the records that meet all filters, in creation order, as bytes. The cost of a page does not
 * depend on the depth of `after`. The cost of `offset` grows slowly and is paid off the main thread.
 */
export async function listRecords(
  db: Db,
  request: ListRequest,
  limits: ListLimits = defaultListLimits,
): Promise<RecordPage> {
  const { collection, filters, parent, limit, offset } = request
  const predicates = predicatesOf(collection, filters, db.dialect)
  if (parent) predicates.push(equals(tableOf(collection), parent.column, parent.value, db.dialect))
  const sorted = { ...request, sort: { member: 'creationTimestamp', descending: false } }
  let cursor = { value: null, seq: request.after }
  if (offset > 0) {
    const scan = await planScan(db, sorted, predicates, cursor, limits)
    // With tests, many rows may have to be read for each one that is skipped.
    const isFast = offset <= limits.mainThreadOffset && (scan.tests.length === 0 || scan.selective)
    const [part] = partsOf(scan)
    const { sql, params } = selectRows(db, scan, part, 't.seq AS seq', { narrow: true })
    const reader = isFast ? db : db.slow
    const start = await reader.get<{ seq: number }>(`${sql} LIMIT 1 OFFSET ?`, [...params, offset])
    if (!start) return { bytes: new Uint8Array(0), count: 0, lastSeq: 0, more: false }
    cursor = { value: null, seq: start.seq - 1 }
  }
  const pages: RecordPage[] = []
  let count = 0
  let lastSeq = 0
  let more = false
  for await (const { reader, sql, params } of readChunks(db, sorted, predicates, limits, {
    reader: db,
    cursor,
    limit,
  })) {
    const page = await reader.page(sql, params, limit - count)
    if (page.count > 0) {
      pages.push(page)
      count += page.count
      lastSeq = page.lastSeq
    }
    more = page.more
    if (more) break
  }
  return { ...joinPages(pages), count, lastSeq, more }
}

function joinPages(pages: readonly RecordPage[]): Pick<RecordPage, 'bytes' | 'release'> {
  const [only] = pages
  if (only && pages.length === 1) return only
  const comma = Buffer.from(',')
  const bytes = Buffer.concat(pages.flatMap((page, at) => (at === 0 ? [page.bytes] : [comma, page.bytes])))
  for (const page of pages) page.release?.()
  return { bytes }
}
