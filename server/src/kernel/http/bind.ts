import { type OperationId, operations } from '@muster/contract/api/api'
import { ApiError, invalidRequest, type Mistake } from '@muster/contract/api/errors'
import { queryParameters } from '@muster/contract/api/filter-schema'
import {
  type ActionOperation,
  bodyLimitBytesDefault,
  methodOf,
  type Operation,
} from '@muster/contract/api/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BodyReader, bodyReader, readNoBody } from './body.ts'
import { acceptsGzip, compressed, compressFromBytes } from './compress.ts'
import type { Principal } from './principal.ts'
import { type QueryValues, readQuery } from './query.ts'

/** Validated request for an operation. */
export interface Call {
  principal: Principal
  /** ID in the path; empty for paths without one. */
  id: string
  body: unknown
  /** Requested path, for Idempotency-Key. */
  path: string
  idempotencyKey: string | undefined
  /** Origin of the request. */
  origin: { readonly address: string; readonly userAgent: string | undefined }
}

export interface Answer {
  status: number
  body: string | Uint8Array
  replayed?: boolean
}

/** Page of a list. */
export interface ListPage {
  /** Response body. Its buffer is not pooled and is freed after sending. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Query parameter for the next page: `nextToken=…` or `offset=…`; undefined on the last page. */
  readonly next: string | undefined
}

/** Implementation of each kind of operation. */
export interface Services {
  list(operation: OperationId, principal: Principal, id: string, query: QueryValues): Promise<ListPage>
  get(operation: OperationId, principal: Principal, id: string): Promise<string | Uint8Array>
  runAction(operation: OperationId, call: Call): Promise<Answer>
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** Prefix of all API paths (REST API document, section 9). */
export const apiPrefix = '/v1'

export const jsonType = 'application/json; charset=utf-8'

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? ''

const idOf = (request: FastifyRequest): string => (request.params as { id?: string }).id ?? ''

function principalOf(request: FastifyRequest): Principal {
  // Deny by default: the authentication hook must have run.
  if (!request.principal) throw new Error('a route of /v1 was reached without authentication')
  return request.principal
}

/**
 * Registers a route for every operation of the contract.
 *
 * @param publicUrl origin of the `Link` headers to the next page; without it there are no such headers
 */
export function bindOperations(app: FastifyInstance, services: Services, publicUrl?: string): void {
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const { path } = operation
    const parameters = new Map(queryParameters(operation).map((parameter) => [parameter.name, parameter]))
    const handler =
      operation.kind === 'action'
        ? actionHandler(id, operation, parameters, services)
        : operation.kind === 'list'
          ? async (request: FastifyRequest, reply: FastifyReply) => {
              const query = readQuery(request.url, parameters)
              reply.header('content-type', jsonType)
              const { body, next } = await services.list(id, principalOf(request), idOf(request), query)
              if (next !== undefined && publicUrl !== undefined)
                reply.header('link', nextLink(`${publicUrl}${path}`, request, next))
              // Frees the off-heap buffer now: until the next garbage collection, many more would accumulate.
              if (body.length >= compressFromBytes) {
                reply.header('vary', 'accept-encoding')
                if (acceptsGzip(request))
                  return compressed(reply, body).finally(() => void body.buffer.transfer(0))
              }
              reply.raw.once('finish', () => void body.buffer.transfer(0))
              return body
            }
          : async (request: FastifyRequest, reply: FastifyReply) => {
              readQuery(request.url, parameters)
              reply.header('content-type', jsonType)
              return services.get(id, principalOf(request), idOf(request))
            }
    const bodyLimit =
      operation.kind === 'action'
        ? (operation.bodyLimitBytes ?? bodyLimitBytesDefault)
        : bodyLimitBytesDefault
    app.route({ method: methodOf(operation), url: path.slice(apiPrefix.length), bodyLimit, handler })
  }
}

/** Query parameters that select a page. */
const pagingParameters = /^(?:nextToken|offset)(?:=|$)/

/**
 * Returns the `Link` header of the next page (RFC 8288): the URL of this page with another paging parameter and the same
 * filters and limit.
 */
function nextLink(address: string, request: FastifyRequest, next: string): string {
  const { url } = request
  const kept = url.includes('?') ? url.slice(url.indexOf('?') + 1).split('&') : []
  const query = [...kept.filter((pair) => pair !== '' && !pagingParameters.test(decoded(pair))), next]
  const target = `${address.replace(':id', encodeURIComponent(idOf(request)))}?${query.join('&')}`
  // Only URL characters may be between the brackets, but Node accepts others in the request line.
  return `<${target.replaceAll(/[^\w.~:/?@!$&'()*+,;=%-]/g, encodeURIComponent)}>; rel="next"`
}

/** Decodes a query parameter that was validated before. */
const decoded = (pair: string): string => (pair.includes('%') ? decodeURIComponent(pair) : pair)

type Parameters = ReadonlyMap<string, ReturnType<typeof queryParameters>[number]>

function actionHandler(
  id: OperationId,
  operation: ActionOperation,
  parameters: Parameters,
  services: Services,
) {
  const readBody = operation.body ? bodyReader(operation.body) : readNoBody
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { gather, throwIfAny } = mistakeGatherer()
    const query = gather(() => readQuery(request.url, parameters))
    const bytes = request.body as Buffer | undefined
    const named = operation.valueInQuery
    const body = gather(() =>
      named === undefined ? readBody(bytes) : readNamedValue(named, request.url, query, bytes, readBody),
    )
    const idempotencyKey = operation.method === 'POST' ? gather(() => idempotencyKeyOf(request)) : undefined
    throwIfAny()
    const call: Call = {
      principal: principalOf(request),
      id: idOf(request),
      body,
      path: pathOf(request),
      idempotencyKey,
      origin: { address: request.ip, userAgent: request.headers['user-agent'] },
    }
    const answer = await services.runAction(id, call)
    if (answer.replayed) reply.header('idempotency-replayed', 'true')
    return reply.code(answer.status).header('content-type', jsonType).send(answer.body)
  }
}

/** Collects the mistakes of all parts of a request to report them at once (REST contract, Errors). */
function mistakeGatherer() {
  const mistakes: Mistake[] = []
  return {
    /** Returns the result of `read`. Collects its mistakes and returns undefined if it fails. */
    gather: <T>(read: () => T): T | undefined => {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof ApiError) || error.mistakes.length === 0) throw error
        mistakes.push(...error.mistakes)
        return undefined
      }
    },
    /** @throws ApiError invalid_request if there are mistakes */
    throwIfAny: (): void => {
      if (mistakes.length > 0) throw invalidRequest(mistakes)
    },
  }
}

const isInQuery = (url: string, name: string): boolean =>
  url.includes('?') && new URLSearchParams(url.slice(url.indexOf('?'))).has(name)

/** Returns true for a missing body and for an empty object, which some clients always send. */
const isEmptyBody = (bytes: Buffer | undefined): boolean =>
  bytes === undefined || /^\s*(\{\s*\}\s*)?$/.test(bytes.toString('latin1'))

/** Reads the value of a DELETE from the body or from the query, but not from both (REST contract, DELETE with a value). */
function readNamedValue(
  name: string,
  url: string,
  query: QueryValues | undefined,
  bytes: Buffer | undefined,
  readBody: BodyReader,
): unknown {
  const inBody = !isEmptyBody(bytes)
  if (!isInQuery(url, name)) {
    if (inBody) return readBody(bytes)
    throw invalidRequest([{ in: 'body', name, message: 'is required, in the body or in the query' }])
  }
  if (inBody) {
    const message = 'must be in the query or in the body, not in both'
    throw invalidRequest([
      { in: 'query', name, message },
      { in: 'body', name, message },
    ])
  }
  // Mistakes of the query were collected before.
  return query && readBody(Buffer.from(JSON.stringify({ [name]: query[name] })))
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x20-\x7e]{1,255}$/.test(header)) return header
  const message = 'must be given once, with 1 to 255 printable ASCII characters'
  throw new ApiError('invalid_request', `Idempotency-Key ${message}`, {
    mistakes: [{ in: 'header', name: 'Idempotency-Key', message }],
  })
}
