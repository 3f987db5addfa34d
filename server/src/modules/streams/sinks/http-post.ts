import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { setTimeoutAfterIo } from '../../../kernel/lib/timeout-after-io.ts'
import { version } from '../../../kernel/lib/version.ts'
import type { AddressGuard } from '../../webhooks/delivery/address-guard.ts'

/** Connection to the receiver of a sink. */
export interface SinkConnection {
  /** PEM certificates of trusted authorities. Default: those of Node.js. */
  readonly ca?: readonly string[] | undefined
  /** Checks the address of a receiver that an owner has set in the console. */
  readonly guard?: AddressGuard | undefined
  /** Timeout of a request. Default: 30 s. */
  readonly timeoutMs?: number | undefined
  /** True if an accepted event is enough, without waiting until the receiver has stored it. */
  readonly isTrial?: boolean | undefined
}

export interface PostRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface PostResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Start of the body. */
  readonly text: string
}

/** Sends a request and reads the response. @throws Error without a response */
export type Post = (request: PostRequest) => Promise<PostResponse>

export interface Poster {
  readonly post: Post
  close(): void
}

const defaultTimeoutMs = 30_000
/** Idle time after which a connection is closed, shorter than the 5 s of many servers. */
const idleMs = 4000
/** A bulk response for a thousand events has about 100 KiB. */
const maxResponseBytes = 4 * 1024 * 1024

/** Creates a client that keeps connections open, follows no redirects and verifies certificates. */
export function poster(
  { ca, guard, timeoutMs = defaultTimeoutMs }: SinkConnection,
  maxSockets: number,
): Poster {
  const keepAlive = { keepAlive: true, maxFreeSockets: maxSockets, timeout: idleMs }
  const trust = ca ? { secureContext: createSecureContext({ ca: [...ca] }) } : {}
  const agents = { http: new HttpAgent(keepAlive), https: new HttpsAgent({ ...keepAlive, ...trust }) }

  const send = (request: PostRequest, signal: AbortSignal): Promise<PostResponse> =>
    new Promise((resolve, reject) => {
      const { url, body, headers } = request
      const secure = url.protocol === 'https:'
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // Node does not call `lookup` for IP addresses.
      if (guard && isIP(host) !== 0) guard.assertAllowed(host, secure)
      const options = {
        method: 'POST',
        headers: { 'user-agent': `muster/${version}`, ...headers, 'content-length': body.length },
        signal,
        ...(guard && { lookup: guard.lookUp(secure) }),
      }
      const made = secure
        ? requestHttps(url, { ...options, agent: agents.https })
        : requestHttp(url, { ...options, agent: agents.http })
      let hasResponse = false
      made.once('response', (response) => {
        hasResponse = true
        readResponse(response).then(resolve, reject)
      })
      made.on('error', reject)
      // The promise of a response that was read settles after this event.
      made.once('close', () => {
        if (!hasResponse) reject(new Error('the connection was closed without a response'))
      })
      made.end(body)
    })

  return {
    post: async (request) => {
      const timeout = new AbortController()
      const timer = setTimeoutAfterIo(timeoutMs, () => timeout.abort())
      try {
        return await send(request, timeout.signal)
      } catch (error) {
        if (timeout.signal.aborted)
          throw new Error(`no response within ${timeoutMs / 1000} s`, { cause: error })
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function readResponse(response: IncomingMessage): Promise<PostResponse> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxResponseBytes) chunks.push(chunk)
      else response.destroy(new Error('the response is too long'))
    })
    response.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    response.once('error', reject)
    response.once('close', () => reject(new Error('the connection was lost within the response')))
  })
}
