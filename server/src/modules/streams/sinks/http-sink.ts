import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WebhookEvent } from '@muster/contract/events/event-objects'
import type { StreamKind } from '@muster/contract/events/stream-kinds'
import { mapInChunks } from '../../../kernel/lib/process/yield-to-event-loop.ts'
import { mask } from '../../../kernel/lib/secrets/redact.ts'
import { firstCharacters } from '../../../kernel/lib/text.ts'
import type { StreamedEvent } from '../formats/stream-line.ts'
import { type BatchLimits, type PartialDelivery, ReceiverError, type StreamTarget } from '../stream-target.ts'
import { type Poster, type PostResponse, poster, type SinkConnection } from './http-post.ts'

/** Event to encode. */
export interface SinkEvent extends StreamedEvent {
  readonly event: WebhookEvent
}

/** Headers of a request by their names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>

/** A kind of receiver, as data: how a batch is encoded, where it is sent, and what the answers mean. */
export interface HttpSink {
  readonly kind: StreamKind
  readonly limits: BatchLimits
  /** Maximum size of a request before compression, in bytes. */
  readonly maxRequestBytes: number
  readonly contentType: string
  /** Text before, between and after the encoded events. */
  readonly frame: readonly [before: string, between: string, after: string]
  encode(event: SinkEvent): string
  readonly url: URL
  /** Headers with the credentials. May fetch a token. */
  headers(): Promise<RequestHeaders>
  /** Drops the token of headers that the receiver does not accept any more. @returns true if another try makes sense */
  renewHeaders?(refused: RequestHeaders): boolean
  /**
   * Reads an answer with a 2xx status; may wait until the receiver confirms that it has stored the events. Default: all events
   * are delivered.
   *
   * @param headers as returned by `headers`
   */
  accept?(
    response: PostResponse,
    count: number,
    headers: RequestHeaders,
  ): Promise<PartialDelivery | undefined>
  /** True if an answer refuses the content of a request. Default: 400, 413 and 422. */
  isAboutContent?(response: PostResponse): boolean
}

const compress = promisify(gzip)
const contentStatuses: ReadonlySet<number> = new Set([400, 413, 422])
const maxReasonLength = 300

/** Creates the target of a receiver. */
export function httpTarget(
  makeSink: (post: Poster['post']) => HttpSink,
  connection: SinkConnection,
): StreamTarget {
  const maxSockets = 64
  const { post, close } = poster(connection, maxSockets)
  const sink = makeSink(post)
  const { kind, limits, frame, url } = sink

  const send = (body: Buffer, headers: RequestHeaders): Promise<PostResponse> => {
    const standard = { 'content-type': sink.contentType, 'content-encoding': 'gzip' }
    return post({ url, body, headers: { ...standard, ...headers } })
  }

  return {
    kind,
    limits,
    deliver: async (events) => {
      const [before, between, after] = frame
      const encoded = await mapInChunks(events, (streamed) =>
        sink.encode({ ...streamed, event: JSON.parse(streamed.body) as WebhookEvent }),
      )
      const plain = Buffer.from(`${before}${encoded.join(between)}${after}`)
      if (plain.length > sink.maxRequestBytes && events.length > 1)
        throw new ReceiverError('the batch is too large for one request', { isAboutContent: true })
      const body = await compress(plain, { level: 1 })
      let headers = await sink.headers()
      let response = await send(body, headers)
      if (response.status === 401 && sink.renewHeaders?.(headers)) {
        headers = await sink.headers()
        response = await send(body, headers)
      }
      const isTaken = response.status >= 200 && response.status < 300
      // Without events, it is a question if the receiver is there and knows the credentials.
      if (events.length === 0 && (isTaken || contentStatuses.has(response.status))) return undefined
      if (isTaken) return sink.accept?.(response, events.length, headers)
      throw new ReceiverError(statusReason(withoutCredentials(response, headers)), {
        isAboutContent: sink.isAboutContent?.(response) ?? contentStatuses.has(response.status),
        retryAfterMs: retryAfterMs(response),
      })
    },
    close: async () => close(),
  }
}

/** Shorter credentials are not masked: they could be part of any word. */
const minMaskedLength = 8

/** Masks credentials of the request that the receiver repeats in its answer, which is logged and shown. */
function withoutCredentials(response: PostResponse, headers: RequestHeaders): PostResponse {
  const credentials = Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? ''])
  const text = credentials
    .filter(({ length }) => length >= minMaskedLength)
    .reduce((masked, credential) => masked.replaceAll(credential, mask), response.text)
  return { ...response, text }
}

/** Returns the status and the start of the answer. */
export function statusReason({ status, text }: PostResponse): string {
  const answer = firstCharacters(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), maxReasonLength)
  const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : ''
  return `HTTP status ${status}${redirect}${answer === '' ? '' : `: ${answer}`}`
}

/** Returns the pause that a receiver asks for: `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterMs({ headers }: Pick<PostResponse, 'headers'>): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Parses a JSON answer; undefined if it is not an object. */
export function jsonOf({ text }: Pick<PostResponse, 'text'>): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Appends a path to the URL of a receiver, which may have a path itself. */
export function urlBelow(base: string, path: string): URL {
  const url = new URL(base)
  const [pathname = '', search = ''] = path.split('?')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${pathname}`
  if (search !== '') url.search = search
  return url
}
