import type { Collection } from '@muster/contract/collection'
import type { SearchThrough } from '@muster/contract/console/console-lists'
import { beginsAtNames, extensionNamePredicate } from '../store/extension-names.ts'
import { membersHold } from '../store/member-text.ts'
import { firstSequenceOf, sequenceEnd } from '../store/sequence.ts'
import type { Param, Reader } from '../store/sql.ts'
import {
  type Column,
  indexOf,
  sortColumnOf,
  type Table,
  tableOf,
  unlistedFilterOf,
  walkIndexOf,
} from '../store/tables.ts'
import { columnValue } from '../store/values.ts'
import { consoleFilterPredicate, isConsoleFilter } from './console-predicates.ts'
import {
  type FilterValues,
  type Fragment,
  type Lead,
  type Merged,
  type Predicate,
  predicatesOf,
} from './predicates.ts'
import { searchedThrough } from './search-through.ts'

/** What a sorted list is asked for. */
export interface SortedRequest {
  readonly collection: Collection
  readonly org: number
  /** The values of filters; an exact one may have several, of which a record must have one. */
  readonly filters: FilterValues
  readonly search?: Search | undefined
  readonly sort: { readonly member: string; readonly descending: boolean }
}

/** Words, each of which one of the members must hold: first and last name are members of their own. */
export interface Search {
  readonly members: readonly string[]
  /** Looks into the records that these members name, in place of the members. */
  readonly through?: readonly SearchThrough[]
  readonly text: string
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
  /**
   * The rows as `t`, between two bounds of `seq`, both exclusive. The bounds stand in it once each: of several that say
   * the same, a store would take the first that comes, and walk from there.
   */
  readonly source: (after: number, below: number) => Source
  /** The bounds of the window of creation. */
  readonly after: number
  readonly below: number
  /** What the rows are sorted by before `seq`; absent where that is all. */
  readonly key: string | undefined
  readonly seq: string
  readonly nulls: boolean
  /** The same rows by a way that refuses fewer of them, but begins slowly; the tests are those of its rows. */
  readonly merged?: MergedWay
}

/** A way through a run by lists that are merged. */
export interface MergedWay {
  readonly source: Run['source']
  readonly tests: readonly Fragment[]
  /** Finds the number of the row so many rows on. */
  readonly end: (descending: boolean, count: number, after: number, below: number) => Fragment
  /** Counts the rows that pass among so many: how many were `looked` at, and were `hits`. */
  readonly count: (after: number, below: number, most: number) => Fragment
}

/** FROM and WHERE of a statement. */
export interface Source {
  readonly from: string
  readonly fromParams: readonly Param[]
  readonly where: readonly Fragment[]
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
  const predicates = await conditionsOf(request, table, db)
  const byCreation = request.sort.member === 'creationTimestamp'
  const [only] = predicates
  if (byCreation && only?.lead?.merged && predicates.length === 1) {
    const merged = mergedWay(scope, only.lead, only.lead.merged)
    const runs = runsOf(scope, request, undefined).map((run) => ({ ...run, merged }))
    return { table, runs, tests: [only.test], narrow: false }
  }
  const found = await rarest(scope, predicates)
  // A condition that gives many rows can still lead where they come in the order asked for.
  const lead = found?.narrow || (byCreation && found?.lead.ordered) ? found?.lead : undefined
  const tests = predicates
    .filter((predicate) => found?.predicate !== predicate || lead === undefined || lead.tested)
    .map((predicate) => (lead?.merged && predicate.lead === lead ? testOf(lead.merged) : predicate.test))
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

async function conditionsOf(request: SortedRequest, table: Table, db: Reader): Promise<Predicate[]> {
  const { collection } = request
  // The window of creation bounds the sequence, for collections without a filter for it, too.
  const { creationTimestampAfter: _after, creationTimestampBefore: _before, ...filters } = request.filters
  const single: Record<string, unknown> = {}
  const made: Predicate[] = []
  for (const [name, value] of Object.entries(filters)) {
    const filter = collection.filters[name]
    if (isConsoleFilter(collection, name, value))
      made.push(...[consoleFilterPredicate(collection, name, value, db.dialect) ?? []].flat())
    else if (filter?.kind !== 'exact' || !Array.isArray(value)) single[name] = value
    else if (value.length === 1) single[name] = value[0]
    else made.push(oneOfValues(table, filter.member, value))
  }
  const searched = request.search ? await searchConditions(request, request.search, db) : []
  return [...predicatesOf(collection, single, db.dialect), ...made, ...searched]
}

/** That each of the words is in one of the members, by whatever index the members have. */
async function searchConditions(
  { collection, org }: SortedRequest,
  { members, through = [], text }: Search,
  db: Reader,
): Promise<Predicate[]> {
  const table = tableOf(collection)
  const { dialect } = db
  const words = wordsIn(text)
  if (through.length > 0)
    return Promise.all(words.map((word) => searchedThrough(db, table, org, through, word)))
  const filter = searchedFilter(collection, members)
  if (filter !== undefined)
    return words.flatMap((word) => predicatesOf(collection, { [filter]: word }, dialect))
  const tests = words.map((word) => membersHold(dialect, members, word))
  if (beginsAtNames(table, members)) return [extensionNamePredicate(table, words, tests, dialect)]
  return tests.map((test) => ({ test }))
}

/** So many words are looked for by themselves; what is behind them is one of them. */
const wordsAtMost = 6

/** The words of a search; a text of nothing but blanks is looked for as it is. */
function wordsIn(text: string): readonly string[] {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= 1) return [words[0] ?? text]
  return words.length <= wordsAtMost
    ? words
    : [...words.slice(0, wordsAtMost - 1), words.slice(wordsAtMost - 1).join(' ')]
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
    const { where, params, order } = db.dialect.scan(org, unlisted, after, below)
    const rows = `SELECT t.* FROM ${table.name} t${db.dialect.indexedBy(null)} WHERE ${where} ORDER BY ${order} LIMIT ${sampleRows}`
    const hits = await db.get<{ hits: number }>(
      `SELECT count(*) AS hits FROM (${rows}) AS t WHERE ${test.sql}`,
      [...params, ...test.params],
    )
    if ((hits?.hits ?? 0) >= sampleHits) return undefined
  }
  const { late } = lead
  return late && (await db.get(late.sql, late.params(org, after, below))) ? late.lead : lead
}

const bare = (sql: string, ...params: Param[]): Fragment => ({ sql, params })

function runsOf(scope: Scope, { collection, sort }: SortedRequest, lead: Lead | undefined): Run[] {
  const { table, after, below, org } = scope
  const column = sortColumnOf(table, sort.member)
  if (!column && !lead) return [creationRun(scope)]
  const bySeq = { after, below, seq: lead && !lead.own ? 'd.seq' : 't.seq' }
  const found = lead ? leadSource(scope, lead) : walkSource(scope, walkIndexOf(table))
  if (!column) return [{ ...bySeq, source: found, key: undefined, nulls: true }]
  const key = `t.${column.name}`
  if (!lead && collection.name === 'employees' && sort.member === 'email') {
    const source = withCondition(addressSource(scope), bare('a.org = ?', org))
    return [{ ...bySeq, source, key: 'a.address', nulls: false }]
  }
  const byKey = lead ? found : walkSource(scope, indexOf(table, column.name))
  const valued: Run = {
    ...bySeq,
    source: withCondition(byKey, bare(`${key} IS NOT NULL`)),
    key,
    nulls: false,
  }
  if (!column.nullable) return [valued]
  return [
    valued,
    {
      ...{ ...bySeq, key: undefined, nulls: true },
      source: withCondition(column.indexesNulls ? byKey : found, bare(`${key} IS NULL`)),
    },
  ]
}

type SourceOf = Run['source']

const withCondition =
  (source: SourceOf, condition: Fragment): SourceOf =>
  (after, below) => {
    const { where, ...rest } = source(after, below)
    return { ...rest, where: [...where, condition] }
  }

/** All rows in the order of creation. */
function creationRun({ db, table, org, unlisted, after, below }: Scope): Run {
  const from = `${table.name} t${db.dialect.indexedBy(null)}`
  const walked = (first: number, last: number) => db.dialect.scan(org, unlisted, first, last)
  return {
    ...{ after, below, seq: walked(after, below).order, key: undefined, nulls: true },
    source: (first, last) => {
      const { where, params } = walked(first, last)
      return { from, fromParams: [], where: [bare(where, ...params)] }
    },
  }
}

const walkSource = ({ db, table, org, unlisted }: Scope, index: string): SourceOf => {
  // The narrow index is sorted by it, and others are not.
  const listing = index === walkIndexOf(table) ? 't.unlisted' : db.dialect.hiddenFlag
  return (after, below) => ({
    from: `${table.name} t${db.dialect.indexedBy(index)}`,
    fromParams: [],
    where: [bare(`t.org = ? AND ${listing} = ? AND t.seq > ? AND t.seq < ?`, org, unlisted, after, below)],
  })
}

/** Every employee has one primary address, which is unique: the order of addresses is that of employees. */
function addressSource({ db, unlisted }: Scope): SourceOf {
  const joined = db.dialect.indexedJoin({
    table: 'employees',
    alias: 't',
    index: 'employees_id',
    where: ['org = a.org', 'id = a.employee_id', 'email = a.address', 'unlisted = ?'],
  })
  const from = `employee_addresses a CROSS JOIN ${joined}`
  return (after, below) => ({
    from,
    fromParams: [unlisted],
    where: [bare('t.seq > ? AND t.seq < ?', after, below)],
  })
}

function leadSource({ db, table, org, unlisted }: Scope, lead: Lead): SourceOf {
  return (after, below) => {
    const params = lead.params(org, after, below)
    // An unordered lead knows no bounds; they are tested.
    const bounded = lead.ordered || lead.merged
    const within = (seq: string) => (bounded ? [] : [bare(`${seq} > ? AND ${seq} < ?`, after, below)])
    if (lead.own) {
      const where = [
        bare(lead.where, ...params),
        bare(`${db.dialect.hiddenFlag} = ?`, unlisted),
        ...within('t.seq'),
      ]
      return { from: lead.from, fromParams: [], where }
    }
    // In brackets, so that its parameters come first whatever it is made of.
    const numbers = `(${numbersOf(lead)}) AS d`
    const from = db.dialect.joinBySeq(numbers, table.name, 'd.seq')
    return { from, fromParams: [...params, org, unlisted], where: [bare('1 = 1'), ...within('d.seq')] }
  }
}

/** The numbers of the rows of a lead, and what it tells of each. */
const numbersOf = ({ seq, merged, from, where }: Lead): string =>
  `SELECT ${[`${seq} AS seq`, ...(merged ? [merged.columns] : [])].join(', ')} FROM ${from} WHERE ${where}`

/** The test of a row `t` that a lead gave as `d`. */
const testOf = ({ passes, test }: Merged): Fragment => bare(`(${passes} OR ${test.sql})`, ...test.params)

function mergedWay(scope: Scope, lead: Lead, merged: Merged): MergedWay {
  const { db, table, org, unlisted } = scope
  const { passes, test } = merged
  return {
    source: leadSource(scope, lead),
    tests: [testOf(merged)],
    end: (descending, count, after, below) => {
      const { sql, params } = merged.end(descending, count)
      return { sql, params: params(org, after, below) }
    },
    count: (after, below, most) => {
      // Of most rows the number is enough: to find each in its table would cost many times as much.
      const row = db.dialect.joinBySeq('(SELECT d.seq AS seq) AS o', table.name, 'o.seq')
      const hit = `CASE WHEN ${passes} THEN 1 WHEN EXISTS (SELECT 1 FROM ${row} WHERE ${test.sql}) THEN 1 ELSE 0 END`
      return {
        sql: `SELECT count(*) AS looked, sum(${hit}) AS hits FROM (${numbersOf(lead)} LIMIT ${most}) AS d`,
        params: [org, unlisted, ...test.params, ...lead.params(org, after, below)],
      }
    },
  }
}
