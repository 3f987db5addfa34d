import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJson } from '../../kernel/http/body.ts'
import type { Principal } from '../../kernel/http/principal.ts'
import type { RateLimiter, RateLimitHeaders } from '../../kernel/http/rate-limit/rate-limit.ts'
import type { Decision } from '../../kernel/lib/token-buckets.ts'
import type { McpFetch } from './mcp-server.ts'
import type { ToolCaller, ToolWorld } from './tool.ts'

/** Path of the Model Context Protocol over streamable HTTP. */
export const mcpPath = '/mcp'

const bodyBytesMaximum = 256 * 1024

interface McpOptions {
  authenticate(header: string | string[] | undefined, address: string): Principal | Promise<Principal>
  rateLimiter: RateLimiter
  headersOf(decision: Decision): RateLimitHeaders
  publicUrl: string
  world: ToolWorld
}

/** Registers `/mcp`. Keys, rate limits and permissions are those of `/v1`. */
export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  const { authenticate, rateLimiter, headersOf, publicUrl, world } = options
  let loaded: Promise<McpFetch> | undefined
  /** Loads the SDK for the first request: most servers never get one, and it takes 34 MB. */
  const handler = () => {
    loaded ??= import('./mcp-server.ts').then(({ mcpHandler }) => mcpHandler(world))
    return loaded
  }

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store')
    const { origin } = request.headers
    // Pages of other sites could reach a server in the same network by DNS rebinding.
    if (origin !== undefined && origin !== publicUrl)
      throw new ApiError(
        'cross_site_request',
        'Web pages cannot use this path. Call it from a program, without Origin.',
      )
    const principal = await authenticate(keyOf(request), request.ip)
    request.principal = principal
    const decision = await rateLimiter.take(principal.user)
    reply.headers(headersOf(decision) as Record<string, string>)
    if (!decision.allowed)
      throw new ApiError('rate_limited', 'Too many requests. Wait for the number of seconds in Retry-After.')
  }

  app.route({
    method: 'POST',
    url: mcpPath,
    bodyLimit: bodyBytesMaximum,
    onRequest: admit,
    handler: async (request, reply) => {
      const { principal } = request
      if (!principal) throw new Error('a request of an assistant was not authenticated')
      const bytes = request.body as Buffer | undefined
      const message = bytes && parseJson(bytes)
      if (typeof message !== 'object' || message === null || Array.isArray(message))
        throw invalidRequest([{ in: 'body', name: 'body', message: 'must be one message of JSON-RPC' }])
      const origin = { address: request.ip, userAgent: request.headers['user-agent'] }
      const caller: ToolCaller = { principal, origin }
      const fetch = await handler()
      const answer = await fetch(webRequest(request, publicUrl), message, caller)
      const body = Buffer.from(await answer.arrayBuffer())
      return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(body)
    },
  })
  app.route({
    // There are no sessions to end, and no messages that the server starts.
    method: ['GET', 'DELETE'],
    url: mcpPath,
    onRequest: admit,
    handler: () => {
      throw new ApiError('method_not_allowed', 'This path supports POST.', { headers: { allow: 'POST' } })
    },
  })
}

/** Returns the API key: of the header of `/v1`, or of the one that most assistants can send. */
function keyOf({ headers }: FastifyRequest): string | string[] | undefined {
  return headers['x-api-key'] ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Headers of the protocol. All others stay here, the key above all. */
const protocolHeader = /^(?:accept|content-type|mcp-.+)$/

function webRequest({ headers, body }: FastifyRequest, publicUrl: string): Request {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] => protocolHeader.test(entry[0]) && typeof entry[1] === 'string',
  )
  return new Request(`${publicUrl}${mcpPath}`, {
    method: 'POST',
    headers: kept,
    body: new Uint8Array(body as Buffer),
  })
}
