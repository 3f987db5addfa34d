import type { OperationId, operations } from '@muster/contract/api/api'
import type { Collection, Filter, RecordOf } from '@muster/contract/api/collection'
import type {
  ActionOperation,
  BodyOf,
  GetOperation,
  ListOperation,
  ResponseOf,
} from '@muster/contract/api/operation'
import type { CallOptions, Page, PagingInput, PostOptions, WalkInput } from './client-options.ts'

/** The declarations of all operations, from which everything here is derived. */
type Declarations = typeof operations

/** The operations that are lists. */
export type ListId = {
  [K in OperationId]: Declarations[K] extends ListOperation ? K : never
}[OperationId]

type Item<T> = T extends readonly (infer I)[] ? I : T
type Value<R, M> = M extends keyof R ? Item<NonNullable<R[M]>> : never

/** Value of a filter: one of the member's type, or several. */
type FilterInput<R, F> =
  F extends Filter<infer K, infer M>
    ? K extends 'all'
      ? Value<R, M> | readonly Value<R, M>[]
      : K extends 'contains'
        ? string
        : Value<R, M>
    : never

type FiltersOf<C> =
  C extends Collection<infer _R, string, infer F>
    ? { readonly [N in keyof F]?: FilterInput<RecordOf<C>, F[N]> | undefined }
    : never

/** The filters of a list, by operation. */
export type ListFilters<K extends ListId> =
  Declarations[K] extends ListOperation<infer C> ? FiltersOf<C> : never

/** A record of a list, by operation. */
export type ListRecord<K extends ListId> =
  Declarations[K] extends ListOperation<infer C> ? RecordOf<C> : never

/** True if an action has a body. Actions without one have the general body type, which matches every other. */
type HasBody<O> =
  O extends ActionOperation<infer B> ? (NonNullable<ActionOperation['body']> extends B ? false : true) : false

type IdArguments<O> = O extends { readonly path: `${string}/:id${string}` } ? [id: string] : []

type InputArguments<O> =
  O extends ListOperation<infer C>
    ? [filters?: FiltersOf<C> & PagingInput]
    : HasBody<O> extends true
      ? [body: BodyOf<O>]
      : []

// The method of an action is not in its type; the key is ignored for other methods.
type OptionsOf<O> = O extends ActionOperation ? PostOptions : CallOptions

type Result<O> =
  O extends ListOperation<infer C>
    ? Page<RecordOf<C>>
    : O extends GetOperation<infer C>
      ? RecordOf<C>
      : ResponseOf<O>

/**
 * The method of an operation: the id, if its path has one; then the filters of a list or the body of an action;
 * then options.
 *
 * @throws MusterApiError when the server refuses; MusterConnectionError when it cannot be reached;
 *   MusterAnswerError when what answers does not speak this API
 */
export type OperationMethod<O> = (
  ...input: [...IdArguments<O>, ...InputArguments<O>, options?: OptionsOf<O>]
) => Promise<Result<O>>

type Methods = { readonly [K in OperationId]: OperationMethod<Declarations[K]> }

/** The API as methods: one per operation, named as in the reference, and `iterate`. */
export interface Client extends Methods {
  /**
   * All records of a list, page after page by `nextToken`: every record that exists during the whole walk, exactly
   * once, oldest first. The next page is asked for when the loop gets there.
   *
   * `for await (const app of client.iterate('listApps', { labels: 'GenAI' })) …`
   */
  iterate<K extends ListId>(
    list: K,
    ...input: [...IdArguments<Declarations[K]>, filters?: ListFilters<K> & WalkInput, options?: CallOptions]
  ): AsyncGenerator<ListRecord<K>, void, undefined>
}
