import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { answerKeptBytes } from '@muster/contract/console/console-webhooks'
import type { Config } from '../../../kernel/config/config.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { firstCharacters } from '../../../kernel/lib/text.ts'
import { setTimeoutAfterIo } from '../../../kernel/lib/timeout-after-io.ts'
import { version } from '../../../kernel/lib/version.ts'
import { addressGuard, RefusedTargetError } from './address-guard.ts'
import { type HostResolver, hostResolver, isCanceledLookUp } from './resolve-host.ts'
import { webhookSignature } from './signature-header.ts'
import type { StaticHeader, TargetPolicy } from './target.rules.ts'

/** Event to send to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: readonly StaticHeader[]
  /** Signing secrets, in the order of the signatures. Without one the request is not signed. */
  readonly secrets: readonly string[]
  readonly body: string
  /** Header that lets the receiver continue the trace; undefined without tracing. */
  readonly traceparent?: string | undefined
}

/** Result of an attempt. */
export interface SendOutcome {
  /** HTTP status; null without a response. */
  readonly status: number | null
  /** Time until the response headers or the failure. */
  readonly latencyMs: number
  /** First 2 KiB of the response body. */
  readonly answer: string
  /** Reason of the failure; null for a 2xx status. */
  readonly error: string | null
  /** True if it was canceled before anything was sent. It does not count as an attempt. */
  readonly isCanceled?: true
}

/** Sends events to endpoints. */
export interface Sender {
  /** Never throws: errors are part of the outcome. */
  send(request: WebhookRequest, nowSeconds: number): Promise<SendOutcome>
  /** Cancels all host look-ups, pending and future. Used on shutdown. */
  cancelLookUps(): void
  /** Closes idle connections. */
  close(): void
}

export interface SenderOptions extends TargetPolicy {
  /** PEM certificates of trusted authorities. Default: those of Node.js. */
  readonly ca?: readonly string[] | undefined
  /** Closed with the sender. */
  readonly resolver?: HostResolver
  /** Timeout of an attempt. Default: 5 s (events contract, section 1, rule 3). */
  readonly answerWithinMs?: number
}

/** Reads target policy and trusted certificates from the settings. @throws ConfigError when the file cannot be read */
export function senderOptions({
  webhooksAllowPrivate: allowPrivate,
  webhooksCa,
}: Pick<Config, 'webhooksAllowPrivate' | 'webhooksCa'>): SenderOptions {
  if (webhooksCa === undefined) return { allowPrivate }
  return { allowPrivate, ca: [...getCACertificates('default'), certificatesOf(webhooksCa)] }
}

function certificatesOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    // Throws if the file is not a certificate.
    void new X509Certificate(text)
    return text
  } catch (error) {
    const { message } = error as Error
    const expected = 'must be a file of PEM certificates'
    throw new ConfigError([`MUSTER_WEBHOOKS_CA ${expected}; ${path} cannot be read: ${message}`], {
      cause: error,
    })
  }
}

/** Headers of every request, besides the signature. */
export const standardHeaders = {
  'content-type': 'application/json',
  'user-agent': `muster-webhooks/${version}`,
} as const

/** Idle time after which a connection is closed. Shorter than 5 s, the default of most servers. */
const idleMs = 4000
const idleConnectionsPerEndpoint = 256

/**
 * Creates a sender. It does not follow redirects. It resolves host names itself, checks every address and connects to a
 * checked address, which prevents DNS rebinding.
 */
export function webhookSender(options: SenderOptions): Sender {
  const { ca, answerWithinMs = 5000 } = options
  const resolver = options.resolver ?? hostResolver()
  const keepAlive = { keepAlive: true, maxFreeSockets: idleConnectionsPerEndpoint, timeout: idleMs }
  // Created once: parsing all authorities for every connection would cost more than the connection itself.
  const trust = ca ? { secureContext: createSecureContext({ ca: [...ca] }) } : {}
  const agents = {
    http: new HttpAgent(keepAlive),
    https: new HttpsAgent({ ...keepAlive, ...trust, rejectUnauthorized: true }),
  }

  const { assertAllowed, allowedAddresses, lookUp } = addressGuard(options, resolver)

  /** Sends a request. @returns the response as soon as its headers arrive */
  const post = async (webhook: WebhookRequest, body: Buffer, nowSeconds: number, signal: AbortSignal) => {
    const url = new URL(webhook.url)
    const secure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const agent = secure ? agents.https : agents.http
    // Node does not call `lookup` for IP addresses. Names are resolved before a socket exists: TLS sockets allocate
    // memory outside V8's heap, which attempts to dead names would pile up before the next garbage collection.
    if (isIP(host) !== 0) assertAllowed(host, secure)
    const needsLookUp = isIP(host) === 0 && !hasIdleConnection(agent, host, url)
    const allowed = needsLookUp ? await beforeAbort(signal, allowedAddresses(host, secure)) : undefined
    const headers = {
      ...Object.fromEntries(webhook.headers),
      ...standardHeaders,
      ...(webhook.traceparent !== undefined && { traceparent: webhook.traceparent }),
      'content-length': body.length,
      ...(webhook.secrets.length > 0 && {
        'x-signature': webhookSignature(body, webhook.secrets, nowSeconds),
      }),
    }
    const common = { method: 'POST', headers, signal, lookup: lookUp(secure, allowed) }
    const request = secure ? requestHttps(url, { ...common, agent }) : requestHttp(url, { ...common, agent })
    return new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.on('error', reject)
      // A protocol switch (101) closes the connection without an error and without a response.
      request.once('close', () => reject(new Error('the connection was closed without a response')))
      request.once('socket', (socket: Socket) => {
        if (socket.connecting)
          socket.once('connect', () => {
            try {
              assertAllowed(socket.remoteAddress ?? '', secure)
            } catch (error) {
              request.destroy(error as Error)
            }
          })
      })
      request.end(body)
    })
  }

  const send = async (request: WebhookRequest, nowSeconds: number): Promise<SendOutcome> => {
    const startMs = performance.now()
    const latency = () => Math.round(performance.now() - startMs)
    const body = Buffer.from(request.body)
    const timeout = new AbortController()
    const timer = setTimeoutAfterIo(answerWithinMs, () => timeout.abort())
    try {
      // Not retried here, even if a kept-alive connection was reset: the receiver may have read the request.
      const response = await post(request, body, nowSeconds, timeout.signal)
      const latencyMs = latency()
      const status = response.statusCode ?? 0
      const answer = await readStart(response)
      return { status, latencyMs, answer, error: statusError(status) }
    } catch (error) {
      if (isCanceledLookUp(error))
        return { status: null, latencyMs: latency(), answer: '', error: 'canceled', isCanceled: true }
      const reason = timeout.signal.aborted
        ? `no response within ${answerWithinMs / 1000} s`
        : reasonOf(error)
      return { status: null, latencyMs: latency(), answer: '', error: reason }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send,
    cancelLookUps: resolver.close,
    close: () => {
      resolver.close()
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** True if the agent has an idle connection to the host of a URL. Node's agents name connections `host:port:…`. */
const hasIdleConnection = ({ freeSockets }: HttpAgent, host: string, { port, protocol }: URL): boolean => {
  const start = `${host}:${port || (protocol === 'https:' ? 443 : 80)}:`
  return Object.keys(freeSockets).some((name) => name.startsWith(start))
}

/** Awaits a promise, but rejects when the signal aborts first. */
const beforeAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** Reads the first 2 KiB of a response and discards the rest. Returns what arrived if the response breaks off. */
function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const end = () => {
      const bytes = Buffer.concat(chunks).subarray(0, answerKeptBytes)
      // PostgreSQL cannot store NUL. A character that was cut in two decodes to U+FFFD.
      resolve(bytes.toString('utf8').replaceAll('\0', '\ufffd').slice(0, answerKeptBytes))
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > answerKeptBytes) response.destroy()
    })
    response.once('end', end)
    response.once('close', end)
    response.on('error', end)
  })
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `HTTP status ${status}: redirects are not followed`
  return `HTTP status ${status}`
}

const maxErrorLength = 512

/** Describes an error for the delivery log. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedTargetError) return error.message
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : reasons[code]
  return firstCharacters(known ?? [code, message].filter(Boolean).join(': '), maxErrorLength)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not respond',
  ENOTFOUND: 'the host has no address',
  ENODATA: 'the host has no address',
  ETIMEOUT: 'the name servers do not respond',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is not from a trusted authority, or its chain is incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}
