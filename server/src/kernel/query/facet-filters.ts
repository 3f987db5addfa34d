import type { Collection } from '@muster/contract/api/collection'
import type { ConsoleLoginMethod } from '@muster/contract/console/login-methods'
import { type ScoreRange, scoresOf, scoresOfLevel } from '@muster/contract/risk/risk-levels'
import { bitsWithAny, mfaStates } from '../store/derived-columns.ts'
import { type FacetCount, type FacetValue, facetsOf, readFacetCounts } from '../store/figures/facet-counts.ts'
import type { Reader } from '../store/sql.ts'
import { tableOf } from '../store/tables.ts'
import { columnValue } from '../store/values.ts'
import type { FilterValues } from './predicates.ts'

/** Tests a combination of facets. */
type FacetTest = (values: FacetCount['values']) => boolean

const isOneOf = (facet: string, values: readonly FacetValue[]): FacetTest => {
  const chosen = new Set(values)
  return (facets) => chosen.has(facets[facet] ?? null)
}

const byScore =
  <V extends string>(facet: string, rangeOf: (value: V) => ScoreRange | undefined) =>
  (values: readonly unknown[]): FacetTest => {
    const ranges = (values as V[]).map(rangeOf)
    return ({ [facet]: score = null }) =>
      ranges.some((range) => {
        if (range === undefined || score === null) return range === undefined && score === null
        return Number(score) >= range[0] && Number(score) < (range[1] ?? Number.POSITIVE_INFINITY)
      })
  }

const byLoginMethod = (methods: readonly unknown[]): FacetTest =>
  isOneOf('login_methods', bitsWithAny(methods as ConsoleLoginMethod[]))

const byRisk = byScore('risk_score', scoresOfLevel)

/** Console filters that test a facet, as `console-predicates.ts` tests its column. */
const consoleFacets: Readonly<
  Record<string, Readonly<Record<string, (values: readonly unknown[]) => FacetTest>>>
> = {
  employees: { risk: byRisk },
  accounts: {
    mfa: (values) => {
      const states = values.map((value) => mfaStates[value as keyof typeof mfaStates])
      return isOneOf('mfa', states.includes(mfaStates.UNKNOWN) ? [...states, null] : states)
    },
    loginMethod: byLoginMethod,
    risk: byRisk,
    passwordSeen: (values) => isOneOf('password_seen', values.map(Number)),
  },
  accountsOther: { loginMethod: byLoginMethod },
  findings: { priority: byScore('priority_score', scoresOf) },
}

/** Returns the test of the facet of a filter; undefined if the filter is not on a facet. */
function facetTestOf(collection: Collection, name: string, value: unknown): FacetTest | undefined {
  const values = [value].flat()
  const own = consoleFacets[collection.name]?.[name]
  if (own) return own(values)
  const filter = collection.filters[name]
  if (filter?.kind !== 'exact') return undefined
  const column = tableOf(collection).columns.find(({ member }) => member === filter.member)
  if (!column || !facetsOf(collection).includes(column.name)) return undefined
  return isOneOf(
    column.name,
    values.map((one) => columnValue(column, one) as FacetValue),
  )
}

/** Returns the test of all filters; undefined if one of them is not on a facet, or if the collection has no facets. */
function facetTest(collection: Collection, filters: FilterValues): FacetTest | undefined {
  if (facetsOf(collection).length === 0) return undefined
  const tests: FacetTest[] = []
  for (const [name, value] of Object.entries(filters)) {
    const test = facetTestOf(collection, name, value)
    if (!test) return undefined
    tests.push(test)
  }
  return (values) => tests.every((test) => test(values))
}

/** Counts the listed records of a collection that match filters on facets. */
export type CountByFacets = (collection: Collection, filters: FilterValues) => Promise<number>

/**
 * Returns a function that counts by facets. It reads each collection once, so its numbers fit together.
 *
 * @throws Error if a filter is not on a facet
 */
export function facetCounter(db: Reader, org: number): CountByFacets {
  const read = new Map<Collection, Promise<FacetCount[]>>()
  return async (collection, filters) => {
    const test = facetTest(collection, filters)
    if (!test) throw new Error(`${collection.name} are not counted by ${Object.keys(filters).join(', ')}`)
    const counts = read.get(collection) ?? readFacetCounts(db, collection, org)
    read.set(collection, counts)
    return (await counts).reduce((sum, { values, records }) => (test(values) ? sum + records : sum), 0)
  }
}

/** Counts the listed records that match filters; undefined if a filter is not on a facet. */
export const countByFacets = async (
  db: Reader,
  collection: Collection,
  org: number,
  filters: FilterValues,
): Promise<number | undefined> => facetTest(collection, filters) && facetCounter(db, org)(collection, filters)
