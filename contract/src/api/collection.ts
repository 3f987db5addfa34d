import type { Static, TObject } from 'typebox'

/**
 * Declaration of a resource: the schema of its public record and its filters.
 * Validation, types, OpenAPI, tables, indexes and endpoints follow from this declaration.
 */
export interface Collection<
  R extends TObject = TObject,
  N extends string = string,
  F extends Filters = Filters,
> {
  /** Name in API paths, of the table and of the import file. */
  readonly name: N
  readonly record: R
  readonly filters: F
  /** For a list under a record of another collection: the internal column that refers to it. */
  readonly parent?: string
}

export type RecordOf<C> = C extends Collection<infer R> ? Static<R> : never

/**
 * Matching of a query parameter (REST contract, Filters):
 * - `exact`: the member equals the value;
 * - `contains`: the member contains the value, ignoring case;
 * - `has`: the array member contains the value;
 * - `all`: the array member contains every value of the repeated parameter;
 * - `after`: the member is at or later than the value; `before`: it is earlier.
 */
export type FilterKind = 'exact' | 'contains' | 'has' | 'all' | 'after' | 'before'

export interface Filter<K extends FilterKind = FilterKind, M extends string = string> {
  readonly kind: K
  /** The filtered member of the record. */
  readonly member: M
  /** True to ignore case. */
  readonly foldsCase?: boolean
  /** Description in the reference; derived from kind and member by default. */
  readonly description?: string
}

/** Filters of a list by parameter name. */
export type Filters = Readonly<Record<string, Filter>>

const filter =
  <const K extends FilterKind>(kind: K) =>
  <const M extends string>(member: M, description?: string): Filter<K, M> =>
    description === undefined ? { kind, member } : { kind, member, description }

export const exact = filter('exact')
export const contains = filter('contains')
export const has = filter('has')
export const all = filter('all')
export const allWithoutCase = <const M extends string>(member: M): Filter<'all', M> => ({
  kind: 'all',
  member,
  foldsCase: true,
})

type Window<M extends string> = { readonly [P in `${M}After`]: Filter<'after', M> } & {
  readonly [P in `${M}Before`]: Filter<'before', M>
}

/** Returns the pair `<member>After` (inclusive) and `<member>Before` (exclusive), so adjacent ranges do not overlap. */
export const window = <const M extends string>(member: M): Window<M> =>
  ({
    [`${member}After`]: filter('after')(member),
    [`${member}Before`]: filter('before')(member),
  }) as Window<M>

/** Declares a collection; the type keeps the record's shape and the filters' names. */
export const collection = <R extends TObject, const N extends string, F extends Filters>(
  declaration: Collection<R, N, F>,
): Collection<R, N, F> => declaration

/** `limit` of every list (REST contract, Paging). */
export const pageLimits = { minimum: 1, maximum: 1000, default: 100 } as const

/** Maximum `offset`. */
export const offsetMaximum = 1_000_000_000

/** Maximum number of values of an array filter (REST contract, Filters). */
export const filterValuesMaximum = 50
