/**
 * Pages of a `/v1` list: the records that meet all filters, in creation order. (The console's sorted lists are in
 * `sorted-list.ts`.)
 *
 * Any filters can be combined, on a million records, and a value may match three records or half of them. Planners choose
 * badly here: their statistics are old, are averages over all values, or are missing. So the server measures: it counts, up
 * to a bound, how many rows each filter matches. The filter with the fewest rows supplies the rows through its index (its
 * access path), and the other filters become tests of those rows.
 *
 * Example: `GET /v1/employees?department=Sales&licensed=true`. Both filters are counted:
 *
 *     SELECT count(*) AS rows, max(seq) AS highest, NULL AS seqs FROM (
 *       SELECT t.seq AS seq FROM employees t INDEXED BY employees_by_department
 *       WHERE t.org = ? AND t.department = ? AND t.seq > ? AND t.seq < ? ORDER BY t.seq LIMIT 1000) AS found
 *
 * `department` matches fewer rows. On SQLite it is read from the index alone. `licensed` is tested by its own index, and only
 * rows that pass are fetched:
 *
 *     SELECT t.record AS record, t.seq AS seq
 *     FROM employees d INDEXED BY employees_by_department CROSS JOIN employees t ON t.place = (? << 53) | (? << 63) | d.seq
 *     WHERE d.org = ? AND d.department = ? AND d.seq > ? AND d.seq < ?
 *       AND EXISTS (SELECT 1 FROM employees x INDEXED BY employees_by_licensed
 *                   WHERE x.org = ? AND x.licensed = ? AND x.seq = d.seq)
 *     ORDER BY d.seq LIMIT ?
 *
 * PostgreSQL has no syntax to name an index. Instead, the tests are written as expressions that no index fits (`+ 0`), so
 * the index of the chosen filter is the only candidate:
 *
 *     SELECT t.record AS record, t.seq AS seq FROM employees t
 *     WHERE t.org = $1 AND t.department = $2 AND t.seq > $3 AND t.seq < $4
 *       AND (t.unlisted + 0) = $5 AND (t.licensed + 0) = $6
 *     ORDER BY t.seq LIMIT $7
 *
 * `choose-path.ts` measures and chooses, `scan.ts` builds the statements. Strategies, each with the case that needs it:
 * - No usable path: scan the table in creation order (`scan.ts`).
 * - One cheap filter: use its path without counting (`choosePath`).
 * - A filter that is expensive to count (time window, substring): sample first (`isCommonPredicate`).
 * - A long substring: look up its rarest pieces (`usablePath`).
 * - A path without order: sort its sequence numbers, not its records (`sortedSeqs`).
 * - A scan whose tests reject most rows: read in chunks and re-plan ({@link readInChunks}).
 * - An offset: skip rows in an index, large offsets off the main thread ({@link listRecords}, `seqAtOffset`).
 *
 * ADR 0009, 0014 and 0027 have the measurements.
 */
import type { Collection } from '@muster/contract/api/collection'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Db, RecordPage } from '../store/sql.ts'
import { hiddenRecordsFilterOf, tableOf } from '../store/tables.ts'
import { choosePath } from './choose-path.ts'
import { equals, type FilterValues, predicatesOf } from './predicates.ts'
import { chunkEnd, hasRows, type Scan, type ScanThresholds, selectRows, seqAtOffset } from './scan.ts'

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

const defaultThresholds: ScanThresholds = {
  selective: 1000,
  sortable: 8000,
  sampleRows: 2000,
  sampleHits: 20,
  mainThreadOffset: 2000,
}

/**
 * Reads a page of a collection: the records that meet all filters, in creation order, as bytes. The cost of a page does not
 * depend on the depth of `after`. The cost of `offset` grows slowly and is paid off the main thread.
 *
 * @param thresholds for tests, to reach every strategy with few rows
 */
export async function listRecords(
  db: Db,
  request: ListRequest,
  thresholds: ScanThresholds = defaultThresholds,
): Promise<RecordPage> {
  const scan = await planScan(db, request, thresholds)
  if (request.offset > 0) {
    // With tests, many rows may have to be read for each one that is skipped.
    const isFast =
      request.offset <= thresholds.mainThreadOffset && (scan.tests.length === 0 || scan.selective)
    const start = await seqAtOffset(isFast ? db : db.slow, scan, request.offset)
    if (start === undefined) return { bytes: new Uint8Array(0), count: 0, lastSeq: 0, more: false }
    scan.after = start - 1
  }
  return readInChunks(db, scan, request)
}

async function planScan(
  db: Db,
  request: ListRequest,
  thresholds: ScanThresholds,
  replanned = false,
): Promise<Scan> {
  const { collection, org, filters, parent } = request
  const table = tableOf(collection)
  const predicates = predicatesOf(collection, filters, db.dialect)
  if (parent) predicates.push(equals(table, parent.column, parent.value, db.dialect))
  const from = filters.creationTimestampAfter as number | undefined
  const before = filters.creationTimestampBefore as number | undefined
  const scan: Scan = {
    table,
    org,
    hidden: hiddenRecordsFilterOf(collection) in filters ? 1 : 0,
    path: undefined,
    selective: false,
    tests: [],
    after: Math.max(request.after, from === undefined ? 0 : firstSequenceOf(from) - 1),
    below: before === undefined ? sequenceEnd : firstSequenceOf(before),
    thresholds,
    replanned,
  }
  const { path, selective = false } = (await choosePath(db, scan, predicates)) ?? {}
  // A path that is derived from a predicate's path (its pieces, its pending rows) is another object: the test stays.
  const tests = predicates.filter(
    (predicate) => predicate.path === undefined || predicate.path !== path || predicate.path.recheck,
  )
  return { ...scan, path, selective, tests }
}

/** The first re-plan happens after this many pages' worth of rows. */
const pagesBeforeReplan = 8

/**
 * Reads a page in chunks of rows, since the tests may reject many rows for each that passes. On SQLite, other requests run
 * between two chunks. A value may be common at the beginning of a list and rare after it, as old timestamps are. So the rest of the
 * list is planned again after eight pages' worth of rows, and then each time after four times as many.
 */
async function readInChunks(db: Db, firstScan: Scan, request: ListRequest): Promise<RecordPage> {
  const { limit } = request
  const parts: RecordPage[] = []
  let count = 0
  let lastSeq = 0
  let scan = firstScan
  let replanBudget = limit * pagesBeforeReplan
  let rowsLeft = replanBudget
  while (true) {
    const rows = Math.min(rowsLeft, db.dialect.chunkRows)
    const isBounded = scan.tests.length > 0 && !scan.selective
    const end = isBounded ? await chunkEnd(db, scan, rows) : undefined
    const chunk = { ...scan, below: end === undefined ? scan.below : end + 1 }
    let more = false
    if (count < limit) {
      const { sql, params } = selectRows(db, chunk, 't.record AS record, t.seq AS seq')
      const page = await db.page(sql, params, limit - count)
      if (page.count > 0) {
        parts.push(page)
        count += page.count
        lastSeq = page.lastSeq
      }
      more = page.more
    } else more = await hasRows(db, chunk)
    if (more || end === undefined) return { ...joinPages(parts), count, lastSeq, more }
    await new Promise<void>((resolve) => setImmediate(resolve))
    rowsLeft -= rows
    if (rowsLeft > 0) scan = { ...scan, after: end }
    else {
      scan = await planScan(db, { ...request, after: end }, scan.thresholds, true)
      replanBudget *= 4
      rowsLeft = replanBudget
    }
  }
}

function joinPages(pages: readonly RecordPage[]): Pick<RecordPage, 'bytes' | 'release'> {
  const [only] = pages
  if (only && pages.length === 1) return only
  const comma = Buffer.from(',')
  const bytes = Buffer.concat(pages.flatMap((page, at) => (at === 0 ? [page.bytes] : [comma, page.bytes])))
  for (const page of pages) page.release?.()
  return { bytes }
}
