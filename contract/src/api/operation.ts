import type { Static, TObject, TSchema } from 'typebox'
import type { Collection } from './collection.ts'
import { type ErrorCode, errorCatalog } from './errors.ts'

/** An endpoint as data. What a kind implies (method, response, errors) is not written again. */
export type Operation = ListOperation | GetOperation | ActionOperation

interface Described {
  readonly path: `/v1/${string}`
  /** Resource group in the reference; defaults to the name of the collection. */
  readonly tag?: string
  readonly summary: string
  readonly description?: string
}

/** `GET` of a page of records: every collection gets it from its declaration. */
export interface ListOperation<C extends Collection = Collection> extends Described {
  readonly kind: 'list'
  readonly collection: C
}

/** `GET` of one record by id. */
export interface GetOperation<C extends Collection = Collection> extends Described {
  readonly kind: 'get'
  readonly collection: C
}

/** A modifying operation with a custom handler. */
export interface ActionOperation<B extends TObject = TObject, R extends TSchema = TSchema> extends Described {
  readonly kind: 'action'
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly tag: string
  readonly body?: B
  /** The one member of the body that may stand in the query instead (REST contract, DELETE with a value). */
  readonly valueInQuery?: keyof Static<B> & string
  readonly response: R
  /** Beyond those that every call can give. */
  readonly errors: readonly ErrorCode[]
  /** Maximum body size in bytes; 1 MiB by default (REST contract, rule 6). */
  readonly bodyLimitBytes?: number
}

interface At<P extends string> {
  readonly path: P
}

/** Declares an operation; the type keeps the path, and the shapes of the body and the response. */
export function operation<C extends Collection, const P extends Described['path']>(
  declaration: ListOperation<C> & At<P>,
): ListOperation<C> & At<P>
export function operation<C extends Collection, const P extends Described['path']>(
  declaration: GetOperation<C> & At<P>,
): GetOperation<C> & At<P>
export function operation<B extends TObject, R extends TSchema, const P extends Described['path']>(
  declaration: ActionOperation<B, R> & At<P>,
): ActionOperation<B, R> & At<P>
export function operation(declaration: Operation): Operation {
  return declaration
}

export const methodOf = (declared: Operation): 'GET' | 'POST' | 'PATCH' | 'DELETE' =>
  declared.kind === 'action' ? declared.method : 'GET'

const commonErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unauthenticated',
  'rate_limited',
  'internal',
  'unavailable',
]

/**
 * Every error that an operation can give, in the order of their statuses: those of every call, those that its method, path and body imply, and those it declares.
 */
export const errorsOf = (declared: Operation): readonly ErrorCode[] => {
  const codes = new Set(commonErrors)
  const method = methodOf(declared)
  if (method !== 'GET') codes.add('read_only_key')
  if (declared.path.includes('/:id')) codes.add('not_found')
  if (method === 'POST') codes.add('conflict').add('idempotency_mismatch')
  if (declared.kind === 'action') {
    codes.add('payload_too_large').add('unsupported_media_type')
    for (const code of declared.errors) codes.add(code)
  }
  return [...codes].sort((one, other) => errorCatalog[one].status - errorCatalog[other].status)
}

export const tagOf = (declared: Operation): string =>
  declared.kind === 'action' ? declared.tag : (declared.tag ?? declared.collection.name)

/** Arguments of an action's handler: the ID in the path, if any, and the body. */
export type BodyOf<O> = O extends ActionOperation<infer B, TSchema> ? Static<B> : never
export type ResponseOf<O> = O extends ActionOperation<TObject, infer R> ? Static<R> : never

/** Bodies of every other call may have this size (REST contract, rule 6). */
export const bodyLimitBytesDefault = 1024 * 1024
