import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { answerKeptBytes } from '@muster/contract/console/console-webhooks'
import { addressClass } from '../../../kernel/lib/net/address-class.ts'
import { firstCharacters } from '../../../kernel/lib/text.ts'
import { setTimeoutAfterIo } from '../../../kernel/lib/timeout-after-io.ts'
import { version } from '../../../kernel/lib/version.ts'
import { webhookSignature } from './deliver-signature.ts'
import { type HostResolver, hostResolver, isCanceledLookUp } from './resolve-host.ts'
import { addressRefusal, type StaticHeader, type TargetTerms } from './target.rules.ts'

/** An event on its way to an endpoint. */
export interface Sending {
  readonly url: string
  readonly headers: readonly StaticHeader[]
  /** The secrets that it is signed with, in the order of the signatures. */
  readonly secrets: readonly string[]
  /** The exact text of the event. */
  readonly body: string
}

/** What came of an attempt. */
export interface SendOutcome {
  /** The status of the answer; null if none came. */
  readonly status: number | null
  /** Until the answer began, or until it was given up. */
  readonly latencyMs: number
  /** The beginning of the answer, at most 2 KiB. */
  readonly answer: string
  /** Why it counts as failed; null if it was acknowledged. */
  readonly error: string | null
  /** True if it was canceled before anything was sent: no attempt. */
  readonly isCanceled?: true
}

/** Sends events to endpoints. */
export interface Sender {
  /** Never throws: what goes wrong is an outcome. */
  send(sending: Sending, nowSeconds: number): Promise<SendOutcome>
  /** Cancels what still waits for the address of its endpoint, now and from now on; for shutdown. */
  cancelLookUps(): void
  /** Closes the connections that are kept. */
  close(): void
}

export interface SenderOptions extends TargetTerms {
  /** PEM certificates that are trusted besides the usual ones. */
  readonly ca?: readonly string[] | undefined
  /** Closed with the sender. */
  readonly resolver?: HostResolver
  /** 5 s unless told (events contract, section 1, rule 3). */
  readonly answerWithinMs?: number
}

/** The headers of Muster itself; the signature comes besides. */
export const ownHeaders = {
  'content-type': 'application/json',
  'user-agent': `muster-webhooks/${version}`,
} as const

/** Connections that were not used for so long are closed; most servers close theirs after 5 s. */
const idleMs = 4000
const idleConnectionsPerEndpoint = 16

class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError'
}

/**
 * Makes what sends events. Redirects are not followed. Host names are resolved here, every address is judged, and the
 * connection goes to one of those that were: what a name server says a moment later changes nothing.
 */
export function webhookSender(options: SenderOptions): Sender {
  const { ca, answerWithinMs = 5000 } = options
  const resolver = options.resolver ?? hostResolver()
  const kept = { keepAlive: true, maxFreeSockets: idleConnectionsPerEndpoint, timeout: idleMs }
  // Made once: to read all authorities anew for every connection would cost more than the rest of it.
  const trust = ca ? { secureContext: createSecureContext({ ca: [...ca] }) } : {}
  const agents = {
    http: new HttpAgent(kept),
    https: new HttpsAgent({ ...kept, ...trust, rejectUnauthorized: true }),
  }

  const judge = (address: string, secure: boolean): void => {
    const refusal = addressRefusal(addressClass(address), secure, options)
    if (refusal !== undefined) throw new RefusedTargetError(refusal)
  }

  /** All addresses of a name. @throws RefusedTargetError if one of them is not allowed */
  const allowedAddresses = async (name: string, secure: boolean): Promise<readonly string[]> => {
    const addresses = await resolver.resolve(name)
    if (addresses.length === 0) throw new Error('the host has no address')
    for (const address of addresses) judge(address, secure)
    return addresses
  }

  /** Connects to the addresses that were allowed, or looks the name up when the connection is made. */
  const lookUp =
    (secure: boolean, allowed: readonly string[] | undefined): LookupFunction =>
    (name, { all }, callback) => {
      Promise.resolve(allowed ?? allowedAddresses(name, secure))
        .then((addresses) => addresses.map((address) => ({ address, family: isIP(address) })))
        .then(
          (found) =>
            all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family),
          (error) => callback(error, '', 0),
        )
    }

  /** One request: the answer once its head is there. */
  const answerTo = async (sending: Sending, body: Buffer, nowSeconds: number, signal: AbortSignal) => {
    const url = new URL(sending.url)
    const secure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const agent = secure ? agents.https : agents.http
    // An address that stands in the URL itself is never looked up. A name is, before there is a socket: that of TLS takes
    // memory outside of V8's heap, which attempts to dead names would pile up before the next garbage collection.
    if (isIP(host) !== 0) judge(host, secure)
    const isLookedUp = isIP(host) === 0 && !hasIdleConnection(agent, host, url)
    const allowed = isLookedUp ? await beforeAbort(signal, allowedAddresses(host, secure)) : undefined
    const headers = {
      ...Object.fromEntries(sending.headers),
      ...ownHeaders,
      'content-length': body.length,
      'x-signature': webhookSignature(body, sending.secrets, nowSeconds),
    }
    const common = { method: 'POST', headers, signal, lookup: lookUp(secure, allowed) }
    const request = secure ? requestHttps(url, { ...common, agent }) : requestHttp(url, { ...common, agent })
    return new Promise<IncomingMessage>((answered, failed) => {
      request.once('response', answered)
      request.on('error', failed)
      // An answer that leaves HTTP (101) ends the connection without an error, and without an answer.
      request.once('close', () => failed(new Error('the connection ended without an answer')))
      request.once('socket', (socket: Socket) => {
        if (socket.connecting)
          socket.once('connect', () => {
            try {
              judge(socket.remoteAddress ?? '', secure)
            } catch (error) {
              request.destroy(error as Error)
            }
          })
      })
      request.end(body)
    })
  }

  const send = async (sending: Sending, nowSeconds: number): Promise<SendOutcome> => {
    const beganMs = performance.now()
    const latency = () => Math.round(performance.now() - beganMs)
    const body = Buffer.from(sending.body)
    const late = new AbortController()
    const timer = setTimeoutAfterIo(answerWithinMs, () => late.abort())
    try {
      // Not repeated here, not even on a kept connection that was reset: the receiver may have read the request.
      const answer = await answerTo(sending, body, nowSeconds, late.signal)
      const latencyMs = latency()
      const status = answer.statusCode ?? 0
      const text = await beginningOf(answer)
      return { status, latencyMs, answer: text, error: statusError(status) }
    } catch (error) {
      if (isCanceledLookUp(error))
        return { status: null, latencyMs: latency(), answer: '', error: 'canceled', isCanceled: true }
      const reason = late.signal.aborted ? `no answer in ${answerWithinMs / 1000} s` : reasonOf(error)
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

/** True if a connection to the host of a URL is kept and free. Node's agents name connections `host:port:…`. */
const hasIdleConnection = ({ freeSockets }: HttpAgent, host: string, { port, protocol }: URL): boolean => {
  const start = `${host}:${port || (protocol === 'https:' ? 443 : 80)}:`
  return Object.keys(freeSockets).some((name) => name.startsWith(start))
}

/** The outcome of work, unless the signal aborts first. */
const beforeAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })

/** The first 2 KiB of an answer; what follows is not read, and an answer that breaks off or hangs is what came of it. */
function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const end = () => {
      const bytes = Buffer.concat(chunks).subarray(0, answerKeptBytes)
      // A NUL cannot be stored, and a character that was cut in two becomes one that says so.
      resolve(bytes.toString('utf8').replaceAll('\0', '\ufffd').slice(0, answerKeptBytes))
    }
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > answerKeptBytes) answer.destroy()
    })
    answer.once('end', end)
    answer.once('close', end)
    answer.on('error', end)
  })
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`
  return `answered ${status}`
}

const errorLengthMaximum = 512

/** What went wrong, in words for the log of deliveries. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedTargetError) return error.message
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : reasons[code]
  return firstCharacters(known ?? [code, message].filter(Boolean).join(': '), errorLengthMaximum)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  ENOTFOUND: 'the host has no address',
  ENODATA: 'the host has no address',
  ETIMEOUT: 'the name servers do not answer',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is not from a trusted authority, or its chain is incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}
