import { methodOf, type Operation } from '@muster/contract/api/operation'
import type { PostOptions } from './client-options.ts'

/** A call as it goes over the wire, before the server's address and the key are known. */
export interface CallRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The body as JSON; absent when there is none. */
  readonly body?: string
  readonly idempotencyKey?: string
  /** True if the request is idempotent. */
  readonly repeatable: boolean
}

type Query = Readonly<Record<string, unknown>>

/** The arguments of a method by what they are (`OperationMethod`). */
export interface CallArguments {
  readonly id?: unknown
  /** The filters of a list, or the body of an action. */
  readonly input?: unknown
  readonly options: PostOptions
}

/** Sorts the arguments of a method: the id, then filters or body, then options, each only where there is one. */
export function sortArguments(operation: Operation, values: readonly unknown[]): CallArguments {
  const rest = [...values]
  const hasId = operation.path.includes('/:id')
  const hasInput = operation.kind === 'list' || (operation.kind === 'action' && operation.body !== undefined)
  return {
    ...(hasId ? { id: rest.shift() } : {}),
    ...(hasInput ? { input: rest.shift() } : {}),
    options: (rest[0] ?? {}) as PostOptions,
  }
}

/**
 * The request of a call.
 *
 * @throws TypeError when the id cannot be part of a path
 */
export function callRequest(operation: Operation, { id, input, options }: CallArguments): CallRequest {
  const method = methodOf(operation)
  const path = operation.path.replace(':id', () => pathPart(id))
  if (operation.kind === 'list')
    return { method, target: `${path}${queryOf((input ?? {}) as Query)}`, repeatable: true }
  if (operation.kind === 'get') return { method, target: path, repeatable: true }
  // Many proxies drop the body of a DELETE, so its values are sent in the query, which the API also accepts.
  if (operation.valueInQuery !== undefined) {
    return { method, target: `${path}${queryOf((input ?? {}) as Query)}`, repeatable: false }
  }
  return {
    method,
    target: path,
    ...(operation.body ? { body: JSON.stringify(input) } : {}),
    ...(method === 'POST' ? { idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() } : {}),
    repeatable: method === 'POST',
  }
}

/** `.` and `..` would name another path, and nothing would name the list. */
function pathPart(id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError('id must be the id of a record')
  return encodeURIComponent(id)
}

/** A parameter once per value; what is null or undefined is left out. */
function queryOf(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) parameters.append(name, String(each))
    }
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}
