import type { Db } from '../store/sql.ts'
import type { AccessPath, Fragment, Predicate } from './predicates.ts'
import { type Scan, selectRows } from './scan.ts'

/**
 * Chooses the access path with the fewest rows. The rows are counted, up to a bound, because an estimate is wrong for
 * exactly those values that matter. A single filter with a cheap ordered index needs no count: there is no alternative.
 * Predicates that need a sample come last, and none is counted after one with few rows is found.
 */
export async function choosePath(
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

/**
 * Returns the path, or the slower one that also finds rows that its index does not have yet. Needed on SQLite for the texts of
 * new records, which are indexed in batches.
 */
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
  const kept = path.ordered
    ? 'NULL'
    : `CASE WHEN count(*) <= ${keptSeqs} THEN ${db.dialect.jsonArrayAgg('seq')} END`
  const sql = `SELECT count(*) AS rows, max(seq) AS highest, ${kept} AS seqs FROM (${found}) AS found`
  const params = path.params(scan.org, scan.after, scan.below)
  const row = await db.get<{ rows: number; highest: number | null; seqs: string | null }>(sql, params)
  const { rows = 0, highest, seqs } = row ?? {}
  const highestSeq = highest ?? 0
  if (!path.ordered && rows >= bound) return undefined
  if (seqs) return { path: { ...path, ...db.dialect.jsonNumbers, params: () => [seqs] }, rows, highestSeq }
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
  const { sql, params } = selectRows(db, scan, columns, narrowIndex)
  const sums = tests.map((test, at) => `sum(CASE WHEN ${test.sql} THEN 1 ELSE 0 END) AS n${at}`).join(', ')
  const row = await db.get<Record<string, number | null>>(
    `SELECT count(*) AS rows, ${sums} FROM (${sql} LIMIT ${size}) AS t`,
    [...tests.flatMap((test) => test.params), ...params],
  )
  return { isFull: (row?.rows ?? 0) >= size, hits: tests.map((_, at) => row?.[`n${at}`] ?? 0) }
}
