import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { ApiError } from '@muster/contract/errors'
import Fastify, {
  type FastifyHttpsOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import { notFoundPage, sendPage, wantsPage } from './agent-page.ts'
import { plainHttpPeerFilter, rejectUntrustedPeers } from './plain-http-peers.ts'
import { cutShort, isCutShort, problemType, renderProblem, toApiError } from './problem.ts'
import { afterRequestBody, withoutEmptyType } from './request-body-end.ts'
import { requestIds } from './request-id.ts'
import { tlsProtocol } from './tls.ts'

export interface HttpServerOptions {
  log: Logger
  /** Certificate and key in PEM; without them plain HTTP is served, to this machine and to trusted proxies alone. */
  tls: { cert: string; key: string } | undefined
  /**
   * Tells whether answers carry Strict-Transport-Security. Asked for every request: the certificate may be replaced while
   * the server runs. Not wanted unless given.
   */
  isHstsWanted?: (() => boolean) | undefined
  /** Tells whether the server is about to stop. Every answer closes its connection then. */
  isDraining?: (() => boolean) | undefined
  trustProxy: boolean | readonly string[]
  /** Where the error pages are, as clients reach them: `https://host/docs`. */
  docsUrl: string
  logRequests: boolean
  /** The usual ones unless told, which a test would have to wait long for. */
  timeouts?: RequestTimeouts | undefined
  /** Told of every answer: the route's pattern, the status and the milliseconds it took. */
  observe?: ((method: string, route: string, status: number, ms: number) => void) | undefined
}

/** For how long a client is waited for, in milliseconds. */
export interface RequestTimeouts {
  /** For its headers, and for its TLS handshake. */
  readonly headersMs: number
  /** For the whole of its request. */
  readonly requestMs: number
  /** How often connections are looked at for this. */
  readonly checkEveryMs: number
}

/** For a year, and this host only: what other hosts of the domain serve is not known here. */
const strictTransport = 'max-age=31536000'

const headerBytesMaximum = 16 * 1024
const usualTimeouts: RequestTimeouts = { headersMs: 15_000, requestMs: 60_000, checkEveryMs: 5_000 }

/**
 * Makes the HTTP server with its limits: slow clients, large headers and bodies, and errors that all
 * have one shape.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
  const nextId = requestIds()
  const { headersMs, requestMs, checkEveryMs } = options.timeouts ?? usualTimeouts
  const limits = {
    maxHeaderSize: headerBytesMaximum,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkEveryMs,
    // Refused by ourselves: Node's own refusal has no body.
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
    rewriteUrl: (request) => readablePath(request.url ?? '/'),
    schemaController: { compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked } },
    routerOptions: { maxParamLength: headerBytesMaximum, querystringParser: () => ({}) },
  }
  const app: FastifyInstance = options.tls
    ? (Fastify({
        ...shared,
        https: { ...options.tls, ...tlsProtocol, handshakeTimeout: headersMs, ...limits },
      } as unknown as FastifyHttpsOptions<HttpsServer>) as unknown as FastifyInstance)
    : Fastify({ ...shared, http: limits } as FastifyServerOptions)

  const answer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = isCutShort(thrown, request.raw) ? cutShort(thrown) : toApiError(thrown)
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    const encoded = request.headers['content-encoding'] ?? 'identity'
    if ((charset !== undefined && !/^utf-?8$/i.test(charset)) || encoded !== 'identity') {
      done(new ApiError('unsupported_media_type', 'The body must be JSON in UTF-8, not compressed.'))
    } else done(null, body)
  })
  const { isHstsWanted = () => false } = options
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isHstsWanted()) reply.header('strict-transport-security', strictTransport)
    withoutEmptyType(request)
    done(hostMistake(request.raw))
  })
  // When the answer is sent, not when the request came: requests that are under way as the draining starts count, too.
  const { isDraining } = options
  if (isDraining) {
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (isDraining()) reply.header('connection', 'close')
      done(null, payload)
    })
  }
  if (options.tls === undefined) rejectUntrustedPeers(app, plainHttpPeerFilter(options.trustProxy))
  // What is expected besides 100-continue may be left aside (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', app.routing)
  if (options.trustProxy !== false) app.addHook('onRequest', requireTls)
  if (options.observe || options.logRequests) addObserver(app, options)
  return app
}

/** No route tells Fastify of a schema: what it would check them by, and 120 files for it, is not loaded. */
function notAsked(): never {
  throw new Error('a route has a schema for Fastify, which checks none here: read the body with bodyReader')
}

/**
 * A path that is not in percent-encoding names nothing: it is routed as the text that it is, so that it
 * passes the same steps as any other (REST contract, rule 8).
 */
function readablePath(url: string): string {
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

/** Behind a proxy that ends TLS, what came to the proxy without TLS is refused (REST contract, rule 10). */
function requireTls(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const forwarded = request.headers['x-forwarded-proto']
  if (forwarded === undefined || request.protocol === 'https') done()
  else
    done(
      new ApiError('https_required', 'Use HTTPS: this service does not answer to requests without TLS.', {
        mistakes: [],
      }),
    )
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
        keyId: request.principal?.keyId,
      }
      log.info(line, 'request')
    }
    done()
  })
}

/**
 * Checks that a request names one host (RFC 9112, section 3.2). Of several Host lines Node takes the first; a proxy in
 * front of the server may have decided by another.
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

/** Answers what is not even a request: too large, too slow, or not HTTP. */
function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  docsUrl: string,
): void {
  // Only who speaks HTTP can be answered: a handshake of TLS that failed or never ended has no way to carry it.
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
    return new ApiError('headers_too_large', 'The request line and headers together may have 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('request_timeout', 'The request did not arrive in time.')
  const message = 'must be HTTP/1.1, well-formed'
  return new ApiError('invalid_request', `request ${message}`, {
    mistakes: [{ in: 'header', name: 'request', message }],
  })
}
