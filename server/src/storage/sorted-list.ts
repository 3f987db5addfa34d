import type { Fragment } from './predicates.ts'
import { type Place, type Plan, planSorted, type Run, type SortedRequest } from './sorted-source.ts'
import type { Db, Param, Reader } from './sql.ts'

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
  /** Statements of a page. */
  readonly stretches: number
  /** Rows of a count. */
  readonly counted: number
  /** Rows that are sorted at once. */
  readonly narrow: number
}

const usualBudget: Budget = { stretch: 5000, stretches: 4, counted: 50_000, narrow: 8000 }

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
  let left = budget.stretches
  for (const run of plan.runs) {
    // A place among the records without a value lies behind all that have one.
    if (place && place.value === null && !run.nulls) continue
    let from = place
    place = undefined
    do {
      if (chunked && left-- <= 0) return page(from ?? startOfNulls)
      const end = chunked ? await stretchEnd(reader, run, request, from, budget.stretch) : undefined
      rows.push(...(await rowsOf(reader, plan, run, request, { from, end, limit: limit - rows.length + 1 })))
      if (rows.length > limit) {
        rows.length = limit
        return page(placeOf(rows.at(-1)))
      }
      from = end
    } while (from)
  }
  return page(undefined)
}

const placeOf = (row: FoundRow | undefined): Place | undefined => row && { value: row.value, seq: row.seq }

/** The place before the first record without a value. */
const startOfNulls: Place = { value: null, seq: -1 }

function selectOf(
  plan: Pick<Plan, 'tests'>,
  run: Run,
  { sort }: SortedRequest,
  columns: string,
  more: readonly Fragment[],
): { sql: string; params: Param[] } {
  const conditions = [...run.where, ...more, ...plan.tests].filter(({ sql }) => sql !== '')
  const way = sort.descending ? ' DESC' : ''
  const order = [run.key, run.seq].filter((part) => part !== undefined).map((part) => `${part}${way}`)
  return {
    sql: `SELECT ${columns} FROM ${run.from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order.join(', ')}`,
    params: [...run.fromParams, ...conditions.flatMap(({ params }) => [...params])],
  }
}

/** Behind a place, or up to and with another one. */
function beyond(run: Run, descending: boolean, place: Place, upTo = false): Fragment {
  const sign = upTo ? (descending ? '>=' : '<=') : descending ? '<' : '>'
  if (run.key === undefined)
    return place.seq < 0 ? { sql: '', params: [] } : { sql: `${run.seq} ${sign} ?`, params: [place.seq] }
  // The order of addresses has no two that are equal.
  if (run.key === 'a.address') return { sql: `${run.key} ${sign} ?`, params: [place.value] }
  return { sql: `(${run.key}, t.seq) ${sign} (?, ?)`, params: [place.value, place.seq] }
}

async function rowsOf(
  reader: Reader,
  plan: Plan,
  run: Run,
  request: SortedRequest,
  { from, end, limit }: { from: Place | undefined; end: Place | undefined; limit: number },
): Promise<FoundRow[]> {
  const { descending } = request.sort
  const more = [
    ...(from ? [beyond(run, descending, from)] : []),
    ...(end ? [beyond(run, descending, end, true)] : []),
  ]
  const columns = `t.record AS record, t.seq AS seq, ${run.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf(plan, run, request, columns, more)
  return reader.all<FoundRow>(`${sql} LIMIT ?`, [...params, limit])
}

/** The place that closes the next stretch of rows; none if it is the last of its run. */
async function stretchEnd(
  reader: Reader,
  run: Run,
  request: SortedRequest,
  from: Place | undefined,
  rows: number,
): Promise<Place | undefined> {
  const more = from ? [beyond(run, request.sort.descending, from)] : []
  const columns = `t.seq AS seq, ${run.key ?? 'NULL'} AS value`
  const { sql, params } = selectOf({ tests: [] }, run, request, columns, more)
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
  const looked = plan.tests.length === 0 ? most + 1 : plan.narrow ? budget.counted * 10 : budget.counted
  const source = selectOf({ tests: [] }, run, whole, 't.*', [])
  const rows = `SELECT * FROM (${source.sql} LIMIT ${looked}) AS t`
  const tests = plan.tests.map(({ sql }) => sql).join(' AND ')
  const matching = `SELECT 1 FROM (${rows}) AS t${tests === '' ? '' : ` WHERE ${tests}`} LIMIT ${most + 1}`
  const counted = await reader.get<{ rows: number }>(`SELECT count(*) AS rows FROM (${matching}) AS m`, [
    ...source.params,
    ...plan.tests.flatMap(({ params }) => [...params]),
  ])
  const found = counted?.rows ?? 0
  if (found > most) return { count: most, more: true }
  if (plan.tests.length === 0) return { count: found, more: false }
  const last = await stretchEnd(reader, run, whole, undefined, looked)
  return { count: found, more: last !== undefined }
}
