import { ApiError, notFound } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { parseJson } from '../../kernel/http/body.ts'
import { acceptJson, afterRequestBody } from '../../kernel/http/http-server.ts'
import { incompleteBody, isBodyAborted, toApiError } from '../../kernel/http/problem.ts'
import {
  memoryRateLimiter,
  type RateLimitFigures,
  rateLimitHeaders,
} from '../../kernel/http/rate-limit/rate-limit.ts'
import { addressBlock, failedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { rateLimitedError } from '../../kernel/http/rate-limit/rate-limit-errors.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { firstCharacters, storable } from '../../kernel/lib/text.ts'
import { tokenBuckets } from '../../kernel/lib/token-buckets.ts'
import type { Db } from '../../kernel/store/sql.ts'
import {
  resourceTypeDocuments,
  schemaDocuments,
  scimLimits,
  scimPrefix,
  serviceProviderConfig,
} from './protocol/discovery.rules.ts'
import { badRequest, errorBody, ScimError, type ScimType } from './protocol/scim-error.rules.ts'
import type { ResourceType, Values } from './protocol/scim-schema.rules.ts'
import { scimAuthenticator } from './scim-authenticate.ts'
import { type BulkOperation, runBulk } from './scim-bulk.ts'
import { resourceNotFound, type ScimCall } from './scim-call.ts'
import {
  createResource,
  getResource,
  listResponse,
  notImplemented,
  patchResource,
  queryResources,
  removeResource,
  replaceResource,
  type ScimAnswer,
  typeAt,
} from './scim-operations.ts'
import { searchParameters, urlParameters } from './scim-query.rules.ts'
import type { ScimToken } from './scim-tokens.service.ts'

export interface ScimOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly publicUrl: string
  /** Rate limit of a key holder of `/v1`. A token has five times as much: a first synchronization sends every user. */
  readonly rateLimit: RateLimitFigures
  makeId(): string
}

declare module 'fastify' {
  interface FastifyRequest {
    scimToken: ScimToken | null
  }
  interface FastifyContextConfig {
    /** True for the one document that needs no token. */
    scimPublic?: boolean
  }
}

const rateFactor = 5
const scimType = 'application/scim+json'
const jsonOnly = 'application/json'

/** Methods by path, for 405. */
const methodsByPath: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:Users|Groups)\/?$/i, 'GET, HEAD, POST'],
  [/^\/(?:Users|Groups)\/[^/]+\/?$/i, 'DELETE, GET, HEAD, PATCH, PUT'],
  [/^\/(?:\.search|Bulk)\/?$/i, 'POST'],
  [/^\/(?:ServiceProviderConfig|ResourceTypes|Schemas)(?:\/[^/]+)?\/?$/i, 'GET, HEAD'],
]

/** Returns a path with and without a slash at its end, which some clients add. */
const withSlash = (path: string): string[] => (path === '/' ? [path] : [path, `${path}/`])

/**
 * Registers SCIM 2.0 (RFC 7643, RFC 7644). Every path but ServiceProviderConfig, which RFC 7643 wants to be public, needs a
 * token, and so do unknown paths. The order of the checks is that of `/v1`: token, rate limit, path, body.
 */
export function registerScim(app: FastifyInstance, options: ScimOptions): void {
  const { db, clock, log, publicUrl, makeId } = options
  const base = `${publicUrl}${scimPrefix}`
  const figures = {
    sustained: options.rateLimit.sustained * rateFactor,
    burst: options.rateLimit.burst * rateFactor,
  }
  const limiter = memoryRateLimiter({ ...figures, clock })
  const headersOf = rateLimitHeaders(figures)
  const authenticate = scimAuthenticator({ db, clock, log, failures: failedAttemptLimiter({ clock }) })
  const publicReads = tokenBuckets({ perSecond: 20, capacity: 60, maxKeys: 20_000, clock })

  app.decorateRequest('scimToken', null)
  acceptJson(app, scimType)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!request.is404 && request.routeOptions.config.scimPublic === true) {
      const { allowed, retryAfterMs } = publicReads.take(addressBlock(request.ip))
      if (!allowed) throw rateLimitedError('Too many requests from this address.', retryAfterMs)
      return
    }
    const token = await authenticate(request.headers.authorization, request.ip)
    const decision = limiter.take(token.id)
    reply.headers(headersOf(decision) as Record<string, string>)
    if (!decision.allowed)
      throw new ApiError('rate_limited', 'Too many requests. Wait for the seconds in Retry-After.')
    request.scimToken = token
    if (request.is404) throw notRouted(request)
  })
  app.setNotFoundHandler((request) => {
    throw notRouted(request)
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log))

  const callOf = (request: FastifyRequest): ScimCall => {
    const token = request.scimToken
    // Deny by default: the authentication hook must have run.
    if (!token) throw new Error('a SCIM route was reached without a token')
    return {
      org: token.org,
      actor: {
        source: 'API',
        apiKeyName: firstCharacters(`SCIM: ${token.name}`, 128),
        apiKeyCreatedBy: token.createdBy,
        sourceIpAddress: request.ip.slice(0, 64),
        userAgent: request.headers['user-agent']?.slice(0, 1024) ?? null,
      },
      nowMs: clock.nowMs(),
      assignsLicenses: token.assignsLicenses,
      base,
      makeId,
      ifMatch: headerOf(request, 'if-match'),
    }
  }

  const route = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    run: (call: ScimCall, request: FastifyRequest) => Promise<ScimAnswer>,
  ) => {
    for (const path of withSlash(url))
      app.route({
        method,
        url: path,
        bodyLimit: scimLimits.bodyBytes,
        handler: async (request, reply) => send(request, reply, await run(callOf(request), request)),
      })
  }

  for (const segment of ['Users', 'Groups']) {
    const type = typeAt(segment) as ResourceType
    const path = `/${segment}`
    route('GET', path, (call, { url }) => queryResources(db, call, type, urlParameters(url)))
    route('POST', path, (call, request) =>
      createResource(db, call, type, bodyOf(request), urlParameters(request.url)),
    )
    route('POST', `${path}/.search`, (call, request) =>
      queryResources(db, call, type, searchParameters(bodyOf(request))),
    )
    route('GET', `${path}/:id`, (call, request) =>
      getResource(
        db,
        call,
        type,
        idOf(request),
        urlParameters(request.url),
        headerOf(request, 'if-none-match'),
      ),
    )
    route('PUT', `${path}/:id`, (call, request) =>
      replaceResource(db, call, type, idOf(request), bodyOf(request), urlParameters(request.url)),
    )
    route('PATCH', `${path}/:id`, (call, request) =>
      patchResource(db, call, type, idOf(request), bodyOf(request), urlParameters(request.url)),
    )
    route('DELETE', `${path}/:id`, (call, request) => removeResource(db, call, type, idOf(request)))
  }
  route('GET', '/', (call, { url }) => queryResources(db, call, undefined, urlParameters(url)))
  route('POST', '/.search', (call, request) =>
    queryResources(db, call, undefined, searchParameters(bodyOf(request))),
  )
  const bulk = (call: ScimCall) => (operation: BulkOperation) => runOperation(db, call, operation, log)
  route('POST', '/Bulk', (call, request) => runBulk(bodyOf(request), base, bulk(call)))
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
    route(method, '/Me', async () => {
      throw notImplemented('/Me is not supported: tokens belong to organizations, not to users.')
    })
  for (const path of withSlash('/ServiceProviderConfig'))
    app.get(path, {
      config: { scimPublic: true },
      handler: (request, reply) => send(request, reply, { status: 200, body: serviceProviderConfig(base) }),
    })
  registerDocuments('/ResourceTypes', resourceTypeDocuments(base))
  registerDocuments('/Schemas', schemaDocuments(base))

  /** Registers a list of documents and each document by its ID. Filters are refused (RFC 7644, section 4). */
  function registerDocuments(path: string, documents: readonly Values[]): void {
    route('GET', path, async (_call, { url }) => {
      if (urlParameters(url).filter !== undefined)
        throw new ScimError(403, undefined, 'These documents cannot be filtered.')
      return { status: 200, body: listResponse(documents, documents.length, 1) }
    })
    route('GET', `${path}/:id`, async (_call, request) => {
      const id = idOf(request).toLowerCase()
      const document = documents.find((one) => String(one.id).toLowerCase() === id)
      if (!document) throw resourceNotFound(idOf(request))
      return { status: 200, body: document }
    })
  }
}

const headerOf = ({ headers }: FastifyRequest, name: 'if-match' | 'if-none-match'): string | undefined =>
  headers[name]

const idOf = (request: FastifyRequest): string => storableId((request.params as { id?: string }).id ?? '')

/** Returns an ID. One that the store cannot hold matches no resource, like the empty string. */
const storableId = (id: string): string => (storable(id) && id.length <= 256 ? id : '')

function bodyOf(request: FastifyRequest): unknown {
  const bytes = request.body as Buffer | undefined
  if (!bytes || bytes.length === 0) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  return parseJson(bytes)
}

/** Returns the ID in a path of a bulk operation. One with invalid percent-encoding matches no resource. */
function decodedId(segment: string): string {
  try {
    return storableId(decodeURIComponent(segment))
  } catch {
    throw resourceNotFound(segment)
  }
}

/** Runs an operation of a bulk request. Its errors are answers. */
async function runOperation(
  db: Db,
  given: ScimCall,
  { method, path, version, data }: BulkOperation,
  log: Logger,
): Promise<ScimAnswer> {
  const [, segment = '', id = '', ...more] = path.split('?', 1)[0]?.split('/') ?? []
  const type = typeAt(segment)
  const call = { ...given, ifMatch: version }
  try {
    const parameters = urlParameters(path)
    if (!type || more.length > 0 || (method === 'POST') !== (id === '')) throw resourceNotFound(path)
    if (method === 'POST') return await createResource(db, call, type, data, parameters)
    const key = decodedId(id)
    if (method === 'PUT') return await replaceResource(db, call, type, key, data, parameters)
    if (method === 'PATCH') return await patchResource(db, call, type, key, data, parameters)
    return await removeResource(db, call, type, key)
  } catch (error) {
    const { status, body } = answerOf(error)
    if (status >= 500) log.error({ err: error }, 'a SCIM bulk operation failed')
    return { status, body: body as unknown as Values }
  }
}

/** Returns the media type that the client accepts. */
const typeFor = ({ headers }: FastifyRequest): string => {
  const accepted = headers.accept ?? ''
  return accepted.includes(jsonOnly) && !accepted.includes(scimType) && !accepted.includes('*/*')
    ? jsonOnly
    : scimType
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, headers }: ScimAnswer,
): FastifyReply {
  void reply.code(status).headers(headers ?? {})
  return body === undefined ? reply.send() : sendJson(request, reply, body)
}

/** Sends a body. Bytes, because Fastify adds a charset to the type of a text, and this media type has no parameters. */
const sendJson = (request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply =>
  reply.type(typeFor(request)).send(Buffer.from(JSON.stringify(body)))

interface ErrorAnswer {
  readonly status: number
  readonly body: ReturnType<typeof errorBody>
  readonly headers: Readonly<Record<string, string>>
}

/** Values of `scimType` for errors of the server. */
const scimTypes: Readonly<Partial<Record<ApiError['code'], ScimType>>> = {
  conflict: 'uniqueness',
  invalid_request: 'invalidValue',
}

/** Translates anything thrown. */
function answerOf(thrown: unknown): ErrorAnswer {
  if (thrown instanceof ScimError) {
    return {
      status: thrown.status,
      body: errorBody(thrown.status, thrown.message, thrown.scimType),
      headers: {},
    }
  }
  const error = toApiError(thrown)
  const isSyntax = error.code === 'invalid_request' && error.mistakes.some(({ name }) => name === 'body')
  const type = isSyntax ? 'invalidSyntax' : scimTypes[error.code]
  return { status: error.status, body: errorBody(error.status, error.message, type), headers: error.headers }
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const error = isBodyAborted(thrown, request.raw) ? incompleteBody(thrown) : thrown
  const { status, body, headers } = answerOf(error)
  if (status >= 500) log.error({ err: thrown, requestId: request.id }, 'the request failed')
  afterRequestBody(request, reply, () => {
    sendJson(request, reply.code(status).headers(headers), body)
  })
}

/** Returns the error for a request without a route: 405 if the path has other methods, otherwise 404. */
function notRouted({ url, method }: FastifyRequest): ApiError {
  const path = (url.split('?', 1)[0] ?? '').slice(scimPrefix.length)
  const allow = methodsByPath.find(([pattern]) => pattern.test(path))?.[1]
  if (allow === undefined || allow.split(', ').includes(method))
    return notFound('There is nothing at this path')
  return new ApiError('method_not_allowed', `This path supports ${allow}.`, { headers: { allow } })
}
