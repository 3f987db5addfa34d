import type { LeasedDelivery, WebhookKey } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'

/** Maximum number of concurrent requests to one endpoint, per process. */
const maxConcurrency = 16
/** A failing endpoint keeps this many, to detect quickly that it works again. */
const minConcurrency = 2
/** Maximum number of deliveries in one lease, and the time that a lease is meant to cover. */
const maxLeaseSize = 256
const leaseCoversMs = 1000

/** A leased delivery that waits to be sent. */
export interface QueuedDelivery extends LeasedDelivery {
  readonly lease: string
  /** Deadline for starting the attempt, by `performance.now()`. A later attempt could outlive its lease. */
  readonly startByMs: number
  readonly body: string
}

/**
 * Deliveries of one endpoint in this process. Every endpoint has its own queue and its own concurrency limit, so a slow
 * or dead endpoint delays only itself.
 */
export interface EndpointQueue extends WebhookKey {
  /** The endpoint as last read from the store. Undefined once it is removed or disabled. */
  webhook: WebhookRow | undefined
  deliveries: QueuedDelivery[]
  inFlight: number
  /** Limit of concurrent requests. Adapts to successes and failures. */
  concurrency: number
  /** Moving average of the time that a request takes. */
  latencyMs: number
  /** True while the store may hold more due deliveries. */
  mayHaveMore: boolean
}

export const newEndpointQueue = ({ org, webhookId }: WebhookKey): EndpointQueue => ({
  org,
  webhookId,
  webhook: undefined,
  deliveries: [],
  inFlight: 0,
  concurrency: minConcurrency * 2,
  latencyMs: leaseCoversMs,
  mayHaveMore: true,
})

/** True when nothing is queued, in flight or expected, and the queue can be discarded. */
export const isIdle = (queue: EndpointQueue): boolean =>
  queue.inFlight === 0 && queue.deliveries.length === 0 && !queue.mayHaveMore

/** Returns how many deliveries to lease: about one second of work, at least one per concurrent request. */
export const leaseSize = ({ concurrency, latencyMs }: EndpointQueue): number =>
  Math.min(
    maxLeaseSize,
    Math.max(concurrency, Math.floor((concurrency * leaseCoversMs) / Math.max(1, latencyMs))),
  )

/** True when the queue is less than half full and the store may have more. */
export const needsMore = (queue: EndpointQueue): boolean =>
  queue.mayHaveMore && queue.deliveries.length < leaseSize(queue) / 2

/** Updates latency and concurrency after an attempt: halves the limit on failure, raises it by one on success. */
export function adjustConcurrency(queue: EndpointQueue, latencyMs: number, failed: boolean): void {
  queue.latencyMs += (latencyMs - queue.latencyMs) / 8
  queue.concurrency = failed
    ? Math.max(minConcurrency, Math.floor(queue.concurrency / 2))
    : Math.min(maxConcurrency, queue.concurrency + 1)
}
