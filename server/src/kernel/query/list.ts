import type { Collection } from '@muster/contract/collection'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Db, Param, Reader, RecordPage } from '../store/sql.ts'
import { type Table, tableOf, unlistedFilterOf, walkIndexOf } from '../store/tables.ts'
import {
  equals,
  type FilterValues,
  type Fragment,
  type Lead,
  type Predicate,
  predicatesOf,
} from './predicates.ts'

export interface ListRequest {
  collection: Collection
  org: number
  filters: FilterValues
  /** The private column and value that a list under another record stands for. */
  parent?: { column: string; value: string }
  /** The sequence number of the last record of the page before; 0 for the first page. */
  after: number
  /** How many records to skip. */
  offset: number
  limit: number
}

/** What is walked, between two bounds of `seq`, both exclusive. */
interface Walk {
  table: Table
  org: number
  unlisted: number
  lead: Lead | undefined
  /** The lead gives so few rows that they can be sorted. */
  narrow: boolean
  tests: readonly Predicate[]
  after: number
  below: number
  bounds: WalkBounds
  /** The beginning of the list has deceived: a lead of which only so many rows were counted is not taken for a short one. */
  again: boolean
}

/** Where one way of finding the rows gives way to another, in rows. */
export interface WalkBounds {
  /** A lead that gives fewer rows than this is taken at once, whatever else is asked. */
  narrow: number
  /** An unordered lead is sorted if it gives fewer rows than this; else the table is walked in order. */
  sortable: number
  /** How many rows a sample looks at, and with how many hits among them a condition is common. */
  sample: number
  sampleHits: number
  /** Skipping more rows than this is done off the main thread. */
  quickOffset: number
}

const usualBounds: WalkBounds = {
  narrow: 1000,
  sortable: 8000,
  sample: 2000,
  sampleHits: 20,
  quickOffset: 2000,
}

/**
 * A page of a collection: the records that meet all filters, in the order of creation, as bytes.
 * Its cost does not grow with the depth of `after`; that of `offset` grows slowly, off the main thread.
 * `bounds` are for tests, which would need many rows to meet the usual ones.
 */
export async function listRecords(
  db: Db,
  request: ListRequest,
  bounds: WalkBounds = usualBounds,
): Promise<RecordPage> {
  const walk = await planWalk(db, request, bounds)
  if (request.offset > 0) {
    // Many rows may be tested for each that is skipped.
    const quick = request.offset <= bounds.quickOffset && (walk.tests.length === 0 || walk.narrow)
    const start = await skip(quick ? db : db.slow, walk, request.offset)
    if (start === undefined) return { bytes: new Uint8Array(0), count: 0, lastSeq: 0, more: false }
    walk.after = start - 1
  }
  return pageInStretches(db, walk, request)
}

async function planWalk(db: Db, request: ListRequest, bounds: WalkBounds, again = false): Promise<Walk> {
  const { collection, org, filters, parent } = request
  const table = tableOf(collection)
  const predicates = predicatesOf(collection, filters, db.dialect)
  if (parent) predicates.push(equals(table, parent.column, parent.value, db.dialect))
  const from = filters.creationTimestampAfter as number | undefined
  const before = filters.creationTimestampBefore as number | undefined
  const stretch = {
    after: Math.max(request.after, from === undefined ? 0 : firstSequenceOf(from) - 1),
    below: before === undefined ? sequenceEnd : firstSequenceOf(before),
  }
  const unlisted = unlistedFilterOf(collection) in filters ? 1 : 0
  const chosen = await chooseLead(
    db,
    { table, org, unlisted, lead: undefined, narrow: false, tests: [], ...stretch, bounds, again },
    predicates,
  )
  const tests = predicates.filter(
    (predicate) => predicate.lead === undefined || predicate.lead !== chosen?.lead || predicate.lead.tested,
  )
  const { lead, narrow = false } = chosen ?? {}
  return { table, org, unlisted, lead, narrow, tests, ...stretch, bounds, again }
}

/**
 * The condition that gives the fewest rows leads; the others test those rows. How many rows each gives
 * is counted, up to a bound: an estimate would be wrong for just those values that matter.
 */
async function chooseLead(
  db: Db,
  walk: Walk,
  predicates: readonly Predicate[],
): Promise<{ lead: Lead; narrow: boolean } | undefined> {
  const { narrow, sortable } = walk.bounds
  const [only] = predicates
  if (only?.lead?.ordered && !only.lead.sample && predicates.length === 1)
    return { lead: only.lead, narrow: false }
  let best: Counted | undefined
  // Those first that are counted without a sample.
  for (const predicate of predicates.toSorted((one, other) => costOf(one) - costOf(other))) {
    const found = await countedLead(db, walk, predicate)
    if (!found) continue
    if (!best || found.rows < best.rows || (found.rows === best.rows && found.reach > best.reach))
      best = found
    if (best.rows < narrow) break
  }
  return best && { lead: best.lead, narrow: best.rows < (best.lead.ordered ? narrow : sortable) }
}

const costOf = ({ lead }: Predicate): number => (lead?.sample ? 1 : 0)

interface Counted {
  lead: Lead
  rows: number
  /** How far the rows reach that were counted: of two that are both many, those that reach further are fewer. */
  reach: number
}

/** The lead of a condition and how many rows it gives; none if the condition is too common to lead. */
async function countedLead(db: Db, walk: Walk, { test, lead }: Predicate): Promise<Counted | undefined> {
  if (!lead) return undefined
  const pieces = lead.pieces?.tests ?? []
  let hits: readonly number[] = []
  if (lead.sample) {
    const { common, others } = await glance(db, walk, lead.sample, test, pieces)
    if (common) return undefined
    hits = others
  }
  const fewer = hits.length > 0 ? lead.pieces?.lead(rarestFirst(hits)) : undefined
  // The rarest pieces together may be more common than the whole.
  return (
    (fewer && (await count(db, walk, await whole(db, walk, fewer)))) ??
    count(db, walk, await whole(db, walk, lead))
  )
}

/** The lead, or the one that also finds what its index does not have yet. */
async function whole(db: Db, { org, after, below }: Walk, lead: Lead): Promise<Lead> {
  const { late } = lead
  return late && (await db.get(late.sql, late.params(org, after, below))) ? late.lead : lead
}

/** Up to so many rows of an unordered lead are remembered when they are counted, so that they need not be found twice. */
const remembered = 500

/** How many rows a lead gives, up to a bound; nothing if those of an unordered lead are too many to be sorted. */
async function count(db: Db, walk: Walk, lead: Lead): Promise<Counted | undefined> {
  const bound = lead.ordered ? walk.bounds.narrow : walk.bounds.sortable
  const ordered = lead.ordered ? ` ORDER BY ${lead.order}` : ''
  const found = `SELECT ${lead.seq} AS seq FROM ${lead.from} WHERE ${lead.where}${ordered} LIMIT ${bound}`
  const { jsonArrayAgg: arrayOf, jsonNumbers: fromArray } = db.dialect
  const these = lead.ordered ? 'NULL' : `CASE WHEN count(*) <= ${remembered} THEN ${arrayOf('seq')} END`
  const sql = `SELECT count(*) AS rows, max(seq) AS reach, ${these} AS these FROM (${found}) AS found`
  const params = lead.params(walk.org, walk.after, walk.below)
  const row = await db.get<{ rows: number; reach: number | null; these: string | null }>(sql, params)
  const { rows = 0, reach, these: known } = row ?? {}
  if (!lead.ordered && rows >= bound) return undefined
  if (known) return { lead: { ...lead, ...fromArray, params: () => [known] }, rows, reach: reach ?? 0 }
  return { lead, rows: walk.again && rows >= bound ? Number.POSITIVE_INFINITY : rows, reach: reach ?? 0 }
}

/** The numbers of the tests, those before that fewer rows have passed. */
const rarestFirst = (hits: readonly number[]): number[] =>
  hits.map((_, at) => at).sort((one, other) => (hits[one] ?? 0) - (hits[other] ?? 0))

type Sample = NonNullable<Lead['sample']>

/**
 * Whether many of the next rows meet a condition, or there are so few of them that they can all be tested; and how many
 * of some of them meet others. A tenth of the sample tells it mostly: only if some of that meet the condition, and not
 * many, it takes the whole.
 */
async function glance(
  db: Db,
  walk: Walk,
  sample: Sample,
  test: Fragment,
  others: readonly Fragment[],
): Promise<{ common: boolean; others: readonly number[] }> {
  const { sample: size, sampleHits } = walk.bounds
  const first = await sampled(db, walk, sample, [test, ...others], Math.ceil(size / 10))
  const [hits = 0, ...rest] = first.hits
  if (!first.full || hits >= sampleHits) return { common: true, others: rest }
  if (hits === 0) return { common: false, others: rest }
  const all = await sampled(db, walk, sample, [test], size)
  return { common: !all.full || (all.hits[0] ?? 0) >= sampleHits, others: rest }
}

/** How many of the next rows meet each of the tests; `full` if there are as many rows as were to be looked at. */
async function sampled(
  db: Db,
  walk: Walk,
  { columns, narrow }: Sample,
  tests: readonly Fragment[],
  size: number,
): Promise<{ full: boolean; hits: number[] }> {
  const { sql, params } = select(db, walk, columns, narrow)
  const sums = tests.map((test, at) => `sum(CASE WHEN ${test.sql} THEN 1 ELSE 0 END) AS n${at}`).join(', ')
  const row = await db.get<Record<string, number | null>>(
    `SELECT count(*) AS rows, ${sums} FROM (${sql} LIMIT ${size}) AS t`,
    [...tests.flatMap((test) => test.params), ...params],
  )
  return { full: (row?.rows ?? 0) >= size, hits: tests.map((_, at) => row?.[`n${at}`] ?? 0) }
}

interface Source {
  from: string
  where: string
  params: readonly Param[]
  seq: string
  order: string
}

/** The rows that the lead (or the order of creation itself) gives, without the tests. */
function sourceOf(reader: Reader, walk: Walk, narrowIndex: boolean): Source {
  const { table, org, unlisted, lead, after, below } = walk
  if (!lead) {
    const from = `${table.name} t${reader.dialect.indexedBy(narrowIndex ? walkIndexOf(table) : null)}`
    if (!narrowIndex) return { from, seq: 't.seq', ...reader.dialect.scan(org, unlisted, after, below) }
    return {
      from,
      where: 't.org = ? AND t.unlisted = ? AND t.seq > ? AND t.seq < ?',
      params: [org, unlisted, after, below],
      seq: 't.seq',
      order: 't.seq',
    }
  }
  const params = lead.params(org, after, below)
  const numbers = testsByIndex(reader, walk) ? lead.numbers : undefined
  const { from, where, seq, order } = numbers ?? lead
  if (lead.own && !numbers)
    return {
      from,
      where: `${where} AND ${reader.dialect.hiddenFlag} = ?`,
      params: [...params, unlisted],
      seq,
      order,
    }
  const found = lead.ordered
    ? { from, where, seq, order }
    : { from: sortedNumbers(lead, walk.bounds.sortable), where: '', seq: 'd.seq', order: 'd.seq' }
  const key = [org, unlisted]
  const joined = reader.dialect.joinBySeq(found.from, table.name, found.seq)
  // The join's parameters stand behind those of a lead in brackets, and before those of a bare one.
  const ordered = lead.ordered ? [...key, ...params] : [...params, after, below, ...key]
  return { from: joined, where: found.where, params: ordered, seq: found.seq, order: found.order }
}

/** Whether rows are refused by indexes before they are fetched. */
const testsByIndex = (reader: Reader, { lead, tests }: Walk): boolean =>
  lead !== undefined && reader.dialect.testsByIndex && tests.some(({ indexTest }) => indexTest)

/** The rows of an unordered lead, sorted while they are but numbers: to fetch them first would cost many times as much. */
function sortedNumbers({ seq, from, where }: Lead, bound: number): string {
  const numbers = `SELECT ${seq} AS seq FROM ${from} WHERE ${where} AND ${seq} > ? AND ${seq} < ? LIMIT ${bound}`
  return `(SELECT seq FROM (${numbers}) AS f ORDER BY seq LIMIT ${bound}) AS d`
}

/** A statement over the rows of a walk that meet all tests, in order. */
function select(
  reader: Reader,
  walk: Walk,
  columns: string,
  narrowIndex = false,
): { sql: string; params: Param[] } {
  const source = sourceOf(reader, walk, narrowIndex)
  const byIndex = testsByIndex(reader, walk)
  const tests = walk.tests.map(({ test, indexTest }) =>
    byIndex && indexTest ? { sql: indexTest.sql(source.seq), params: indexTest.params(walk.org) } : test,
  )
  const conditions = [source.where, ...tests.map(({ sql }) => sql)].filter((condition) => condition !== '')
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return {
    sql: `SELECT ${columns} FROM ${source.from}${where} ORDER BY ${source.order}`,
    params: [...source.params, ...tests.flatMap(({ params }) => params)],
  }
}

/** The sequence number of the record behind `offset` others. */
async function skip(reader: Reader, walk: Walk, offset: number): Promise<number | undefined> {
  const { sql, params } = select(reader, walk, 't.seq AS seq', true)
  const row = await reader.get<{ seq: number }>(`${sql} LIMIT 1 OFFSET ?`, [...params, offset])
  return row?.seq
}

async function exists(reader: Reader, walk: Walk): Promise<boolean> {
  if (walk.after >= walk.below) return false
  const { sql, params } = select(reader, walk, 't.seq AS seq')
  return (await reader.get(`${sql} LIMIT 1`, params)) !== undefined
}

/** So many pages' worth of rows are looked at before the way is chosen anew for the first time. */
const firstPages = 8

/**
 * A page where the tests may refuse many rows for each that they let pass: it is put together from
 * stretches of a bounded number of rows, and other requests run in between. What is common at the beginning of a list
 * may be rare behind it, so the way to the rest is chosen anew whenever four times as many rows were in vain.
 */
async function pageInStretches(db: Db, firstWalk: Walk, request: ListRequest): Promise<RecordPage> {
  const { limit } = request
  const parts: RecordPage[] = []
  let count = 0
  let lastSeq = 0
  let walk = firstWalk
  let stint = limit * firstPages
  let left = stint
  while (true) {
    const rows = Math.min(left, db.dialect.chunkRows)
    const bounded = walk.tests.length > 0 && !walk.narrow
    const end = bounded ? await chunkEnd(db, walk, rows) : undefined
    const chunk = { ...walk, below: end === undefined ? walk.below : end + 1 }
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
    } else more = await exists(db, chunk)
    if (more || end === undefined) return { ...joined(parts), count, lastSeq, more }
    await new Promise<void>((resolve) => setImmediate(resolve))
    left -= rows
    if (left > 0) walk = { ...walk, after: end }
    else {
      walk = await planWalk(db, { ...request, after: end }, walk.bounds, true)
      stint *= 4
      left = stint
    }
  }
}

/** The sequence number that closes the next stretch of rows, told by an index alone; none if it is the last. */
async function chunkEnd(db: Db, walk: Walk, rows: number): Promise<number | undefined> {
  const { org, lead, after, below } = walk
  const { from, where, seq, order, params } = lead
    ? { ...(lead.numbers ?? lead), params: lead.params(org, after, below) }
    : sourceOf(db, walk, true)
  const sql = `SELECT ${seq} AS seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ?`
  return (await db.get<{ seq: number }>(sql, [...params, rows]))?.seq
}

function joined(parts: readonly RecordPage[]): Pick<RecordPage, 'bytes' | 'release'> {
  const [only] = parts
  if (only && parts.length === 1) return only
  const comma = Buffer.from(',')
  const bytes = Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part.bytes] : [comma, part.bytes])))
  for (const part of parts) part.release?.()
  return { bytes }
}
