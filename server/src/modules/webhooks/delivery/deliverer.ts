import type { KeyObject } from 'node:crypto'
import type { WarningLog } from '../../../kernel/jobs/background-jobs.ts'
import { type QueueOptions, type QueueWorker, startQueue } from '../../../kernel/jobs/job-queue.ts'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { type Clock, unixSeconds } from '../../../kernel/lib/clock.ts'
import type { Tracing } from '../../../kernel/lib/tracing.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { dropDeliveries, dueWebhooks, readEventBodies } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import { requestBody, sendSigned } from './send-signed.ts'
import {
  type DeliveryAttempt,
  type EndpointLane,
  type LeasedBatch,
  maxLeasedEvents,
  type OnDisabled,
  settleAndLease,
} from './settle-and-lease.ts'
import type { Sender, SendOutcome } from './webhook-sender.ts'

export interface DelivererOptions extends Pick<QueueOptions, 'onSignal' | 'pollMs'> {
  readonly db: Db
  /** Decrypts secrets and headers of endpoints. */
  readonly key: KeyObject
  readonly clock: Clock
  readonly log: WarningLog
  /** Closed with the deliverer. */
  readonly sender: Sender
  /** Sends messages of alert rules. Without it they fail. */
  readonly sendAlert?: SendAlert | undefined
  readonly onDisabled?: OnDisabled
  /** Called with every attempt after it is stored, for metrics. */
  readonly onAttempt?: ((attempt: DeliveryAttempt) => void) | undefined
  readonly tracing?: Tracing | undefined
}

/** Sends a stored message of an alert rule in one attempt. */
export type SendAlert = (
  rule: WebhookRow,
  message: {
    readonly body: string
    readonly nowSeconds: number
    readonly traceparent?: string | undefined
  },
) => Promise<SendOutcome>

interface QueuedBatch extends LeasedBatch {
  /** Bodies of the events, in the order of the deliveries. */
  readonly bodies: readonly string[]
}

/** Duration of a lease. An attempt starts within 4 s and takes at most 5 s. */
const leaseMs = 10_000
/** A failing endpoint keeps two concurrent requests, to detect quickly that it works again. */
const limits = { minConcurrency: 2, maxConcurrency: 256, maxPrefetch: 1024 }
/** Length of a request, in characters, above which a batch is split. */
const maxBatchLength = 1_000_000

/** Returns the limits of an endpoint with batches; undefined for others. */
const limitsOfBatches = (batchSize: number) => {
  if (batchSize === 1) return undefined
  const batches = Math.max(4, Math.min(limits.maxConcurrency, Math.floor(maxLeasedEvents / batchSize)))
  return { maxConcurrency: batches, maxPrefetch: batches }
}

/** Number of characters of the answer that is stored for the second and further events of a request. */
const repeatedAnswerLength = 200

/** Adds the bodies of a batch, without events that were deleted, and splits it if it is too long. */
function withBodies(batch: LeasedBatch, bodies: ReadonlyMap<string, string>): QueuedBatch[] {
  const parts: { deliveries: LeasedBatch['deliveries'][number][]; bodies: string[] }[] = []
  let length = Number.POSITIVE_INFINITY
  for (const delivery of batch.deliveries) {
    const body = bodies.get(delivery.eventId)
    if (body === undefined) continue
    length += body.length
    if (length > maxBatchLength) {
      length = body.length
      parts.push({ deliveries: [], bodies: [] })
    }
    parts.at(-1)?.deliveries.push(delivery)
    parts.at(-1)?.bodies.push(body)
  }
  return parts.map((part) => ({ ...batch, ...part }))
}

/** Starts to deliver due events to webhook endpoints, with one lane per endpoint. */
export function startDeliverer(options: DelivererOptions): QueueWorker {
  const {
    db,
    key,
    clock,
    log,
    sender,
    sendAlert,
    onDisabled = async () => undefined,
    onAttempt,
    tracing,
  } = options
  /** Enabled endpoints with queued deliveries, as last read from the store. */
  let endpoints: ReadonlyMap<string, WebhookRow> = new Map()

  const loadBodies = async (leased: readonly LeasedBatch[]): Promise<QueuedBatch[]> => {
    const loadLane = async ([lane, batches]: [EndpointLane, LeasedBatch[]]) => {
      const ids = batches.flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId))
      const bodies = await readEventBodies(db, lane.org, ids)
      const gone = ids.filter((id) => !bodies.has(id))
      if (gone.length > 0) await db.inTransaction((tx) => dropDeliveries(tx, lane, gone))
      return batches.flatMap((batch) => withBodies(batch, bodies))
    }
    return (await allSettledOrThrow([...Map.groupBy(leased, ({ lane }) => lane)].map(loadLane))).flat()
  }

  const attempt = async (batch: QueuedBatch): Promise<readonly DeliveryAttempt[] | undefined> => {
    const { org, webhookId, deliveries, lease, bodies } = batch
    const webhook = endpoints.get(webhookId)
    const [first] = deliveries
    // The size of batches may have been changed since the lease.
    if (!webhook || !first || deliveries.length > webhook.batchSize) return undefined
    const atMs = clock.nowMs()
    const span = tracing?.startSpan('POST webhook', 'CLIENT', tracing.traceOfEvent(first.eventId), {
      // A rule that now sends e-mails has no URL.
      'server.address': URL.parse(webhook.url)?.hostname ?? '',
      'muster.event_id': first.eventId,
    })
    const body = requestBody(webhook, bodies)
    const message = { body, nowSeconds: unixSeconds(clock), traceparent: span?.traceparent }
    const { isCanceled, ...outcome } =
      webhook.kind === 'ALERT' && sendAlert
        ? await sendAlert(webhook, message)
        : await sendSigned(sender, key, webhook, message, (error) =>
            log.warn({ err: error, webhook: webhookId }, 'The secret of a webhook cannot be decrypted'),
          )
    const { status, error } = outcome
    span?.end(status === null ? {} : { 'http.response.status_code': status }, error ?? undefined)
    if (isCanceled) return undefined
    // The log has an attempt for each event, but the whole answer only once.
    const answerOf = (at: number) =>
      at === 0 ? outcome.answer : outcome.answer.slice(0, repeatedAnswerLength)
    return deliveries.map(({ eventId, attempts }, at) => ({
      org,
      webhookId,
      kind: webhook.kind,
      eventId,
      lease,
      atMs,
      attempt: attempts + 1,
      ...outcome,
      answer: answerOf(at),
    }))
  }

  return startQueue<EndpointLane, LeasedBatch, QueuedBatch, readonly DeliveryAttempt[]>(
    {
      name: 'Webhook delivery',
      listDue: async () =>
        (await dueWebhooks(db, clock.nowMs())).map(({ org, webhookId, batchSize }) => ({
          org,
          webhookId,
          name: webhookId,
          limits: limitsOfBatches(batchSize),
        })),
      exchange: async (work) => {
        const { leased, more, enabled } = await settleAndLease(db, work, {
          nowMs: clock.nowMs(),
          leaseMs,
          onDisabled,
        })
        endpoints = enabled
        for (const made of work.outcomes.flat()) onAttempt?.(made)
        return { leased, more, revoked: work.waiting.filter(({ webhookId }) => !enabled.has(webhookId)) }
      },
      load: loadBodies,
      run: attempt,
      isFailure: ([first]) => first?.error !== null,
      cancel: sender.cancelLookUps,
      close: sender.close,
    },
    { ...options, ...limits },
  )
}
