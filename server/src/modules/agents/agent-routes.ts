import { type EnrollmentAnswer, EnrollmentRequest } from '@muster/contract/agent/agent-enrollment'
import { type BatchAnswer, batchBytesMaximum, type DormantAnswer } from '@muster/contract/agent/agent-event'
import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonType } from '../../kernel/http/bind.ts'
import { bodyReader } from '../../kernel/http/body.ts'
import { acceptsGzip, compressed, compressFromBytes } from '../../kernel/http/compress.ts'
import { addressBlock, failedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { failedAttemptError, rateLimitedError } from '../../kernel/http/rate-limit/rate-limit-errors.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { type TokenBuckets, tokenBuckets } from '../../kernel/lib/token-buckets.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { agentAuthenticator } from './agent-authenticate.ts'
import { acceptGzip } from './agent-body.ts'
import type { AgentPrincipal, ClientFacts } from './agent-principal.ts'

/** Operations for agents. */
export interface AgentServices {
  enroll(request: EnrollmentRequest, client: ClientFacts): Promise<EnrollmentAnswer | DormantAnswer>
  /** Accepts a batch, given as the unparsed body of the request. */
  intake(agent: AgentPrincipal, client: ClientFacts, body: Buffer): Promise<BatchAnswer | DormantAnswer>
  /** Returns the policy as JSON; without a body if the browser has the version. */
  policy(
    agent: AgentPrincipal,
    hasVersion: (version: string) => boolean,
  ): Promise<DormantAnswer | { readonly version: string; readonly body: string | undefined }>
  /** Returns the lines of a prefix of five hexadecimal digits; undefined if look-ups are not enabled. */
  leaked(prefix: string): Promise<string | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentPrincipal | null
  }
  interface FastifyContextConfig {
    /** True for routes without a credential. */
    open?: boolean
  }
}

/** Prefix of all agent endpoints. */
export const agentPrefix = '/agent/v1'

/** Rate limits of the agent endpoints. */
export interface AgentLimits {
  /** Requests, by browser ID. */
  readonly requests: Pick<TokenBuckets, 'take'>
  /** Enrollments, by address block. */
  readonly enrollments: Pick<TokenBuckets, 'take'>
}

/** Returns the limits of a public server. A whole office may enroll from one address at the same time. */
const publicLimits = (clock: Clock): AgentLimits => ({
  requests: tokenBuckets({ perSecond: 5, capacity: 20, clock }),
  enrollments: tokenBuckets({ perSecond: 20, capacity: 60, maxKeys: 20_000, clock }),
})

const methods: readonly (readonly [RegExp, string])[] = [
  [/^\/agent\/v1\/(?:enrol|events)$/, 'POST'],
  [/^\/agent\/v1\/(?:policy|range\/[^/]+)$/, 'GET, HEAD'],
]

/**
 * Registers the endpoints under `/agent/v1`. Routes that are not declared open require a credential, and so
 * do unknown paths. The rate limit is checked before the body is read.
 */
export function registerAgent(
  app: FastifyInstance,
  services: AgentServices,
  options: { readonly db: Db; readonly clock: Clock; readonly limits?: AgentLimits | undefined },
): void {
  const { db, clock, limits = publicLimits(clock) } = options
  const failures = failedAttemptLimiter({ clock })
  const authenticate = agentAuthenticator({ db, clock, failures })

  app.decorateRequest('agent', null)
  acceptGzip(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!request.is404 && request.routeOptions.config.open === true) {
      const { allowed, retryAfterMs } = limits.enrollments.take(addressBlock(request.ip))
      if (!allowed) throw rateLimitedError('Too many enrollments from this address.', retryAfterMs)
      return
    }
    const agent = await authenticate(request.headers.authorization, request.ip)
    const { allowed, retryAfterMs } = limits.requests.take(agent.browserId)
    if (!allowed)
      throw rateLimitedError('Too many requests; wait for the seconds that Retry-After names.', retryAfterMs)
    if (request.is404) throw noRouteError(request)
    request.agent = agent
  })
  // Unreachable: the hook rejects requests without a route.
  app.setNotFoundHandler((request) => {
    throw noRouteError(request)
  })

  const readEnrollment = bodyReader(EnrollmentRequest)
  app.route({
    method: 'POST',
    url: '/enrol',
    bodyLimit: 64 * 1024,
    config: { open: true },
    handler: async (request, reply) => {
      const body = readEnrollment(request.body as Buffer | undefined) as EnrollmentRequest
      const answer = await services.enroll(body, clientOf(request)).catch((error: unknown) => {
        const isRejected = error instanceof ApiError && error.status < 500
        throw isRejected ? failedAttemptError(failures, request.ip, error) : error
      })
      return json(reply, answer)
    },
  })
  app.route({
    method: 'POST',
    url: '/events',
    bodyLimit: batchBytesMaximum,
    handler: async (request, reply) => {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
      return json(reply, await services.intake(agentOf(request), clientOf(request), body))
    },
  })
  app.get('/policy', async (request, reply) => {
    const policy = await services.policy(agentOf(request), (version) => ifNoneMatchHas(request, version))
    if ('dormant' in policy) return json(reply, policy)
    reply.header('etag', `"${policy.version}"`)
    return policy.body === undefined ? reply.code(304).send() : sendCompressed(request, reply, policy.body)
  })
  app.get('/range/:prefix', async (request, reply) => {
    const { prefix } = request.params as { prefix: string }
    if (!/^[0-9a-f]{5}$/i.test(prefix)) {
      const message = 'must be the first five hexadecimal digits of a SHA-1 hash'
      throw invalidRequest([{ in: 'path', name: 'prefix', message }])
    }
    const lines = await services.leaked(prefix)
    if (lines === undefined) throw notFound('Looking up leaked passwords is not enabled')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(lines)
  })
}

function agentOf({ agent }: FastifyRequest): AgentPrincipal {
  // Deny by default: a route without authentication is a bug.
  if (!agent) throw new Error('an agent route was reached without a credential')
  return agent
}

const userAgentMaximum = 1024

const clientOf = (request: FastifyRequest): ClientFacts => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, userAgentMaximum) ?? null,
})

const json = (reply: FastifyReply, answer: object): FastifyReply =>
  reply.header('content-type', jsonType).send(JSON.stringify(answer))

/** Returns true if If-None-Match contains the version. */
const ifNoneMatchHas = ({ headers }: FastifyRequest, version: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`)

async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> {
  reply.header('content-type', jsonType).header('vary', 'accept-encoding')
  const isCompressed = body.length >= compressFromBytes && acceptsGzip(request)
  return reply.send(isCompressed ? await compressed(reply, body) : body)
}

/** Returns the error for a request without a route: 405 if the path has other methods, else 404. */
function noRouteError({ url, method }: FastifyRequest): ApiError {
  const path = url.split('?', 1)[0] ?? ''
  const allow = methods.find(([pattern]) => pattern.test(path))?.[1]
  if (allow === undefined || allow.split(', ').includes(method)) return notFound()
  return new ApiError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
}
