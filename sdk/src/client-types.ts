import type { OperationId, operations, Paging } from '@muster/contract/api/api'
import type { Collection, Filter, RecordOf } from '@muster/contract/api/collection'
import type {
  ActionOperation,
  BodyOf,
  GetOperation,
  ListOperation,
  ResponseOf,
} from '@muster/contract/api/operation'

/** The declarations of all operations, from which everything here is derived. */
type Declarations = typeof operations

/** The operations that are lists. */
export type ListId = {
  [K in OperationId]: Declarations[K] extends ListOperation ? K : never
}[OperationId]

/** A page of a list. The client finds the records whatever the deployment calls their member. */
export interface Page<R> {
  readonly records: readonly R[]
  readonly paging: Paging
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, and the waiting between its attempts; the call is rejected with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Options of a POST. */
export interface PostOptions extends CallOptions {
  /**
   * 1 to 255 printable characters that identify this request for 24 hours. The client generates one by default. Pass your
   * own to repeat a request safely after a restart of your program.
   */
  readonly idempotencyKey?: string
}

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

/** Position of a page in a list. */
export interface PagingInput {
  /** Records per page, 1 to 1000; 100 by default. */
  readonly limit?: number | undefined
  /** Start of the page, from `paging.nextToken` of the page before. */
  readonly nextToken?: string | null | undefined
  /** Number of records to skip; not together with `nextToken`. */
  readonly offset?: number | undefined
}

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

/** Options of an iteration. */
export interface WalkInput {
  /** Records per request, 1 to 1000; 1000 by default. The iteration returns all records. */
  readonly limit?: number | undefined
  /** Start of the iteration: a token from an earlier page of the same list with the same filters. */
  readonly nextToken?: string | null | undefined
  /** A walk goes by tokens: `offset` is for single pages. */
  readonly offset?: never
}

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
