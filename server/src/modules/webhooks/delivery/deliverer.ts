import type { KeyObject } from 'node:crypto'
import type { WarningLog } from '../../../kernel/jobs/background-jobs.ts'
import { type QueueOptions, type QueueWorker, startQueue } from '../../../kernel/jobs/job-queue.ts'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { type Clock, unixSeconds } from '../../../kernel/lib/clock.ts'
import type { Tracing } from '../../../kernel/lib/tracing.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { dropDeliveries, dueWebhooks, readEventBodies } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import { sendSigned } from './send-signed.ts'
import {
  type DeliveryAttempt,
  type EndpointLane,
  type LeasedWebhookDelivery,
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

interface QueuedDelivery extends LeasedWebhookDelivery {
  readonly body: string
}

/** Duration of a lease. An attempt starts within 4 s and takes at most 5 s. */
const leaseMs = 10_000
/** A failing endpoint keeps two concurrent requests, to detect quickly that it works again. */
const limits = { minConcurrency: 2, maxConcurrency: 16, maxPrefetch: 256 }

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

  const loadBodies = async (leased: readonly LeasedWebhookDelivery[]): Promise<QueuedDelivery[]> => {
    const loadLane = async ([lane, deliveries]: [EndpointLane, LeasedWebhookDelivery[]]) => {
      const ids = deliveries.map(({ eventId }) => eventId)
      const bodies = await readEventBodies(db, lane.org, ids)
      const gone = ids.filter((id) => !bodies.has(id))
      if (gone.length > 0) await db.inTransaction((tx) => dropDeliveries(tx, lane, gone))
      return deliveries.flatMap((delivery) => {
        const body = bodies.get(delivery.eventId)
        return body === undefined ? [] : [{ ...delivery, body }]
      })
    }
    return (await allSettledOrThrow([...Map.groupBy(leased, ({ lane }) => lane)].map(loadLane))).flat()
  }

  const attempt = async (delivery: QueuedDelivery): Promise<DeliveryAttempt | undefined> => {
    const { org, webhookId, eventId, attempts, lease, body } = delivery
    const webhook = endpoints.get(webhookId)
    if (!webhook) return undefined
    const atMs = clock.nowMs()
    const span = tracing?.startSpan('POST webhook', 'CLIENT', tracing.traceOfEvent(eventId), {
      'server.address': new URL(webhook.url).hostname,
      'muster.event_id': eventId,
    })
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
    return { org, webhookId, eventId, lease, atMs, attempt: attempts + 1, ...outcome }
  }

  return startQueue<EndpointLane, LeasedWebhookDelivery, QueuedDelivery, DeliveryAttempt>(
    {
      name: 'Webhook delivery',
      listDue: async () =>
        (await dueWebhooks(db, clock.nowMs())).map((endpoint) => ({ ...endpoint, name: endpoint.webhookId })),
      exchange: async (work) => {
        const { leased, enabled } = await settleAndLease(db, work, {
          nowMs: clock.nowMs(),
          leaseMs,
          onDisabled,
        })
        endpoints = enabled
        for (const made of work.outcomes) onAttempt?.(made)
        return { leased, revoked: work.waiting.filter(({ webhookId }) => !enabled.has(webhookId)) }
      },
      load: loadBodies,
      run: attempt,
      isFailure: ({ error }) => error !== null,
      cancel: sender.cancelLookUps,
      close: sender.close,
    },
    { ...options, ...limits },
  )
}
