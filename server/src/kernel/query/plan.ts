import type { Collection } from '@muster/contract/api/collection'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Reader } from '../store/sql.ts'
import { hiddenRecordsFilterOf, tableOf } from '../store/tables.ts'
import type { AccessPath, FilterValues, Predicate } from './predicates.ts'
import { type Cursor, isByCreation, type Scan, type Sort, selectRows } from './scan.ts'

/** Rows of a list: its collection, filters and order. */
export interface ScanRequest {
  readonly collection: Collection
  readonly org: number
  readonly filters: FilterValues
  readonly sort: Sort
}

/** Row counts at which the planner switches from one strategy to another. Tests use low ones. */
export interface ScanLimits {
  /** An ordered path is counted up to this many rows. With fewer, no further filter is counted. */
  readonly countedRows: number
  /** An unordered path with fewer rows is read whole and sorted. With more, it is not used. */
  readonly sortedRows: number
  /** Rows of a sample, and the number of hits from which a text is common. */
  readonly sampleRows: number
  readonly sampleHits: number
  /** Maximum number of rows of the first chunk, which is read on the main thread, and of each later one. */
  readonly firstRows: number
  readonly chunkRows: number
}

export const defaultLimits: ScanLimits = {
  countedRows: 1000,
  sortedRows: 8000,
  sampleRows: 500,
  sampleHits: 5,
  firstRows: 2000,
  chunkRows: 4000,
}

/**
 * Plans a scan after a cursor: chooses the path that supplies the rows, and the tests that are left.
 *
 * @param from narrows the scan if the order is by creation
 */
export async function planScan(
  reader: Reader,
  request: ScanRequest,
  predicates: readonly Predicate[],
  from: Cursor | undefined,
  limits: ScanLimits,
): Promise<Scan> {
  const all = scanOf(request, from, limits)
  const found = await choosePath(reader, all, predicates, limits)
  const path = found?.path
  const tests = predicates.flatMap((predicate) => {
    if (predicate !== found?.predicate) return [predicate.test]
    return path?.recheck ? [path.recheck] : []
  })
  return { ...all, path, tests, selective: found !== undefined && found.rows < Number.POSITIVE_INFINITY }
}

/** Returns the scan of all rows of a request, without its filters except for the creation window. */
export function scanOf(request: ScanRequest, from: Cursor | undefined, { sortedRows }: ScanLimits): Scan {
  const { collection, org, filters, sort } = request
  const first = filters.creationTimestampAfter as number | undefined
  const last = filters.creationTimestampBefore as number | undefined
  const after = first === undefined ? 0 : firstSequenceOf(first) - 1
  const below = last === undefined ? sequenceEnd : firstSequenceOf(last)
  const start = isByCreation(sort) && from && from.seq >= 0 ? from.seq : undefined
  return {
    collection,
    table: tableOf(collection),
    org,
    hidden: hiddenRecordsFilterOf(collection) in filters ? 1 : 0,
    sort,
    after: sort.descending ? after : Math.max(after, start ?? after),
    below: sort.descending ? Math.min(below, start ?? below) : below,
    path: undefined,
    selective: false,
    sortedRows,
    tests: [],
  }
}

interface Choice {
  readonly predicate: Predicate
  readonly path: AccessPath
  /** Infinite if the count reached its bound. */
  readonly rows: number
  /** Number of sequence numbers that the counted rows span. */
  readonly span: number
}

/**
 * Chooses the path with the fewest rows. The rows are counted, up to a bound, because an estimate is wrong for exactly those
 * values that matter. A path that reaches the bound is used only if it has the order of the list; of two such paths, the one
 * whose rows span more of the list is rarer. Texts come last, since they cost a sample, and none is counted after a filter
 * with few rows is found.
 */
async function choosePath(
  reader: Reader,
  scan: Scan,
  predicates: readonly Predicate[],
  limits: ScanLimits,
): Promise<Choice | undefined> {
  const hasOrder = (path: AccessPath) => path.ordered && isByCreation(scan.sort)
  const [only] = predicates
  if (only?.path && predicates.length === 1 && hasOrder(only.path))
    return { predicate: only, path: only.path, rows: Number.POSITIVE_INFINITY, span: 0 }
  let best: Choice | undefined
  for (const predicate of predicates.toSorted((one, other) => Number(!!one.text) - Number(!!other.text))) {
    const path = predicate.path ?? (await pathOfText(reader, scan, predicate, limits))
    if (!path) continue
    const bound = hasOrder(path) ? limits.countedRows : limits.sortedRows
    const { rows, span } = await countRows(reader, scan, path, bound)
    if (rows === Number.POSITIVE_INFINITY && !hasOrder(path)) continue
    if (!best || rows < best.rows || (rows === best.rows && span > best.span))
      best = { predicate, path, rows, span }
    if (best.rows < limits.countedRows) break
  }
  return best
}

/** Counts the rows of a path up to a bound, from the start of the list. */
async function countRows(
  reader: Reader,
  { org, after, below, sort: { descending } }: Scan,
  { alias, ordered, from, where, params }: AccessPath,
  bound: number,
): Promise<Pick<Choice, 'rows' | 'span'>> {
  const seq = `${alias}.seq`
  const order = ordered ? ` ORDER BY ${seq}${descending ? ' DESC' : ''}` : ''
  const found = `SELECT ${seq} AS seq FROM ${from} WHERE ${where}${order} LIMIT ${bound}`
  const counted = `SELECT count(*) AS rows, max(seq) - min(seq) AS span FROM (${found}) AS found`
  const row = await reader.get<{ rows: number; span: number | null }>(counted, params(org, after, below))
  const { rows = 0, span } = row ?? {}
  return { rows: rows < bound ? rows : Number.POSITIVE_INFINITY, span: span ?? 0 }
}

/** Number of pieces of a text that are looked up. */
const chosenPieces = 3

/**
 * Returns the path to the rarest pieces of a text; undefined if the text is common in a sample of the next rows, or if there
 * are few rows left. To look up a common text, or all pieces of a long one, costs far more than to scan past them.
 */
async function pathOfText(
  reader: Reader,
  scan: Scan,
  { test, text }: Predicate,
  { sampleRows, sampleHits }: Pick<ScanLimits, 'sampleRows' | 'sampleHits'>,
): Promise<AccessPath | undefined> {
  if (!text) return undefined
  const byCreation: Scan = { ...scan, sort: { ...scan.sort, member: 'creationTimestamp' } }
  const rows = selectRows(reader, byCreation, { key: undefined, index: null }, `t.${text.column}`)
  const contains = reader.dialect.contains(`t.${text.column}`)
  const tests = [test, ...text.pieces.map((piece) => ({ sql: contains, params: [piece] }))]
  const sums = tests.map(({ sql }, at) => `sum(CASE WHEN ${sql} THEN 1 ELSE 0 END) AS n${at}`)
  const sample = await reader.get<Record<string, number | null>>(
    `SELECT count(*) AS rows, ${sums.join(', ')} FROM (${rows.sql} LIMIT ${sampleRows}) AS t`,
    [...tests.flatMap(({ params }) => [...params]), ...rows.params],
  )
  const hits = (at: number) => sample?.[`n${at}`] ?? 0
  if ((sample?.rows ?? 0) < sampleRows || hits(0) >= sampleHits) return undefined
  const rarest = text.pieces.map((piece, at) => ({ piece, hits: hits(at + 1) }))
  rarest.sort((one, other) => one.hits - other.hits)
  return text.path(rarest.slice(0, chosenPieces).map(({ piece }) => piece))
}
