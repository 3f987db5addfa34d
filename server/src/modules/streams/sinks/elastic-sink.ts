import { ecsEvent } from '../formats/ecs-event.ts'
import type { PartialDelivery, RefusedEvent } from '../stream-target.ts'
import { ReceiverError } from '../stream-target.ts'
import { type HttpSink, jsonOf, type SinkEvent, urlBelow } from './http-sink.ts'

export interface ElasticSettings {
  readonly eventsElasticUrl: string
  readonly eventsElasticUser: string | undefined
  readonly eventsElasticSecret: string | undefined
  readonly eventsElasticIndex: string
}

/** Bulk API of Elasticsearch and OpenSearch. The ID of a document is that of the event, so repeated events are no duplicates. */
export function elasticSink(settings: ElasticSettings): HttpSink {
  const {
    eventsElasticUrl,
    eventsElasticUser: user,
    eventsElasticSecret: secret,
    eventsElasticIndex,
  } = settings
  const authorization = user === undefined ? `ApiKey ${secret}` : `Basic ${btoaUtf8(`${user}:${secret}`)}`
  const path = `/${encodeURIComponent(eventsElasticIndex)}/_bulk?filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason`
  return {
    kind: 'ELASTIC',
    limits: { maxEvents: 1000, maxLength: 2_000_000, maxInFlight: 16 },
    maxRequestBytes: 10_000_000,
    contentType: 'application/x-ndjson',
    frame: ['', '', ''],
    encode: elasticLines,
    url: urlBelow(eventsElasticUrl, path),
    headers: async () => (secret === undefined ? {} : { authorization }),
    accept: async (response, count) => bulkResult(jsonOf(response), count),
    isAboutContent: ({ status }) => status === 413,
  }
}

const btoaUtf8 = (text: string): string => Buffer.from(text).toString('base64')

function elasticLines(event: SinkEvent): string {
  // `create` is the only operation that data streams accept.
  return `${JSON.stringify({ create: { _id: event.event.id } })}\n${JSON.stringify(ecsEvent(event))}\n`
}

interface BulkItem {
  readonly status?: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/** A document that exists already was sent before. */
const alreadyThere = 409

/** Errors of single documents have status 400 if they are about the document. All others, such as 429, may pass. */
function bulkResult(
  answer: Readonly<Record<string, unknown>> | undefined,
  count: number,
): PartialDelivery | undefined {
  const items = answer?.items
  if (!Array.isArray(items) || items.length !== count)
    throw new ReceiverError('the answer is not one of the bulk API')
  if (answer?.errors === false) return undefined
  const [rejected, failed]: RefusedEvent[][] = [[], []]
  for (const [at, item] of items.entries()) {
    const { status = 0, error } = (Object.values(item as object)[0] ?? {}) as BulkItem
    if ((status >= 200 && status < 300) || status === alreadyThere) continue
    const reason = `status ${status}: ${[error?.type, error?.reason].filter(Boolean).join(': ')}`
    ;(status === 400 ? rejected : failed)?.push({ at, reason })
  }
  return { rejected: rejected ?? [], failed: failed ?? [] }
}
