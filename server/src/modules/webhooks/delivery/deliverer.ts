import { type KeyObject, randomUUID } from 'node:crypto'
import { type Clock, unixSeconds } from '../../../kernel/lib/clock.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { dueWebhooks, type WebhookKey } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import {
  adjustConcurrency,
  type EndpointQueue,
  isIdle,
  leaseSize,
  needsMore,
  newEndpointQueue,
  type QueuedDelivery,
} from './endpoint-queue.ts'
import { sendSigned } from './send-signed.ts'
import {
  type DeliveryAttempt,
  type LeasedBatch,
  type LoadedBatch,
  loadEventBodies,
  type OnDisabled,
  type ReleasedDelivery,
  settleAndLease,
} from './settle-and-lease.ts'
import type { Sender, SendOutcome } from './webhook-sender.ts'

/** Delivers due events until it is stopped. */
export interface Deliverer {
  /** Checks for due events now instead of at the next poll. */
  wake(): void
  /** Leases nothing more, waits for requests in flight and releases deliveries that were not attempted. */
  stop(): Promise<void>
}

export interface DelivererOptions {
  readonly db: Db
  /** Decrypts secrets and headers of endpoints. */
  readonly key: KeyObject
  readonly clock: Clock
  readonly log: { warn(facts: object, message: string): void }
  readonly sender: Sender
  readonly onDisabled?: OnDisabled
  /** Called with every attempt after it is stored, for metrics. */
  readonly onAttempt?: (attempt: DeliveryAttempt) => void
  /** Poll interval in milliseconds. Needed because other processes write events, too. */
  readonly pollMs?: number
}

/** Duration of a lease. An attempt takes at most 5 s; what was not started in time is released. */
const leaseMs = 10_000
const startWithinMs = 4_000
/** Pause before each exchange with the store, in which work accumulates. */
const batchMs = 4
/** Pause after a failed exchange. */
const retryMs = 1000
/** Minimum interval between queries for due endpoints. One query per commit would cost more than writing the event. */
const minQueryIntervalMs = 25

/** State to write to the store in the next exchange. */
interface Outcomes {
  readonly attempts: DeliveryAttempt[]
  readonly released: ReleasedDelivery[]
  readonly gone: ReleasedDelivery[]
}

const noOutcomes = (): Outcomes => ({ attempts: [], released: [], gone: [] })

const isEmpty = (outcomes: Outcomes): boolean => Object.values(outcomes).every(({ length }) => length === 0)

/**
 * Starts to deliver events. One exchange with the store at a time writes outcomes and leases new deliveries for all
 * endpoints. In between, every endpoint sends from its own queue at its own pace.
 */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { db, key, clock, log, sender, onAttempt, pollMs = 1000 } = options
  const { onDisabled = async () => undefined } = options
  const queues = new Map<string, EndpointQueue>()
  let pending = noOutcomes()
  let shouldQuery = true
  let stopping = false
  let isFailing = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let timerDueMs = 0
  let lastQueryMs = Number.NEGATIVE_INFINITY

  /** Returns the delay until the next exchange; undefined if there is nothing to do. */
  const nextExchangeInMs = (): number | undefined => {
    if (!isEmpty(pending)) return batchMs
    if (stopping) return undefined
    if ([...queues.values()].some(needsMore)) return batchMs
    return shouldQuery ? Math.max(0, lastQueryMs + minQueryIntervalMs - performance.now()) : undefined
  }

  const schedule = (delayMs = nextExchangeInMs()): void => {
    if (delayMs === undefined) return
    const dueMs = performance.now() + delayMs
    if (running || (timer && (isFailing || timerDueMs <= dueMs))) return
    clearTimeout(timer)
    timerDueMs = dueMs
    timer = setTimeout(() => {
      timer = undefined
      running = exchange().then((succeeded) => {
        running = undefined
        for (const [name, queue] of queues) if (isIdle(queue)) queues.delete(name)
        schedule(succeeded ? undefined : retryMs)
      })
    }, delayMs)
  }

  /** Writes outcomes, leases due deliveries and queues them. @returns false if the store failed */
  const exchange = async (): Promise<boolean> => {
    const outcomes = pending
    pending = noOutcomes()
    const startByMs = performance.now() + startWithinMs
    let batches: LeasedBatch[] = []
    try {
      batches = await writeAndLease(outcomes)
    } catch (error) {
      pending = {
        attempts: [...outcomes.attempts, ...pending.attempts],
        released: [...outcomes.released, ...pending.released],
        gone: [...outcomes.gone, ...pending.gone],
      }
      return reportFailure(error)
    }
    // The outcomes are stored: a failure below must not write them again.
    for (const attempt of outcomes.attempts) onAttempt?.(attempt)
    try {
      for (const batch of await loadEventBodies(db, batches)) enqueue(batch, startByMs)
    } catch (error) {
      for (const { lease, deliveries, ...endpoint } of batches)
        for (const { eventId } of deliveries) release(endpoint, { eventId, lease })
      return reportFailure(error)
    }
    isFailing = false
    return true
  }

  const reportFailure = (error: unknown): false => {
    shouldQuery = true
    if (!isFailing)
      log.warn({ err: error }, 'Webhook delivery: the store is unavailable, retrying every second')
    isFailing = true
    return false
  }

  const writeAndLease = async (outcomes: Outcomes): Promise<LeasedBatch[]> => {
    if (shouldQuery && !stopping) {
      shouldQuery = false
      lastQueryMs = performance.now()
      for (const endpoint of await dueWebhooks(db, clock.nowMs())) queueOf(endpoint).mayHaveMore = true
    }
    const hungry = stopping ? [] : [...queues.values()].filter(needsMore)
    if (isEmpty(outcomes) && hungry.length === 0) return []
    const requests = hungry.map((queue) => {
      const { org, webhookId } = queue
      return { org, webhookId, lease: randomUUID(), limit: leaseSize(queue) }
    })
    const waiting = [...queues.values()].filter(({ deliveries }) => deliveries.length > 0)
    const work = { ...outcomes, requests, waiting: waiting.map(({ webhookId }) => webhookId) }
    const { batches, enabled } = await settleAndLease(db, work, { nowMs: clock.nowMs(), leaseMs, onDisabled })
    for (const queue of waiting) {
      queue.webhook = enabled.get(queue.webhookId)
      if (!queue.webhook) releaseAll(queue)
    }
    return batches
  }

  const queueOf = (endpoint: WebhookKey): EndpointQueue => {
    const name = `${endpoint.org} ${endpoint.webhookId}`
    const known = queues.get(name)
    if (known) return known
    const queue = newEndpointQueue(endpoint)
    queues.set(name, queue)
    return queue
  }

  const enqueue = (batch: LoadedBatch, startByMs: number): void => {
    const { org, webhookId, webhook, lease, limit, deliveries, bodies } = batch
    const queue = queueOf({ org, webhookId })
    queue.webhook = webhook
    queue.mayHaveMore = deliveries.length === limit
    for (const { eventId, attempts } of deliveries) {
      const body = bodies.get(eventId)
      if (body === undefined) pending.gone.push({ org, webhookId, eventId, lease })
      else queue.deliveries.push({ eventId, attempts, lease, startByMs, body })
    }
    dispatch(queue)
  }

  const release = (
    { org, webhookId }: WebhookKey,
    { eventId, lease }: Pick<QueuedDelivery, 'eventId' | 'lease'>,
  ): void => void pending.released.push({ org, webhookId, eventId, lease })

  const releaseAll = (queue: EndpointQueue): void => {
    for (const delivery of queue.deliveries.splice(0)) release(queue, delivery)
  }

  /** Starts queued attempts up to the concurrency limit of the endpoint. */
  const dispatch = (queue: EndpointQueue): void => {
    const { webhook } = queue
    while (webhook && queue.inFlight < queue.concurrency) {
      const next = queue.deliveries.shift()
      if (!next) break
      if (stopping || performance.now() > next.startByMs) release(queue, next)
      else void attempt(queue, webhook, next)
    }
    schedule()
  }

  const attempt = async (
    queue: EndpointQueue,
    webhook: WebhookRow,
    delivery: QueuedDelivery,
  ): Promise<void> => {
    queue.inFlight += 1
    const { org, webhookId } = queue
    const { eventId, lease, body } = delivery
    const atMs = clock.nowMs()
    const outcome = await send(webhook, body)
    queue.inFlight -= 1
    if (outcome.isCanceled) release(queue, delivery)
    else {
      adjustConcurrency(queue, outcome.latencyMs, outcome.error !== null)
      const number = delivery.attempts + 1
      pending.attempts.push({ org, webhookId, eventId, lease, atMs, attempt: number, ...outcome })
    }
    dispatch(queue)
  }

  const send = (webhook: WebhookRow, body: string): Promise<SendOutcome> =>
    sendSigned(sender, key, webhook, { body, nowSeconds: unixSeconds(clock) }, (error) =>
      log.warn({ err: error, webhook: webhook.id }, 'The secret of a webhook cannot be decrypted'),
    )

  const wake = (): void => {
    if (stopping) return
    shouldQuery = true
    schedule()
  }
  const poll = setInterval(wake, pollMs)
  wake()

  return {
    wake,
    stop: async () => {
      stopping = true
      clearInterval(poll)
      for (const queue of queues.values()) releaseAll(queue)
      sender.cancelLookUps()
      for (;;) {
        await running
        clearTimeout(timer)
        timer = undefined
        if ([...queues.values()].every(({ inFlight }) => inFlight === 0)) break
        await new Promise((resolve) => setTimeout(resolve, batchMs))
      }
      await exchange()
      sender.close()
    },
  }
}
