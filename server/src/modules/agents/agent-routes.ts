import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type EnrollmentAnswer, EnrollmentRequest } from '@muster/contract/agent-enrollment'
import { type BatchAnswer, batchBytesMaximum, type DormantAnswer } from '@muster/contract/agent-event'
import { ApiError, invalidRequest, notFound } from '@muster/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonType } from '../../kernel/http/bind.ts'
import { bodyReader } from '../../kernel/http/body.ts'
import { addressBlock, failedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { type TokenBuckets, tokenBuckets } from '../../kernel/lib/token-buckets.ts'
import { agentAuthenticator, refusalOf, tooMany } from './agent-authenticate.ts'
import { acceptGzip } from './agent-body.ts'
import type { AgentPrincipal, Connection } from './agent-caller.ts'

/** What the server does for agents. */
export interface AgentServices {
  /** The browser of a credential by its hash; undefined for one that is unknown or revoked. */
  findAgent(hash: string): Promise<AgentPrincipal | undefined>
  enroll(request: EnrollmentRequest, connection: Connection): Promise<EnrollmentAnswer | DormantAnswer>
  /** Takes in a batch: the body of the request, not looked at yet. */
  intake(agent: AgentPrincipal, connection: Connection, body: Buffer): Promise<BatchAnswer | DormantAnswer>
  /** The policy as JSON; without a body when `has` says that the browser has the version. */
  policy(
    agent: AgentPrincipal,
    has: (version: string) => boolean,
  ): Promise<DormantAnswer | { readonly version: string; readonly body: string | undefined }>
  /** The lines of a prefix of five hexadecimal digits; undefined when nothing can be looked up. */
  leaked(prefix: string): Promise<string | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentPrincipal | null
  }
  interface FastifyContextConfig {
    /** Whether the route is for those that have no credential yet. */
    open?: boolean
  }
}

/** Every path of the agents begins with it. */
export const agentPrefix = '/agent/v1'

/** Rate limits of the agent endpoints. */
export interface AgentLimits {
  /** Requests, by the ID of the browser. */
  readonly requests: Pick<TokenBuckets, 'take'>
  /** Attempts to enroll, by address block. */
  readonly enrollments: Pick<TokenBuckets, 'take'>
}

/** Returns the limits of a server that listens. A whole office may enroll from one address at the same time. */
const publicLimits = (clock: Clock): AgentLimits => ({
  requests: tokenBuckets({ perSecond: 5, capacity: 20, clock }),
  enrollments: tokenBuckets({ perSecond: 20, capacity: 60, maxKeys: 20_000, clock }),
})

const methods: readonly (readonly [RegExp, string])[] = [
  [/^\/agent\/v1\/(?:enrol|events)$/, 'POST'],
  [/^\/agent\/v1\/(?:policy|range\/[^/]+)$/, 'GET, HEAD'],
]

/**
 * Everything under `/agent/v1`. Whatever is not declared open needs a credential, also what is not there; then comes the
 * rate limit, and only then the body is read.
 */
export function registerAgent(
  app: FastifyInstance,
  services: AgentServices,
  clock: Clock,
  limits: AgentLimits = publicLimits(clock),
): void {
  const failures = failedAttemptLimiter({ clock })
  const authenticate = agentAuthenticator({ clock, failures, findAgent: services.findAgent })

  app.decorateRequest('agent', null)
  acceptGzip(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!request.is404 && request.routeOptions.config.open === true) {
      const { allowed, retryAfterMs } = limits.enrollments.take(addressBlock(request.ip))
      if (!allowed) throw tooMany('Too many enrollments from this address.', retryAfterMs)
      return
    }
    const agent = await authenticate(request.headers.authorization, request.ip)
    const { allowed, retryAfterMs } = limits.requests.take(agent.browserId)
    if (!allowed)
      throw tooMany('Too many requests; wait for the seconds that Retry-After names.', retryAfterMs)
    if (request.is404) throw notRouted(request)
    request.agent = agent
  })
  // Only reached by requests that the hook has let pass, which it never does where there is no route.
  app.setNotFoundHandler((request) => {
    throw notRouted(request)
  })

  const readEnrollment = bodyReader(EnrollmentRequest)
  app.route({
    method: 'POST',
    url: '/enrol',
    bodyLimit: 64 * 1024,
    config: { open: true },
    handler: async (request, reply) => {
      const asked = readEnrollment(request.body as Buffer | undefined) as EnrollmentRequest
      const answer = await services.enroll(asked, connectionOf(request)).catch((error: unknown) => {
        const refused = error instanceof ApiError && error.status < 500
        throw refused ? refusalOf(failures, request.ip, error) : error
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
      return json(reply, await services.intake(agentOf(request), connectionOf(request), body))
    },
  })
  app.get('/policy', async (request, reply) => {
    const policy = await services.policy(agentOf(request), (version) => isNamed(request, version))
    if ('dormant' in policy) return json(reply, policy)
    reply.header('etag', `"${policy.version}"`)
    return policy.body === undefined ? reply.code(304).send() : packed(request, reply, policy.body)
  })
  app.get('/range/:prefix', async (request, reply) => {
    const { prefix } = request.params as { prefix: string }
    if (!/^[0-9a-f]{5}$/i.test(prefix)) {
      const message = 'must be the first five hexadecimal digits of a SHA-1'
      throw invalidRequest([{ in: 'path', name: 'prefix', message }])
    }
    const lines = await services.leaked(prefix)
    if (lines === undefined) throw notFound('Leaked passwords cannot be looked up here')
    return reply.header('content-type', 'text/plain; charset=utf-8').send(lines)
  })
}

function agentOf({ agent }: FastifyRequest): AgentPrincipal {
  // Deny by default: a route that was reached without authentication is a mistake of ours.
  if (!agent) throw new Error('a route of the agents was reached without a credential')
  return agent
}

const userAgentMaximum = 1024

const connectionOf = (request: FastifyRequest): Connection => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, userAgentMaximum) ?? null,
})

const json = (reply: FastifyReply, answer: object): FastifyReply =>
  reply.header('content-type', jsonType).send(JSON.stringify(answer))

/** Whether If-None-Match names the version. */
const isNamed = ({ headers }: FastifyRequest, version: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`)

const pack = promisify(gzip)
const packedFromBytes = 4096

async function packed(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
  reply.header('content-type', jsonType).header('vary', 'accept-encoding')
  const accepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  )
  if (!accepted || body.length < packedFromBytes) return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(await pack(body, { level: 3 }))
}

/** What to say where no route answers: 405 if the path takes other methods, else 404. */
function notRouted({ url, method }: FastifyRequest): ApiError {
  const path = url.split('?', 1)[0] ?? ''
  const allow = methods.find(([pattern]) => pattern.test(path))?.[1]
  if (allow === undefined || allow.split(', ').includes(method)) return notFound()
  return new ApiError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
}
