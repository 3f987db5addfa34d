import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { backoffDelayMs } from '../../kernel/lib/backoff.ts'

/** Another server cannot be read. The message says how to fix it. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

/** Connection to another server. */
export interface RemoteOptions {
  readonly base: URL
  readonly key: string
  /** Certificates to trust in addition to the system's, PEM. */
  readonly ca?: string | undefined
  /** Disables the verification of its certificate. */
  readonly insecure: boolean
  readonly signal: AbortSignal
  /** Called before waiting for more than a few seconds. */
  onWait?(reason: string, milliseconds: number): void
}

/** Response without a connection or server error: 200, or a status that a retry would not change. */
export interface RemoteAnswer {
  readonly status: number
  readonly body: unknown
}

/** Another server with this API. */
export interface RemoteServer {
  /**
   * @param path relative to the base: `/v1/apps?limit=100` @throws RemoteError
   */
  get(path: string): Promise<RemoteAnswer>
  close(): void
}

const requestTimeoutMs = 120_000
const bodyBytesMaximum = 512 * 1024 * 1024
const attemptsMaximum = 10
const backoff = { baseMs: 1000, capMs: 60_000 }
const retryAfterMaximumSeconds = 3600

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Parses the URL of another server. It must use https, except on this machine, where the key is not exposed to a network.
 *
 * @returns the URL without a trailing slash, or the problem
 */
export function readBase(text: string): URL | string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be a URL such as https://muster.example.com'
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    return 'must be a URL without user, query and fragment'
  if (url.protocol === 'http:' && !loopback.test(url.hostname)) {
    return 'must start with https://, because the API key would otherwise cross the network unencrypted'
  }
  url.pathname = url.pathname.replace(/(\/v1)?\/*$/, '')
  return url
}

/** Opens a connection to another server. Requests are sent one after the other. */
export function openRemote(options: RemoteOptions): RemoteServer {
  const { base, ca, insecure } = options
  const agent =
    base.protocol === 'https:'
      ? new HttpsAgent({
          keepAlive: true,
          maxSockets: 1,
          rejectUnauthorized: !insecure,
          ...(ca === undefined ? {} : { ca }),
        })
      : new HttpAgent({ keepAlive: true, maxSockets: 1 })
  let everAnswered = false
  return {
    close: () => agent.destroy(),
    async get(path) {
      for (let failures = 1; ; failures += 1) {
        const outcome = await once(options, agent, path)
        options.signal.throwIfAborted()
        if ('answer' in outcome) {
          everAnswered = true
          return outcome.answer
        }
        everAnswered ||= outcome.unreachable !== true
        if (outcome.final || (!everAnswered && outcome.unreachable) || failures >= attemptsMaximum) {
          const more = everAnswered ? '' : (outcome.atFirst ?? '')
          throw new RemoteError(`${base.host} cannot be read: ${outcome.reason}${more}`)
        }
        // A requested wait is not a failure, however often it happens.
        if (outcome.waitMs !== undefined) failures = 0
        const waitMs = outcome.waitMs ?? backoffDelayMs(failures, Math.random(), backoff)
        if (waitMs > 5000) options.onWait?.(outcome.reason, waitMs)
        await delay(waitMs, undefined, { signal: options.signal })
      }
    },
  }
}

interface Failure {
  readonly reason: string
  /** A retry would not help. */
  readonly final?: boolean
  readonly unreachable?: boolean
  /** Added to the message if the server has never answered. */
  readonly atFirst?: string
  /** Wait that the server asked for. */
  readonly waitMs?: number
}

async function once(
  options: RemoteOptions,
  agent: HttpAgent,
  path: string,
): Promise<{ answer: RemoteAnswer } | Failure> {
  let response: { message: IncomingMessage; text: string }
  try {
    response = await send(options, agent, path)
  } catch (error) {
    return unreachable(error as NodeJS.ErrnoException, options.base)
  }
  const { message, text } = response
  const status = message.statusCode ?? 0
  if (status === 429) return { reason: 'it asks for fewer requests (429)', waitMs: retryAfterMs(message) }
  if (status >= 500) return { reason: `it responds with status ${status}` }
  if (status >= 300 && status < 400) {
    return { reason: `it redirects to ${message.headers.location}. Use that URL.`, final: true }
  }
  try {
    return { answer: { status, body: text === '' ? undefined : JSON.parse(text) } }
  } catch {
    return {
      reason: `the response to ${path.split('?')[0]} (status ${status}) is not JSON. Check that the URL is that of the API.`,
      final: true,
    }
  }
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = /^\d+$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 1
  return Math.min(Math.max(seconds, 0.1), retryAfterMaximumSeconds) * 1000
}

function unreachable({ code = '', message }: NodeJS.ErrnoException, base: URL): Failure {
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return {
      reason: `its certificate is not trusted (${message}). Name the certificate with --ca FILE, or disable the verification with --insecure.`,
      final: true,
    }
  }
  if (code === 'EPROTO') return { reason: `it does not use TLS on that port (${message})`, final: true }
  // A TLS server may close a plain HTTP connection, or respond with something that is not HTTP.
  const mayBeTls = base.protocol === 'http:' && /^(ECONNRESET|HPE_)/.test(code)
  return {
    reason: message === '' ? code : message,
    unreachable: true,
    ...(mayBeTls ? { atFirst: `. It may use TLS: --from https://${base.host}` } : {}),
  }
}

function send(
  { base, key, signal }: RemoteOptions,
  agent: HttpAgent,
  path: string,
): Promise<{ message: IncomingMessage; text: string }> {
  const request = base.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      `${base.href.replace(/\/$/, '')}${path}`,
      { agent, signal, timeout: requestTimeoutMs, headers: { 'x-api-key': key, accept: 'application/json' } },
      (message) => {
        const parts: Buffer[] = []
        let bytes = 0
        message.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > bodyBytesMaximum)
            message.destroy(new Error(`a response is larger than ${bodyBytesMaximum} bytes`))
          parts.push(part)
        })
        message.on('end', () => resolve({ message, text: Buffer.concat(parts).toString('utf8') }))
        message.on('error', reject)
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${requestTimeoutMs / 1000} seconds`)))
    sent.on('error', reject)
    sent.end()
  })
}
