import { randomUUID } from 'node:crypto'
import { ReceiverError } from '../stream-target.ts'
import type { Post, SinkConnection } from './http-post.ts'
import {
  type HttpSink,
  jsonOf,
  type RequestHeaders,
  type SinkEvent,
  statusReason,
  urlBelow,
} from './http-sink.ts'

export interface SplunkSettings {
  readonly eventsSplunkUrl: string
  readonly eventsSplunkToken: string
  readonly eventsSplunkIndex: string | undefined
}

/**
 * First and longest interval of questions for acknowledgments, and time after which a batch counts as lost (Splunk recommends 5
 * minutes).
 */
const ackEveryMs = { first: 50, longest: 1000 }
const ackWithinMs = 300_000
/** Codes of answers with status 400 that are about an event: invalid data format, event missing, event blank, fields. */
const eventCodes: ReadonlySet<unknown> = new Set([6, 12, 13, 15])

/**
 * Splunk HTTP Event Collector. If indexer acknowledgment is on for the token, the answer has an `ackId`, and the batch counts as
 * delivered when Splunk confirms that it is indexed. Otherwise it counts when Splunk has accepted it.
 */
export function splunkSink(
  { eventsSplunkUrl: base, eventsSplunkToken: token, eventsSplunkIndex: index }: SplunkSettings,
  post: Post,
  { isTrial = false }: SinkConnection,
): HttpSink {
  const acksOf = new WeakMap<RequestHeaders, (ackId: number) => Promise<void>>()
  const openChannel = (): RequestHeaders => {
    const channel = randomUUID()
    const opened = { authorization: `Splunk ${token}`, 'x-splunk-request-channel': channel }
    const ask = async (ids: readonly number[]): Promise<readonly number[]> => {
      try {
        const response = await post({
          url: urlBelow(base, `/services/collector/ack?channel=${channel}`),
          headers: { ...opened, 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify({ acks: ids })),
        })
        if (response.status !== 200) throw new ReceiverError(statusReason(response))
        const found = jsonOf(response)?.acks as Readonly<Record<string, boolean>> | undefined
        return ids.filter((id) => found?.[id] === true)
      } catch (error) {
        // A Splunk that restarts counts from 0 again. On the old channel, it would confirm batches that it has lost.
        if (headers === opened) headers = openChannel()
        throw error
      }
    }
    acksOf.set(opened, ackPoller(ask))
    return opened
  }
  let headers = openChannel()
  return {
    kind: 'SPLUNK',
    // Splunk Cloud recommends at most 1 MB per request.
    limits: { maxEvents: 1000, maxLength: 800_000, maxInFlight: 32 },
    maxRequestBytes: 1_000_000,
    contentType: 'application/json',
    frame: ['', '\n', ''],
    encode: (event) => splunkEntry(event, index),
    url: urlBelow(base, '/services/collector/event'),
    headers: async () => headers,
    accept: async (response, _count, sent) => {
      const ackId = jsonOf(response)?.ackId
      if (typeof ackId === 'number' && !isTrial) await acksOf.get(sent)?.(ackId)
      return undefined
    },
    isAboutContent: (response) =>
      response.status === 413 || (response.status === 400 && eventCodes.has(jsonOf(response)?.code)),
  }
}

function splunkEntry({ event, body, organizationId }: SinkEvent, index: string | undefined): string {
  const meta = { time: event.timestamp, source: 'muster', sourcetype: 'muster:event', index }
  const text = `${body.slice(0, -1)},"organizationId":${JSON.stringify(organizationId)}}`
  return `${JSON.stringify(meta).slice(0, -1)},"event":${text}}`
}

/**
 * Asks for all outstanding acknowledgments at once.
 *
 * @param ask returns those of the IDs that are acknowledged
 * @returns a function that resolves when an ID is acknowledged
 */
function ackPoller(ask: (ids: readonly number[]) => Promise<readonly number[]>) {
  const waiting = new Map<number, { resolve(): void; reject(error: unknown): void; untilMs: number }>()
  let isScheduled = false
  let intervalMs = ackEveryMs.first
  let lastError: unknown
  const poll = async (): Promise<void> => {
    try {
      const acknowledged = await ask([...waiting.keys()])
      lastError = undefined
      for (const id of acknowledged) {
        intervalMs = ackEveryMs.first
        waiting.get(id)?.resolve()
        waiting.delete(id)
      }
    } catch (error) {
      lastError = error
    }
    for (const [id, { reject, untilMs }] of waiting)
      if (performance.now() > untilMs) {
        waiting.delete(id)
        const reason = lastError instanceof Error ? `: ${lastError.message}` : ''
        reject(new Error(`Splunk did not confirm within 5 minutes that it has indexed the events${reason}`))
      }
    isScheduled = false
    intervalMs = Math.min(2 * intervalMs, ackEveryMs.longest)
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    setTimeout(() => void poll(), intervalMs).unref()
  }
  return (id: number): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.get(id)?.reject(new Error('Splunk has restarted before it confirmed the events'))
      waiting.set(id, { resolve, reject, untilMs: performance.now() + ackWithinMs })
      schedule()
    })
}
