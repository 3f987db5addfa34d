import type { Collection } from '@muster/contract/collection'
import { membersHold } from './dialect/member-text.ts'
import { type FilterValues, type Fragment, type Lead, type Predicate, predicatesOf } from './predicates.ts'
import { firstSequenceOf, sequenceEnd } from './sequence.ts'
import type { Param, Reader } from './sql.ts'
import { type Column, indexOf, type Table, tableOf, unlistedFilterOf, walkIndexOf } from './tables.ts'
import { columnValue } from './values.ts'

/** What a sorted list is asked for. */
export interface SortedRequest {
  readonly collection: Collection
  readonly org: number
  /** The values of filters; an exact one may have several, of which a record must have one. */
  readonly filters: FilterValues
  /** A text that one of the members must hold. */
  readonly search?: { readonly members: readonly string[]; readonly text: string } | undefined
  readonly sort: { readonly member: string; readonly descending: boolean }
}

/** The place behind a record: its value of the sort, and its sequence number. */
export interface Place {
  /** Null among the records that have no such value, which come last; also where creation is the sort. */
  readonly value: string | number | null
  readonly seq: number
}

/**
 * A run of rows in the order asked for. Records without a value of the sort have no place among the others: they are a
 * run of their own.
 */
export interface Run {
  /** FROM, with the rows as `t`, and its parameters. */
  readonly from: string
  readonly fromParams: readonly Param[]
  readonly where: readonly Fragment[]
  /** What the rows are sorted by before `seq`; absent where that is all. */
  readonly key: string | undefined
  readonly seq: string
  readonly nulls: boolean
}

/** How the rows of a request are found. */
export interface Plan {
  readonly table: Table
  readonly runs: readonly Run[]
  /** What remains to be tested of each row. */
  readonly tests: readonly Fragment[]
  /** So few rows can match that they are all looked at and sorted. */
  readonly narrow: boolean
}

/** So many rows tell whether a condition that is dear to count is common: with so many hits it is. */
const sampleRows = 1000
const sampleHits = 10

/**
 * Finds the cheapest way to the rows of a request: the rarest condition if it is rare, else the order itself.
 *
 * @param narrowRows a condition is rare if it gives fewer rows than this: they are sorted at once
 */
export async function planSorted(db: Reader, request: SortedRequest, narrowRows: number): Promise<Plan> {
  const { collection, org, filters } = request
  const table = tableOf(collection)
  const after = filters.creationTimestampAfter as number | undefined
  const before = filters.creationTimestampBefore as number | undefined
  const bounds = {
    after: after === undefined ? 0 : firstSequenceOf(after) - 1,
    below: before === undefined ? sequenceEnd : firstSequenceOf(before),
  }
  const unlisted = unlistedFilterOf(collection) in filters ? 1 : 0
  const scope: Scope = { db, table, org, unlisted, narrowRows, ...bounds }
  const predicates = conditionsOf(request, table, db)
  const found = await rarest(scope, predicates)
  const byCreation = request.sort.member === 'creationTimestamp'
  // A condition that gives many rows can still lead where they come in the order asked for.
  const lead = found?.narrow || (byCreation && found?.lead.ordered) ? found?.lead : undefined
  const tests = predicates
    .filter((predicate) => found?.predicate !== predicate || lead === undefined || lead.tested)
    .map(({ test }) => test)
  return { table, runs: runsOf(scope, request, lead), tests, narrow: found?.narrow ?? false }
}

interface Scope {
  readonly db: Reader
  readonly table: Table
  readonly org: number
  readonly unlisted: number
  /** Bounds of `seq`, exclusive. */
  readonly after: number
  readonly below: number
  readonly narrowRows: number
}

function conditionsOf({ collection, filters, search }: SortedRequest, table: Table, db: Reader): Predicate[] {
  const single: Record<string, unknown> = {}
  const made: Predicate[] = []
  for (const [name, value] of Object.entries(filters)) {
    const filter = collection.filters[name]
    if (filter?.kind !== 'exact' || !Array.isArray(value)) single[name] = value
    else if (value.length === 1) single[name] = value[0]
    else made.push(oneOfValues(table, filter.member, value))
  }
  const filter = search && searchedFilter(collection, search.members)
  if (search && filter !== undefined && !(filter in single)) single[filter] = search.text
  else if (search) made.push({ test: membersHold(db.dialect, search.members, search.text) })
  return [...predicatesOf(collection, single, db.dialect), ...made]
}

/** A search of one member that has an index of its substrings is the same as that filter. */
function searchedFilter({ filters }: Collection, members: readonly string[]): string | undefined {
  const found = Object.entries(filters).find(
    ([, { kind, member }]) => kind === 'contains' && member === members[0],
  )
  return members.length === 1 ? found?.[0] : undefined
}

function oneOfValues(table: Table, member: string, values: readonly unknown[]): Predicate {
  const column = table.columns.find((candidate) => candidate.member === member) as Column
  const params = values.map((value) => columnValue(column, value))
  const condition = (alias: string) => `${alias}.${column.name} IN (${params.map(() => '?').join(', ')})`
  return {
    test: { sql: condition('t'), params },
    lead: {
      ordered: false,
      own: false,
      from: `${table.name} d`,
      where: `d.org = ? AND ${condition('d')}`,
      params: (org) => [org, ...params],
      seq: 'd.seq',
      order: 'd.seq',
    },
  }
}

interface Found {
  readonly predicate: Predicate
  readonly lead: Lead
  readonly rows: number
  readonly narrow: boolean
}

/** The condition that gives the fewest rows, counted up to a bound; an ordered one also if they are many. */
async function rarest(scope: Scope, predicates: readonly Predicate[]): Promise<Found | undefined> {
  let best: Found | undefined
  for (const predicate of predicates) {
    const lead = await usableLead(scope, predicate)
    if (!lead) continue
    const { db, org, after, below, narrowRows } = scope
    const some = `SELECT 1 FROM ${lead.from} WHERE ${lead.where} LIMIT ${narrowRows}`
    const row = await db.get<{ rows: number }>(
      `SELECT count(*) AS rows FROM (${some}) AS found`,
      lead.params(org, after, below),
    )
    const rows = row?.rows ?? 0
    if (rows >= narrowRows && !lead.ordered) continue
    if (!best || rows < best.rows) best = { predicate, lead, rows, narrow: rows < narrowRows }
    if (rows === 0) break
  }
  return best
}

async function usableLead(scope: Scope, { lead, test }: Predicate): Promise<Lead | undefined> {
  if (!lead) return undefined
  const { db, table, org, unlisted, after, below } = scope
  if (lead.sample) {
    const rows = `SELECT * FROM ${table.name} WHERE org = ? AND unlisted = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ${sampleRows}`
    const hits = await db.get<{ hits: number }>(
      `SELECT count(*) AS hits FROM (${rows}) AS t WHERE ${test.sql}`,
      [org, unlisted, after, below, ...test.params],
    )
    if ((hits?.hits ?? 0) >= sampleHits) return undefined
  }
  const { late } = lead
  return late && (await db.get(late.sql, late.params(org, after, below))) ? late.lead : lead
}

const bare = (sql: string, ...params: Param[]): Fragment => ({ sql, params })

function runsOf(scope: Scope, { collection, sort }: SortedRequest, lead: Lead | undefined): Run[] {
  const { table, org, after, below } = scope
  const column = table.columns.find(({ member }) => member === sort.member)
  const within = bare('t.seq > ? AND t.seq < ?', after, below)
  const source = lead ? leadSource(scope, lead) : walkSource(scope, table, null)
  if (!column) return [{ ...source, where: [...source.where, within], key: undefined, nulls: true }]
  const key = `t.${column.name}`
  if (lead) {
    const valued = {
      ...source,
      where: [...source.where, within, bare(`${key} IS NOT NULL`)],
      key,
      nulls: false,
    }
    return [
      valued,
      { ...source, where: [...source.where, within, bare(`${key} IS NULL`)], key: undefined, nulls: true },
    ]
  }
  if (collection.name === 'employees' && sort.member === 'email')
    return [
      { ...addressSource(scope), where: [bare('a.org = ?', org), within], key: 'a.address', nulls: false },
    ]
  const byIndex = walkSource(scope, table, indexOf(table, column.name))
  const unvalued = walkSource(scope, table, walkIndexOf(table))
  const valued = {
    ...byIndex,
    where: [...byIndex.where, within, bare(`${key} IS NOT NULL`)],
    key,
    nulls: false,
  }
  if (!column.nullable) return [valued]
  return [
    valued,
    { ...unvalued, where: [...unvalued.where, within, bare(`${key} IS NULL`)], key: undefined, nulls: true },
  ]
}

type Source = Pick<Run, 'from' | 'fromParams' | 'where' | 'seq'>

const walkSource = ({ db, org, unlisted }: Scope, table: Table, index: string | null): Source => ({
  from: `${table.name} t${db.dialect.indexedBy(index)}`,
  fromParams: [],
  where: [bare('t.org = ? AND t.unlisted = ?', org, unlisted)],
  seq: 't.seq',
})

/** Every employee has one primary address, which is unique: the order of addresses is that of employees. */
function addressSource({ db, unlisted }: Scope): Source {
  const same = 'org = a.org AND id = a.employee_id AND email = a.address AND unlisted = ?'
  const joined =
    db.dialect.name === 'sqlite'
      ? `employees t INDEXED BY employees_id ON t.${same.replaceAll(' AND ', ' AND t.')}`
      : `LATERAL (SELECT * FROM employees WHERE ${same} OFFSET 0) AS t`
  return {
    from: `employee_addresses a CROSS JOIN ${joined}`,
    fromParams: [unlisted],
    where: [],
    seq: 't.seq',
  }
}

function leadSource({ db, table, org, unlisted, after, below }: Scope, lead: Lead): Source {
  const params = lead.params(org, after, below)
  if (lead.own) {
    const where = [bare(lead.where, ...params), bare('t.unlisted = ?', unlisted)]
    return { from: lead.from, fromParams: [], where, seq: lead.order }
  }
  // In brackets, so that its parameters come first whatever it is made of.
  const numbers = `(SELECT ${lead.seq} AS seq FROM ${lead.from} WHERE ${lead.where}) AS d`
  const from = db.dialect.lookup(numbers, table.name, 'd.seq')
  return { from, fromParams: [...params, org, unlisted], where: [], seq: 'd.seq' }
}
