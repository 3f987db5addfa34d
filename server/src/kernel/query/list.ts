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
 * PostgreSQL cannot be told which index to use. Instead, the tests are written as expressions that no index fits (`+ 0`), so
 * the index of the chosen filter is the only candidate:
 *
 *     SELECT t.record AS record, t.seq AS seq FROM employees t
 *     WHERE t.org = $1 AND t.department = $2 AND t.seq > $3 AND t.seq < $4
 *       AND (t.unlisted + 0) = $5 AND (t.licensed + 0) = $6
 *     ORDER BY t.seq LIMIT $7
 *
 * Strategies, each with the case that needs it:
 * - No usable path: scan the table in creation order ({@link sourceOf}).
 * - One cheap filter: use its path without counting ({@link choosePath}).
 * - A filter that is expensive to count (time window, substring): sample first ({@link isCommonPredicate}).
 * - A long substring: look up its rarest pieces ({@link usablePath}).
 * - A path without order: sort its sequence numbers, not its records ({@link sortedSeqs}).
 * - A scan whose tests reject most rows: read in chunks and re-plan ({@link readInChunks}).
 * - An offset: skip rows in an index, large offsets off the main thread ({@link listRecords}, {@link seqAtOffset}).
 *
 * ADR 0009, 0014 and 0027 have the measurements.
 */
import type { Collection } from '@muster/contract/collection'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Db, Param, Reader, RecordPage } from '../store/sql.ts'
import { hiddenRecordsFilterOf, scanIndexOf, type Table, tableOf } from '../store/tables.ts'
import {
  type AccessPath,
  equals,
  type FilterValues,
  type Fragment,
  type Predicate,
  predicatesOf,
} from './predicates.ts'

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

/** A plan for reading rows between two exclusive bounds of `seq`. */
interface Scan {
  table: Table
  org: number
  /** 1 to read the hidden records, else 0. */
  hidden: 0 | 1
  path: AccessPath | undefined
  /** True if the path returns so few rows that all of them can be tested, or sorted. */
  selective: boolean
  tests: readonly Predicate[]
  after: number
  below: number
  thresholds: ScanThresholds
  /** True for a second or later plan for the same page. A capped count now means "many", not "few". */
  replanned: boolean
}

/** Row counts at which the planner switches from one strategy to another. */
export interface ScanThresholds {
  /** A path with fewer rows is used at once; further filters are not counted. */
  selective: number
  /** An unordered path with fewer rows is sorted. With more rows, the table is scanned in order instead. */
  sortable: number
  /** Rows in a sample. */
  sampleRows: number
  /** Number of hits in a sample from which a predicate counts as common. */
  sampleHits: number
  /** Larger offsets are skipped off the main thread. */
  mainThreadOffset: number
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

/**
 * Chooses the access path with the fewest rows. The rows are counted, up to a bound, because an estimate is wrong for
 * exactly those values that matter. A single filter with a cheap ordered index needs no count: there is no alternative.
 * Predicates that need a sample come last, and none is counted after one with few rows is found.
 */
async function choosePath(
  db: Db,
  scan: Scan,
  predicates: readonly Predicate[],
): Promise<{ path: AccessPath; selective: boolean } | undefined> {
  const { selective, sortable } = scan.thresholds
  const [only] = predicates
  if (only?.path?.ordered && !only.path.sample && predicates.length === 1)
    return { path: only.path, selective: false }
  let best: CountedPath | undefined
  for (const predicate of predicates.toSorted((one, other) => countingCost(one) - countingCost(other))) {
    const found = await usablePath(db, scan, predicate)
    if (!found) continue
    if (!best || found.rows < best.rows || (found.rows === best.rows && found.highestSeq > best.highestSeq))
      best = found
    if (best.rows < selective) break
  }
  return best && { path: best.path, selective: best.rows < (best.path.ordered ? selective : sortable) }
}

const countingCost = ({ path }: Predicate): number => (path?.sample ? 1 : 0)

interface CountedPath {
  path: AccessPath
  rows: number
  /**
   * Highest sequence number among the counted rows. If two counts reach the cap, the index that got further is the more
   * selective one.
   */
  highestSeq: number
}

/**
 * Returns the path of a predicate and its row count, or undefined if the predicate has no path or is too common to supply
 * the rows. For a long substring it tries the rarest pieces first. They may be more common together than the whole text, so
 * the whole text is the fallback.
 */
async function usablePath(db: Db, scan: Scan, { test, path }: Predicate): Promise<CountedPath | undefined> {
  if (!path) return undefined
  const pieces = path.pieces?.tests ?? []
  let pieceHits: readonly number[] = []
  if (path.sample) {
    const sample = await isCommonPredicate(db, scan, path.sample, test, pieces)
    if (sample.isCommon) return undefined
    pieceHits = sample.pieceHits
  }
  const rarest = pieceHits.length > 0 ? path.pieces?.path(rarestFirst(pieceHits)) : undefined
  return (
    (rarest && (await countRows(db, scan, await withPendingRows(db, scan, rarest)))) ??
    countRows(db, scan, await withPendingRows(db, scan, path))
  )
}

/** Returns the path, or the one that also finds rows that its index does not have yet. */
async function withPendingRows(db: Db, { org, after, below }: Scan, path: AccessPath): Promise<AccessPath> {
  const { pending } = path
  return pending && (await db.get(pending.sql, pending.params(org, after, below))) ? pending.path : path
}

/** Maximum number of rows of an unordered path that a count keeps, so they need not be found again. */
const keptSeqs = 500

/** Counts the rows of a path up to a bound. Returns undefined for an unordered path with too many rows to sort. */
async function countRows(db: Db, scan: Scan, path: AccessPath): Promise<CountedPath | undefined> {
  const bound = path.ordered ? scan.thresholds.selective : scan.thresholds.sortable
  const ordered = path.ordered ? ` ORDER BY ${path.order}` : ''
  const found = `SELECT ${path.seq} AS seq FROM ${path.from} WHERE ${path.where}${ordered} LIMIT ${bound}`
  const { arrayOf, fromArray } = db.dialect
  const kept = path.ordered ? 'NULL' : `CASE WHEN count(*) <= ${keptSeqs} THEN ${arrayOf('seq')} END`
  const sql = `SELECT count(*) AS rows, max(seq) AS highest, ${kept} AS seqs FROM (${found}) AS found`
  const params = path.params(scan.org, scan.after, scan.below)
  const row = await db.get<{ rows: number; highest: number | null; seqs: string | null }>(sql, params)
  const { rows = 0, highest, seqs } = row ?? {}
  const highestSeq = highest ?? 0
  if (!path.ordered && rows >= bound) return undefined
  if (seqs) return { path: { ...path, ...fromArray, params: () => [seqs] }, rows, highestSeq }
  return { path, rows: scan.replanned && rows >= bound ? Number.POSITIVE_INFINITY : rows, highestSeq }
}

/** Returns the positions of the pieces, rarest first. */
const rarestFirst = (hits: readonly number[]): number[] =>
  hits.map((_, at) => at).sort((one, other) => (hits[one] ?? 0) - (hits[other] ?? 0))

type Sample = NonNullable<AccessPath['sample']>

/**
 * Samples the next rows of the scan to decide whether a predicate is common. To count a common time window or substring
 * costs far more than to scan past it. A predicate also counts as common if fewer rows than a sample are left, since all of
 * them can be tested. A tenth of the sample usually decides; the whole sample is read only if it had some hits, but not
 * enough.
 */
async function isCommonPredicate(
  db: Db,
  scan: Scan,
  sample: Sample,
  test: Fragment,
  pieces: readonly Fragment[],
): Promise<{ isCommon: boolean; pieceHits: readonly number[] }> {
  const { sampleRows, sampleHits } = scan.thresholds
  const first = await sampleSelectivity(db, scan, sample, [test, ...pieces], Math.ceil(sampleRows / 10))
  const [hits = 0, ...pieceHits] = first.hits
  if (!first.isFull || hits >= sampleHits) return { isCommon: true, pieceHits }
  if (hits === 0) return { isCommon: false, pieceHits }
  const whole = await sampleSelectivity(db, scan, sample, [test], sampleRows)
  return { isCommon: !whole.isFull || (whole.hits[0] ?? 0) >= sampleHits, pieceHits }
}

/** Counts how many of the next `size` rows meet each test. `isFull` is false if there are fewer rows. */
async function sampleSelectivity(
  db: Db,
  scan: Scan,
  { columns, narrowIndex }: Sample,
  tests: readonly Fragment[],
  size: number,
): Promise<{ isFull: boolean; hits: number[] }> {
  const { sql, params } = select(db, scan, columns, narrowIndex)
  const sums = tests.map((test, at) => `sum(CASE WHEN ${test.sql} THEN 1 ELSE 0 END) AS n${at}`).join(', ')
  const row = await db.get<Record<string, number | null>>(
    `SELECT count(*) AS rows, ${sums} FROM (${sql} LIMIT ${size}) AS t`,
    [...tests.flatMap((test) => test.params), ...params],
  )
  return { isFull: (row?.rows ?? 0) >= size, hits: tests.map((_, at) => row?.[`n${at}`] ?? 0) }
}

interface Source {
  from: string
  where: string
  params: readonly Param[]
  seq: string
  order: string
}

/**
 * Returns the rows of a scan, without its tests. Without a path these are all rows in creation order, from the table itself
 * or, if the records are not needed (an offset, a sample), from the narrow index.
 */
function sourceOf(reader: Reader, scan: Scan, narrowIndex: boolean): Source {
  const { table, org, hidden, path, after, below } = scan
  if (!path) {
    const from = `${table.name} t${reader.dialect.indexedBy(narrowIndex ? scanIndexOf(table) : null)}`
    if (!narrowIndex) return { from, seq: 't.seq', ...reader.dialect.walk(org, hidden, after, below) }
    return {
      from,
      where: 't.org = ? AND t.unlisted = ? AND t.seq > ? AND t.seq < ?',
      params: [org, hidden, after, below],
      seq: 't.seq',
      order: 't.seq',
    }
  }
  const params = path.params(org, after, below)
  const indexOnly = usesIndexTests(reader, scan) ? path.indexOnly : undefined
  const { from, where, seq, order } = indexOnly ?? path
  if (path.ownTable && !indexOnly)
    return {
      from,
      where: `${where} AND ${reader.dialect.isHidden} = ?`,
      params: [...params, hidden],
      seq,
      order,
    }
  const found = path.ordered
    ? { from, where, seq, order }
    : { from: sortedSeqs(path, scan.thresholds.sortable), where: '', seq: 'd.seq', order: 'd.seq' }
  const key = [org, hidden]
  const joined = reader.dialect.lookup(found.from, table.name, found.seq)
  // In order of appearance: an ordered path's conditions follow the join, an unordered path's subquery precedes it.
  const allParams = path.ordered ? [...key, ...params] : [...params, after, below, ...key]
  return { from: joined, where: found.where, params: allParams, seq: found.seq, order: found.order }
}

/** True if indexes reject rows before they are fetched (SQLite, when a test has an index). */
const usesIndexTests = (reader: Reader, { path, tests }: Scan): boolean =>
  path !== undefined && reader.dialect.testsByIndex && tests.some(({ indexTest }) => indexTest)

/**
 * Returns a subquery that sorts the rows of an unordered path as bare sequence numbers. To fetch the records before sorting
 * would cost many times as much.
 */
function sortedSeqs({ seq, from, where }: AccessPath, bound: number): string {
  const seqs = `SELECT ${seq} AS seq FROM ${from} WHERE ${where} AND ${seq} > ? AND ${seq} < ? LIMIT ${bound}`
  return `(SELECT seq FROM (${seqs}) AS f ORDER BY seq LIMIT ${bound}) AS d`
}

/** Builds a statement for the rows of a scan that pass all tests, in order. */
function select(
  reader: Reader,
  scan: Scan,
  columns: string,
  narrowIndex = false,
): { sql: string; params: Param[] } {
  const source = sourceOf(reader, scan, narrowIndex)
  const byIndex = usesIndexTests(reader, scan)
  const tests = scan.tests.map(({ test, indexTest }) =>
    byIndex && indexTest ? { sql: indexTest.sql(source.seq), params: indexTest.params(scan.org) } : test,
  )
  const conditions = [source.where, ...tests.map(({ sql }) => sql)].filter((condition) => condition !== '')
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return {
    sql: `SELECT ${columns} FROM ${source.from}${where} ORDER BY ${source.order}`,
    params: [...source.params, ...tests.flatMap(({ params }) => params)],
  }
}

/** Returns the sequence number of the record at an offset. Without a path, only the narrow index is read. */
async function seqAtOffset(reader: Reader, scan: Scan, offset: number): Promise<number | undefined> {
  const { sql, params } = select(reader, scan, 't.seq AS seq', true)
  const row = await reader.get<{ seq: number }>(`${sql} LIMIT 1 OFFSET ?`, [...params, offset])
  return row?.seq
}

async function hasRows(reader: Reader, scan: Scan): Promise<boolean> {
  if (scan.after >= scan.below) return false
  const { sql, params } = select(reader, scan, 't.seq AS seq')
  return (await reader.get(`${sql} LIMIT 1`, params)) !== undefined
}

/** The first re-plan happens after this many pages' worth of rows. */
const pagesBeforeReplan = 8

/**
 * Reads a page in chunks of rows, so that other requests run in between on SQLite: the tests may reject many rows for each
 * that passes. A value may be common at the beginning of a list and rare after it, as old timestamps are. So the rest of the
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
      const { sql, params } = select(db, chunk, 't.record AS record, t.seq AS seq')
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

/** Finds the last sequence number of the next chunk, from an index alone. Returns undefined for the last chunk. */
async function chunkEnd(db: Db, scan: Scan, rows: number): Promise<number | undefined> {
  const { org, path, after, below } = scan
  const { from, where, seq, order, params } = path
    ? { ...(path.indexOnly ?? path), params: path.params(org, after, below) }
    : sourceOf(db, scan, true)
  const sql = `SELECT ${seq} AS seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ?`
  return (await db.get<{ seq: number }>(sql, [...params, rows]))?.seq
}

function joinPages(pages: readonly RecordPage[]): Pick<RecordPage, 'bytes' | 'release'> {
  const [only] = pages
  if (only && pages.length === 1) return only
  const comma = Buffer.from(',')
  const bytes = Buffer.concat(pages.flatMap((page, at) => (at === 0 ? [page.bytes] : [comma, page.bytes])))
  for (const page of pages) page.release?.()
  return { bytes }
}
