import type { Db, Param, Reader } from '../store/sql.ts'
import type { Fragment } from './predicates.ts'
import {
  type MergedWay,
  type Place,
  type Plan,
  planSorted,
  type Run,
  type SortedRequest,
} from './sorted-source.ts'

/** A page of a sorted list. */
export interface SortedPage {
  /** The records as they are kept. */
  readonly records: readonly string[]
  /** Where the next page begins; undefined at the end. A page may be short, or empty, and yet go on. */
  readonly next: Place | undefined
}

/** How much is looked at for one page before it is given as it is, and for one count. Tests set them low. */
export interface Budget {
  /** Rows of one statement. */
  readonly stretch: number
  /** Statements of a page, at the least. */
  readonly stretches: number
  /** For so long more of them follow: where rows are tested quickly, a rare text needs few pages that are not full. */
  readonly pageMs: number
  /** Rows of a count. */
  readonly counted: number
  /** Rows that are sorted at once. */
  readonly narrow: number
}

const usualBudget: Budget = { stretch: 4000, stretches: 2, pageMs: 60, counted: 20_000, narrow: 8000 }

interface FoundRow {
  record: string
  seq: number
  value: string | number | null
}

/**
 * A page of a collection in the order asked for. Without a condition it costs the same at any depth. Where conditions
 * refuse most rows, only so many are looked at: what was found by then is the page, and the next one goes on there.
 * All but the plainest reads are done off the main thread.
 */
export async function listSorted(
  db: Db,
  request: SortedRequest & { readonly place: Place | undefined; readonly limit: number },
  budget: Budget = usualBudget,
): Promise<SortedPage> {
  const quick = Object.keys(request.filters).length === 0 && !request.search
  const reader: Reader = quick ? db : db.slow
  const plan = await planSorted(reader, request, budget.narrow)
  const chunked = plan.tests.length > 0 && !plan.narrow
  const { limit } = request
  const rows: FoundRow[] = []
  const page = (next: Place | undefined) => ({ records: rows.map(({ record }) => record), next })
  let place = request.place
  let left = budget.stretch * budget.stretches
  const untilMs = performance.now() + budget.pageMs
  for (const run of plan.runs) {
    // A place among the records without a value lies behind all that have one.
    if (place && place.value === null && !run.nulls) continue
    let from = place
    place = undefined
    for (const { size, tests, ...step } of stepsOf(plan, run, limit, budget)) {
      if (chunked && left <= 0 && performance.now() >= untilMs) return page(from ?? startOfNulls)
      left -= size
      const end = chunked ? await stretchEnd(reader, step, request, from, size) : undefined
      const stretch = { from, end, limit: limit - rows.length + 1 }
      rows.push(...(await rowsOf(reader, tests, step.run, request, stretch)))
      if (rows.length > limit) {
        rows.length = limit
        return page(placeOf(rows.at(-1)))
      }
      from = end
      if (!from) break
    }
  }
  return page(undefined)
}

/**
 * All records of a list for a file, some at a time. They come in the order of creation, oldest or newest first as the sort
 * goes: each part is read by itself, and whatever else is sorted by may change meanwhile, so that a record would be passed
 * over, or come twice.
 */
export async function* walkSorted(
  db: Db,
  { sort, ...request }: SortedRequest,
  atOnce: number,
): AsyncGenerator<readonly string[]> {
  const byCreation = { ...sort, member: 'creationTimestamp' }
  let place: Place | undefined
  do {
    const { records, next } = await listSorted(db, { ...request, sort: byCreation, place, limit: atOnce })
    yield records
    place = next
  } while (place)
}

/** A stretch of a run: how many rows it has, how they are found, and what is tested of each. */
interface Step {
  readonly run: Run
  readonly tests: readonly Fragment[]
  readonly size: number
  readonly end?: MergedWay['end']
}

/**
 * The stretches of a run, without end. Where lists can be merged, a short walk comes first, which finds enough of what is
 * common; the lists give as many rows as a page has, and more and more if these are refused.
 */
function* stepsOf({ tests }: Plan, run: Run, limit: number, { stretch }: Budget): Generator<Step> {
  const { merged } = run
  if (!merged) while (true) yield { run, tests, size: stretch }
  yield { run, tests, size: Math.min(stretch, limit * firstWalkPages) }
  const way = { run: { ...run, source: merged.source, seq: 'd.seq' }, tests: merged.tests, end: merged.end }
  for (let size = limit + 1; ; size *= 8) yield { ...way, size: Math.min(size, stretch) }
}

/** So many times a page is walked first. */
const firstWalkPages = 10

const placeOf = (row: FoundRow | undefined): Place | undefined => row && { value: row.value, seq: row.seq }

/** The place before the first record without a value. */
const startOfNulls: Place = { value: null, seq: -1 }

/** A stretch of a run: behind one place, up to and with another. */
interface Stretch {
  readonly from?: Place | undefined
  readonly end?: Place | undefined
}

function selectOf(
  tests: readonly Fragment[],
  run: Run,
  { sort: { descending } }: Pick<SortedRequest, 'sort'>,
  columns: string,
  stretch: Stretch = {},
): { sql: string; params: Param[] } {
  const { after, below } = run.key === undefined ? boundsOf(run, descending, stretch) : run
  const { from, fromParams, where } = run.source(after, below)
  const conditions = [...where, ...keyConditions(run, descending, stretch), ...tests]
  const way = descending ? ' DESC' : ''
  const order = [run.key, run.seq].filter((part) => part !== undefined).map((part) => `${part}${way}`)
  return {
    sql: `SELECT ${columns} FROM ${from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order.join(', ')}`,
    params: [...fromParams, ...conditions.flatMap(({ params }) => [...params])],
  }
}

/** The bounds of `seq` of a stretch where that is the order; a place before all of them bounds nothing. */
function boundsOf(run: Run, descending: boolean, { from, end }: Stretch): { after: number; below: number } {
  const begun = from && from.seq >= 0 ? from.seq : undefined
  if (descending) {
    return {
      after: Math.max(run.after, end ? end.seq - 1 : run.after),
      below: Math.min(run.below, begun ?? run.below),
    }
  }
  return {
    after: Math.max(run.after, begun ?? run.after),
    below: Math.min(run.below, end ? end.seq + 1 : run.below),
  }
}

/** The same where there is another key before it. The order of addresses has no two that are equal. */
function keyConditions({ key }: Run, descending: boolean, { from, end }: Stretch): Fragment[] {
  if (key === undefined) return []
  const bound = (sign: string, { value, seq }: Place): Fragment =>
    key === 'a.address'
      ? { sql: `${key} ${sign} ?`, params: [value] }
      : { sql: `(${key}, t.seq) ${sign} (?, ?)`, params: [value, seq] }
  return [
    ...(from ? [bound(descending ? '<' : '>', from)] : []),
    ...(end ? [bound(descending ? '>=' : '<=', end)] : []),
  ]
}

async function rowsOf(
  reader: Reader,
  tests: readonly Fragment[],
  run: Run,
  request: SortedRequest,
  { limit, ...stretch }: Stretch & { limit: number },
): Promise<FoundRow[]> {
  const columns = `t.record AS record, t.seq AS seq, ${run.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf(tests, run, request, columns, stretch)
  return reader.all<FoundRow>(`${sql} LIMIT ?`, [...params, limit])
}

/** The place that closes the next stretch of rows; none if it is the last of its run. */
async function stretchEnd(
  reader: Reader,
  { run, end: endOfMerged }: Pick<Step, 'run' | 'end'>,
  request: Pick<SortedRequest, 'sort'>,
  from: Place | undefined,
  rows: number,
): Promise<Place | undefined> {
  if (endOfMerged) {
    const { descending } = request.sort
    const { after, below } = boundsOf(run, descending, { from })
    const { sql, params } = endOfMerged(descending, rows, after, below)
    const end = await reader.get<{ seq: number }>(sql, params)
    return end && { value: null, seq: end.seq }
  }
  const columns = `t.seq AS seq, ${run.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf([], run, request, columns, { from })
  return reader.get<Place>(`${sql} LIMIT 1 OFFSET ?`, [...params, rows - 1])
}

/**
 * How many records meet the conditions: up to `most`, and among so many rows as the budget allows. `more` says that
 * there are, or may be, more.
 */
export async function countSorted(
  db: Db,
  request: Omit<SortedRequest, 'sort'>,
  most: number,
  budget: Budget = usualBudget,
): Promise<{ count: number; more: boolean }> {
  const reader = db.slow
  const whole = { ...request, sort: { member: 'creationTimestamp', descending: false } }
  const plan = await planSorted(reader, whole, budget.narrow)
  const [run] = plan.runs
  if (!run) return { count: 0, more: false }
  if (run.merged) {
    const { sql, params } = run.merged.count(run.after, run.below, most + 1)
    const { looked = 0, hits } =
      (await reader.get<{ looked: number; hits: number | null }>(sql, params)) ?? {}
    return { count: Math.min(hits ?? 0, most), more: looked > most }
  }
  const bounded = plan.tests.length > 0 && !plan.narrow
  const end = bounded ? await stretchEnd(reader, { run }, whole, undefined, budget.counted) : undefined
  const { sql, params } = selectOf(plan.tests, run, whole, '1', { end })
  const counted = `SELECT count(*) AS rows FROM (${sql} LIMIT ${most + 1}) AS m`
  const found = (await reader.get<{ rows: number }>(counted, params))?.rows ?? 0
  return found > most ? { count: most, more: true } : { count: found, more: end !== undefined }
}
