import { operations } from '@muster/contract/api'
import { ApiError, notFound } from '@muster/contract/errors'
import { methodOf, type Operation } from '@muster/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Decision } from '../lib/token-buckets.ts'
import { bindOperations, type Services } from './bind.ts'
import type { Principal } from './principal.ts'
import type { RateLimiter } from './rate-limit/rate-limit.ts'
import type { RateLimitHeaders } from './rate-limit/rate-limit-headers.ts'

export interface V1Options {
  authenticate(header: string | string[] | undefined, address: string): Principal | Promise<Principal>
  rateLimiter: RateLimiter
  headersOf(decision: Decision): RateLimitHeaders
  /** The header fields that say that the version is deprecated; undefined while it is not. */
  versionHeaders(): Readonly<Record<string, string>> | undefined
  services: Services
  publicUrl: string
}

/**
 * Everything under `/v1`. The steps run in the order of the contract (rule 10): authentication, rate
 * limit, permission, then what the path and the method are, then validation and the handler.
 */
export function registerV1(app: FastifyInstance, options: V1Options): void {
  const { authenticate, rateLimiter, headersOf, versionHeaders, services, publicUrl } = options

  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
    decision: Decision,
  ): void => {
    reply.headers(headersOf(decision) as Record<string, string>)
    if (!decision.allowed) {
      throw new ApiError('rate_limited', 'Too many requests; wait for the seconds that Retry-After names.')
    }
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads && !principal.mayWrite) {
      throw new ApiError('read_only_key', 'This key permits GET requests only; use one with Full access.')
    }
    // A path that ends where its id should be is no path of the API.
    if (request.is404 || (request.params as { id?: string }).id === '') throw notRouted(request)
  }

  const slowly = async (
    request: FastifyRequest,
    reply: FastifyReply,
    found: Principal | Promise<Principal>,
    taken: Decision | Promise<Decision> | undefined,
  ): Promise<void> => {
    const principal = await found
    request.principal = principal
    admit(request, reply, principal, await (taken ?? rateLimiter.take(principal.user)))
  }

  // Written with a callback: for a known key and a count in memory nothing has to be waited for.
  app.addHook('onRequest', (request, reply, done) => {
    // Answers hold personal data, and their headers the rate limit of one holder: no cache may keep them.
    reply.header('cache-control', 'no-store')
    try {
      const principal = authenticate(request.headers['x-api-key'], request.ip)
      const decision = principal instanceof Promise ? undefined : rateLimiter.take(principal.user)
      if (principal instanceof Promise || decision instanceof Promise || decision === undefined) {
        slowly(request, reply, principal, decision).then(() => done(), done)
        return
      }
      request.principal = principal
      admit(request, reply, principal, decision)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  // Every answer has them, also those that an earlier step has ended.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const fields = versionHeaders()
    if (fields) {
      const links = [reply.getHeader('link'), fields.link].filter((link) => link !== undefined)
      reply.headers({ ...fields, link: links.join(', ') })
    }
    done(null, payload)
  })

  // Only reached by requests that the hook has let pass, which it never does where there is no route.
  app.setNotFoundHandler((request) => {
    throw notRouted(request)
  })
  bindOperations(app, services, publicUrl)
}

const routes = (Object.values(operations) as Operation[]).map((operation) => ({
  method: methodOf(operation),
  path: new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** What to say where no route answers: 405 if the path takes other methods, else 404 (REST contract, rule 9). */
export function notRouted({ url, method }: { url: string; method: string }): ApiError {
  const path = pathAsRouted(url)
  const methods = new Set(
    routes.filter((route) => route.path.test(path)).map((route) => route.method as string),
  )
  if (methods.size === 0 || methods.has(method)) return notFound()
  if (methods.has('GET')) methods.add('HEAD')
  const allow = [...methods].sort().join(', ')
  return new ApiError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
}

/** The path as the router reads it: of a whole URL only the path, and percent-encoded characters as what they stand for. */
function pathAsRouted(url: string): string {
  const path = (url.split('?', 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  try {
    // A slash that is encoded is no part of the way.
    return decodeURI(path)
  } catch {
    return path
  }
}
