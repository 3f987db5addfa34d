import { operations } from '@muster/contract/api/api'
import { ApiError, notFound } from '@muster/contract/api/errors'
import { methodOf, type Operation } from '@muster/contract/api/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Decision } from '../lib/token-buckets.ts'
import { bindOperations, type Services } from './bind.ts'
import type { Principal } from './principal.ts'
import type { RateLimiter, RateLimitHeaders } from './rate-limit/rate-limit.ts'

export interface V1Options {
  authenticate(header: string | string[] | undefined, address: string): Principal | Promise<Principal>
  rateLimiter: RateLimiter
  headersOf(decision: Decision): RateLimitHeaders
  /** Returns the deprecation dates of a version, if it has any; the same object until they change. */
  deprecationDatesOf(version: string): VersionDates | undefined
  services: Services
  publicUrl: string
}

/**
 * Registers `/v1`. The order of the checks follows the contract (rule 10): authentication, rate limit, permission, path and
 * method, validation, handler.
 */
export function registerV1(app: FastifyInstance, options: V1Options): void {
  const { authenticate, rateLimiter, headersOf, services, publicUrl } = options
  const deprecationHeadersNow = cachedDeprecationHeaders(options)

  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
    decision: Decision,
  ): void => {
    reply.headers(headersOf(decision) as Record<string, string>)
    if (!decision.allowed) {
      throw new ApiError('rate_limited', 'Too many requests. Wait for the number of seconds in Retry-After.')
    }
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (!reads && !principal.mayWrite) {
      throw new ApiError('read_only_key', 'This API key is read-only. Use a key with full access.')
    }
    // An empty ID is an unknown path.
    if (request.is404 || (request.params as { id?: string }).id === '') throw notRouted(request)
  }

  const admitAsync = async (
    request: FastifyRequest,
    reply: FastifyReply,
    found: Principal | Promise<Principal>,
    taken: Decision | Promise<Decision> | undefined,
  ): Promise<void> => {
    const principal = await found
    request.principal = principal
    admit(request, reply, principal, await (taken ?? rateLimiter.take(principal.user)))
  }

  // A callback, not async: for a cached key and an in-memory rate limit there is nothing to await.
  app.addHook('onRequest', (request, reply, done) => {
    // Responses contain personal data, and their headers the rate limit of a holder.
    reply.header('cache-control', 'no-store')
    try {
      const principal = authenticate(request.headers['x-api-key'], request.ip)
      const decision = principal instanceof Promise ? undefined : rateLimiter.take(principal.user)
      if (principal instanceof Promise || decision instanceof Promise || decision === undefined) {
        admitAsync(request, reply, principal, decision).then(() => done(), done)
        return
      }
      request.principal = principal
      admit(request, reply, principal, decision)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  // Also for responses that an earlier hook has sent.
  app.addHook('onSend', (_request, reply, payload, done) => {
    const fields = deprecationHeadersNow()
    if (fields) {
      const links = [reply.getHeader('link'), fields.link].filter((link) => link !== undefined)
      reply.headers({ ...fields, link: links.join(', ') })
    }
    done(null, payload)
  })

  // A safeguard: the hook above rejects unknown routes.
  app.setNotFoundHandler((request) => {
    throw notRouted(request)
  })
  bindOperations(app, services, publicUrl)
}

const routes = (Object.values(operations) as Operation[]).map((operation) => ({
  method: methodOf(operation),
  path: new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Returns the error for a request without a route: 405 if the path has other methods, otherwise 404 (REST contract, rule 9). */
function notRouted({ url, method }: { url: string; method: string }): ApiError {
  const path = pathAsRouted(url)
  const methods = new Set(
    routes.filter((route) => route.path.test(path)).map((route) => route.method as string),
  )
  if (methods.size === 0 || methods.has(method)) return notFound()
  if (methods.has('GET')) methods.add('HEAD')
  const allow = [...methods].sort().join(', ')
  return new ApiError('method_not_allowed', `This path supports ${allow}.`, { headers: { allow } })
}

/** Returns the path as the router sees it: without scheme and host, and percent-decoded. */
function pathAsRouted(url: string): string {
  const path = (url.split('?', 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  try {
    // decodeURI keeps encoded slashes, which do not separate segments.
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Deprecation dates of an API version, in UNIX seconds. */
export interface VersionDates {
  readonly version: string
  readonly deprecationTimestamp: number
  readonly sunsetTimestamp: number | null
}

/** Returns the URL of the page about the deprecation of a version. */
const versionPageUrl = (docsUrl: string, version: string): string => `${docsUrl}/versions/${version}`

/**
 * Returns the headers of a version that is or will be deprecated: `Deprecation` (RFC 9745, section 2), `Sunset` (RFC 8594,
 * section 3) if the date is known, and links to the page about them.
 */
function deprecationHeaders(
  { version, deprecationTimestamp, sunsetTimestamp }: VersionDates,
  docsUrl: string,
): Readonly<Record<string, string>> {
  const target = `<${versionPageUrl(docsUrl, version)}>`
  const links = [`${target}; rel="deprecation"; type="text/html"`]
  if (sunsetTimestamp === null) return { deprecation: `@${deprecationTimestamp}`, link: links.join(', ') }
  links.push(`${target}; rel="sunset"; type="text/html"`)
  return {
    deprecation: `@${deprecationTimestamp}`,
    sunset: new Date(sunsetTimestamp * 1000).toUTCString(),
    link: links.join(', '),
  }
}

/** Returns a function that gives the headers of the current dates, cached until the dates change. */
function cachedDeprecationHeaders({
  deprecationDatesOf,
  publicUrl,
}: V1Options): () => Readonly<Record<string, string>> | undefined {
  let dates: VersionDates | undefined
  let headers: Readonly<Record<string, string>> | undefined
  return () => {
    const now = deprecationDatesOf('v1')
    if (now !== dates) {
      dates = now
      headers = now && deprecationHeaders(now, `${publicUrl}/docs`)
    }
    return headers
  }
}
