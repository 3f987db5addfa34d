import type { Param, Reader } from '../store/sql.ts'
import { scanIndexOf, type Table } from '../store/tables.ts'
import type { AccessPath, Predicate } from './predicates.ts'

/** A plan for reading rows between two exclusive bounds of `seq`. */
export interface Scan {
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
    if (!narrowIndex) return { from, seq: 't.seq', ...reader.dialect.scan(org, hidden, after, below) }
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
      where: `${where} AND ${reader.dialect.hiddenFlag} = ?`,
      params: [...params, hidden],
      seq,
      order,
    }
  const found = path.ordered
    ? { from, where, seq, order }
    : { from: sortedSeqs(path, scan.thresholds.sortable), where: '', seq: 'd.seq', order: 'd.seq' }
  const key = [org, hidden]
  const joined = reader.dialect.joinBySeq(found.from, table.name, found.seq)
  // In order of appearance: an ordered path's conditions follow the join, an unordered path's subquery precedes it.
  const allParams = path.ordered ? [...key, ...params] : [...params, after, below, ...key]
  return { from: joined, where: found.where, params: allParams, seq: found.seq, order: found.order }
}

/**
 * True if index lookups reject rows before they are fetched (SQLite only). Needed for common filters that rarely match
 * together: to fetch a row in order to reject it costs more than to look it up in an index.
 */
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
export function selectRows(
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
export async function seqAtOffset(reader: Reader, scan: Scan, offset: number): Promise<number | undefined> {
  const { sql, params } = selectRows(reader, scan, 't.seq AS seq', true)
  const row = await reader.get<{ seq: number }>(`${sql} LIMIT 1 OFFSET ?`, [...params, offset])
  return row?.seq
}

export async function hasRows(reader: Reader, scan: Scan): Promise<boolean> {
  if (scan.after >= scan.below) return false
  const { sql, params } = selectRows(reader, scan, 't.seq AS seq')
  return (await reader.get(`${sql} LIMIT 1`, params)) !== undefined
}

/** Finds the last sequence number of the next chunk, from an index alone. Returns undefined for the last chunk. */
export async function chunkEnd(reader: Reader, scan: Scan, rows: number): Promise<number | undefined> {
  const { org, path, after, below } = scan
  const { from, where, seq, order, params } = path
    ? { ...(path.indexOnly ?? path), params: path.params(org, after, below) }
    : sourceOf(reader, scan, true)
  const sql = `SELECT ${seq} AS seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ?`
  return (await reader.get<{ seq: number }>(sql, [...params, rows]))?.seq
}
