import { randomBytes } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { finished } from 'node:stream'
import { ApiError } from '@muster/contract/api/errors'
import Fastify, {
  type FastifyHttpsOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import { familyOf, loopbackNetworks, networks } from '../lib/net/address-class.ts'
import type { Tracing } from '../lib/tracing.ts'
import { notFoundPage, sendPage, wantsPage } from './agent-page.ts'
import { probePaths } from './health.ts'
import { incompleteBody, isBodyAborted, problemType, renderProblem, toApiError } from './problem.ts'
import { tlsProtocol } from './tls.ts'
import { traceIdOf, traceRequests } from './trace-requests.ts'

export interface HttpServerOptions {
  log: Logger
  /** Certificate and key in PEM. Without them the server speaks plain HTTP, only to this machine and trusted proxies. */
  tls: { cert: string; key: string } | undefined
  /**
   * Returns true if responses carry Strict-Transport-Security; default: false. Called for every request, because the
   * certificate may be replaced while the server runs.
   */
  isHstsWanted?: (() => boolean) | undefined
  /** Returns true while the server drains. Every response then closes its connection. */
  isDraining?: (() => boolean) | undefined
  trustProxy: boolean | readonly string[]
  /** Base URL of the error pages: `https://host/docs`. */
  docsUrl: string
  logRequests: boolean
  /** Timeouts for tests, which would take too long with the defaults. */
  timeouts?: RequestTimeouts | undefined
  /** Called for every response with the route's pattern, the status and the duration in milliseconds. */
  observe?: ((method: string, route: string, status: number, ms: number) => void) | undefined
  tracing?: Tracing | undefined
}

/** Timeouts for clients, in milliseconds. */
interface RequestTimeouts {
  /** For the headers and for the TLS handshake. */
  readonly headersMs: number
  /** For the whole request. */
  readonly requestMs: number
  /** Interval of the checks. */
  readonly checkEveryMs: number
}

/** One year, without subdomains: they may be served by others. */
const strictTransport = 'max-age=31536000'

const headerBytesMaximum = 16 * 1024
const defaultTimeouts: RequestTimeouts = { headersMs: 15_000, requestMs: 60_000, checkEveryMs: 5_000 }

/**
 * Creates the HTTP server with timeouts for slow clients, limits for headers and bodies, and a uniform error format.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
  const nextId = requestIds()
  const { headersMs, requestMs, checkEveryMs } = options.timeouts ?? defaultTimeouts
  const limits = {
    maxHeaderSize: headerBytesMaximum,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
    // Checked in hostMistake: Node's own error has no body.
    requireHostHeader: false,
  }
  const shared: FastifyServerOptions = {
    trustProxy: typeof options.trustProxy === 'boolean' ? options.trustProxy : [...options.trustProxy],
    requestTimeout: requestMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: (request) => nextId(request.headers['x-request-id']),
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, nextId(undefined), options.docsUrl),
    rewriteUrl: (request) => routablePath(request.url ?? '/'),
    schemaController: {
      compilersFactory: { buildValidator: unusedCompiler, buildSerializer: unusedCompiler },
    },
    routerOptions: { maxParamLength: headerBytesMaximum, querystringParser: () => ({}) },
  }
  const app: FastifyInstance = options.tls
    ? (Fastify({
        ...shared,
        https: { ...options.tls, ...tlsProtocol, handshakeTimeout: headersMs, ...limits },
      } as unknown as FastifyHttpsOptions<HttpsServer>) as unknown as FastifyInstance)
    : Fastify({ ...shared, http: limits } as FastifyServerOptions)

  const answer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = isBodyAborted(thrown, request.raw) ? incompleteBody(thrown) : toApiError(thrown)
    if (error.status >= 500) options.log.error({ err: thrown, requestId: request.id }, 'the request failed')
    const problem = renderProblem(error, request.id, options.docsUrl)
    afterRequestBody(request, reply, () => {
      void reply
        .code(problem.status)
        .headers(problem.headers)
        .type(problemType)
        .header('x-request-id', request.id)
        .header('cache-control', 'no-store')
        .send(problem.body)
    })
  }

  app.decorateRequest('principal', null)
  app.setErrorHandler((error, request, reply) => answer(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? sendPage(reply, notFoundPage)
      : answer(new ApiError('not_found', 'There is nothing at this path.'), request, reply),
  )
  app.removeAllContentTypeParsers()
  acceptJson(app, 'application/json')
  if (options.tracing) traceRequests(app, options.tracing)
  const { isHstsWanted = () => false } = options
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isHstsWanted()) reply.header('strict-transport-security', strictTransport)
    withoutEmptyType(request)
    done(hostMistake(request.raw))
  })
  // Checked when the response is sent, to include requests that were in progress when draining started.
  const { isDraining } = options
  if (isDraining) {
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (isDraining()) reply.header('connection', 'close')
      done(null, payload)
    })
  }
  if (options.tls === undefined) rejectUntrustedPeers(app, plainHttpPeerFilter(options.trustProxy))
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', app.routing)
  if (options.trustProxy !== false) app.addHook('onRequest', requireTls)
  if (options.observe || options.logRequests) addObserver(app, options)
  return app
}

/** Replaces Fastify's compilers: bodies are validated in bodyReader, so Ajv (120 files) is never loaded. */
function unusedCompiler(): never {
  throw new Error('routes must not have a Fastify schema: validate the body with bodyReader')
}

/**
 * Escapes a path with invalid percent-encoding, so it is routed literally and handled like any unknown path (REST contract,
 * rule 8).
 */
function routablePath(url: string): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** Rejects requests that reached the proxy without TLS (REST contract, rule 10). */
function requireTls(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const forwarded = request.headers['x-forwarded-proto']
  if (forwarded === undefined || request.protocol === 'https') done()
  else
    done(
      new ApiError('https_required', 'Use HTTPS. This server does not accept requests without TLS.', {
        mistakes: [],
      }),
    )
}

/** Accepts bodies of a media type as bytes: JSON in UTF-8, not compressed. Others get a 415. */
export function acceptJson(app: FastifyInstance, mediaType: string): void {
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    const encoded = request.headers['content-encoding'] ?? 'identity'
    if ((charset !== undefined && !/^utf-?8$/i.test(charset)) || encoded !== 'identity') {
      done(new ApiError('unsupported_media_type', 'The body must be JSON in UTF-8, not compressed.'))
    } else done(null, body)
  })
}

function addObserver(app: FastifyInstance, { observe, logRequests, log }: HttpServerOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    observe?.(request.method, route, reply.statusCode, reply.elapsedTime)
    if (logRequests) {
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
        keyId: request.principal?.keyId,
        traceId: traceIdOf(request),
      }
      log.info(line, 'request')
    }
    done()
  })
}

/**
 * Checks that a request has exactly one Host header (RFC 9112, section 3.2). Node uses the first of several, but a proxy in
 * front may have used another.
 */
function hostMistake({ httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? wrongHost('is required') : undefined
  let lines = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') lines += 1
  }
  return lines === 1 ? undefined : wrongHost('must be given once')
}

function wrongHost(message: string): ApiError {
  return new ApiError('invalid_request', `Host ${message}`, {
    mistakes: [{ in: 'header', name: 'Host', message }],
    headers: { connection: 'close' },
  })
}

/** Responds to invalid requests: too large, too slow, or not HTTP. */
function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  docsUrl: string,
): void {
  // After a failed TLS handshake no response can be sent.
  if (!socket.writable || !/^(HPE_|ERR_HTTP_)/.test(error.code ?? '')) {
    socket.destroy()
    return
  }
  const { status, body } = renderProblem(brokenRequest(error.code), requestId, docsUrl)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function brokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('headers_too_large', 'The request line and headers may have at most 16 KiB in total.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request did not arrive in time.')
  const message = 'must be HTTP/1.1, well-formed'
  return new ApiError('invalid_request', `request ${message}`, {
    mistakes: [{ in: 'header', name: 'request', message }],
  })
}

/** Format of an inbound `x-request-id` that is accepted (REST contract, Errors). */
const validRequestId = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Creates a source of request IDs: the inbound header if it is valid, otherwise a random ID of this process with a counter.
 */
function requestIds(): (inbound: string | string[] | undefined) => string {
  const start = randomBytes(9).toString('base64url')
  let count = 0
  return (inbound) => {
    if (typeof inbound === 'string' && validRequestId.test(inbound)) return inbound
    count += 1
    return `${start}.${count.toString(36)}`
  }
}

/**
 * Delays an error response that closes the connection until the request body was received. Many clients read the response only
 * after they have sent the body; on a closed connection they would get a broken pipe instead. The request timeout limits the
 * wait.
 */
export function afterRequestBody(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  const closesConnection = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
  if (!closesConnection || request.raw.complete || !announcesBody(request)) {
    send()
    return
  }
  request.raw.resume()
  finished(request.raw, { writable: false }, send)
}

/** Removes the content type of an empty body: PowerShell and curl send that of a form with an empty POST. */
function withoutEmptyType(request: FastifyRequest): void {
  if (!announcesBody(request)) delete request.raw.headers['content-type']
}

function announcesBody({ raw }: FastifyRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
}

/**
 * Returns a function that decides by address if a peer may use plain HTTP: this machine and trusted proxies. IPv4-mapped IPv6
 * addresses (`::ffff:10.0.0.1`), which dual-stack sockets report, count as IPv4.
 */
export function plainHttpPeerFilter(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  const known = networks(...loopbackNetworks, ...(typeof trustProxy === 'boolean' ? [] : trustProxy))
  return (peer) => {
    // Link-local addresses have a zone: fe80::1%eth0.
    const [address = ''] = peer.split('%')
    return trustProxy === true || (isIP(address) !== 0 && known.check(address, familyOf(address)))
  }
}

/**
 * Rejects plain HTTP requests of peers that are not allowed, before anything else. Probes are always answered: they carry no
 * key, and load balancers send them from various addresses. A peer is checked once, when it connects.
 */
function rejectUntrustedPeers(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  const untrustedSockets = new WeakSet<Socket>()
  app.server.prependListener('connection', (socket: Socket) => {
    if (!isAllowed(socket.remoteAddress ?? '')) untrustedSockets.add(socket)
  })
  app.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const isRefused =
      untrustedSockets.has(request.raw.socket) && !probePaths.includes(request.routeOptions.url ?? '')
    done(isRefused ? httpsRequired() : undefined)
  })
}

function httpsRequired(): ApiError {
  const message =
    'This server accepts plain HTTP only from its own machine and from its proxy. Use the HTTPS address of the proxy. If the request came from the proxy, add its address to MUSTER_TRUST_PROXY.'
  return new ApiError('https_required', message, { mistakes: [], headers: { connection: 'close' } })
}
