import type { Paging } from '@muster/contract/api/api'

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

/** Position of a page in a list. */
export interface PagingInput {
  /** Records per page, 1 to 1000; 100 by default. */
  readonly limit?: number | undefined
  /** Start of the page, from `paging.nextToken` of the page before. */
  readonly nextToken?: string | null | undefined
  /** Number of records to skip; not together with `nextToken`. */
  readonly offset?: number | undefined
}

/** Options of an iteration. */
export interface WalkInput {
  /** Records per request, 1 to 1000; 1000 by default. The iteration returns all records. */
  readonly limit?: number | undefined
  /** Start of the iteration: a token from an earlier page of the same list with the same filters. */
  readonly nextToken?: string | null | undefined
  /** A walk goes by tokens: `offset` is for single pages. */
  readonly offset?: never
}
