import type { StreamKind } from '../../kernel/events/stream-endpoints.ts'
import { type QueueOptions, type QueueWorker, startQueue } from '../../kernel/jobs/job-queue.ts'
import type { LaneKey } from '../../kernel/jobs/queue-lane.ts'
import { type RetrySchedule, retryDelayMs } from '../../kernel/jobs/retry-schedule.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import type { StreamedEvent } from './formats/stream-line.ts'
import {
  acquireStreamLease,
  deletePending,
  listPendingEvents,
  listPendingOrganizations,
  type PendingEvent,
  type PendingOrganization,
  releaseStreamLease,
} from './stream-deliveries.store.ts'
import { recordStreamFailure, recordStreamSuccess } from './stream-states.store.ts'

/** Destination of a stream. */
export interface StreamTarget {
  readonly kind: StreamKind
  /** Delivers events in order. If it throws, the whole batch is retried. */
  deliver(events: readonly StreamedEvent[]): Promise<void>
  close(): Promise<void>
}

export interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Called for every batch, for metrics. `events` is 0 for a failed batch. */
export type StreamObserver = (kind: StreamKind, outcome: 'delivered' | 'failed', events: number) => void

export interface StreamQueueOptions extends Pick<QueueOptions, 'onSignal'> {
  readonly db: Db
  readonly clock: Clock
  readonly log: StreamLog
  readonly target: StreamTarget
  /** ID of this process in leases. */
  readonly holder: string
  readonly observe?: StreamObserver | undefined
}

/** The next batch of an organization. */
interface LeasedBatch extends PendingOrganization {
  readonly lane: LaneKey
}

interface Batch extends LeasedBatch {
  readonly events: readonly PendingEvent[]
}

interface BatchOutcome extends Batch {
  readonly atMs: number
  /** Null if the batch was delivered. */
  readonly error: string | null
}

const maxBatchEvents = 200
/** Maximum total length of the events in a batch, in characters. */
const maxBatchLength = 400_000
const leaseMs = 10_000
const limits = {
  minConcurrency: 1,
  maxConcurrency: 1,
  maxPrefetch: 0,
  /** Delivers a burst as one batch. */
  collectMs: 250,
  /** A batch that takes longer is delivered again after the next start. */
  stopTimeoutMs: 5_000,
}
/** Events are retried until they expire: a gap would be worse than a delay. */
const retries: RetrySchedule = { delaysMs: [1, 2, 4, 8, 16, 30].map((s) => 1000 * s), maxAttempts: Infinity }

/**
 * Starts to deliver the pending events of a stream in batches, in order per organization. Never skips an event. One process
 * at a time holds the lease of the stream; a failure releases it, to let other processes try.
 */
export function startStream(options: StreamQueueOptions): QueueWorker {
  const { db, clock, log, target, holder, observe } = options
  const { kind } = target
  const lane: LaneKey = { name: kind }
  let failures = 0
  let retryAtMs = Number.NEGATIVE_INFINITY
  let organizations: readonly PendingOrganization[] = []
  let lastNo = 0
  let hasDelivered = false

  const isPaused = (): boolean => performance.now() < retryAtMs
  const acquire = (tx: Tx): Promise<boolean> => {
    const nowMs = clock.nowMs()
    return acquireStreamLease(tx, kind, { holder, nowMs, untilMs: nowMs + leaseMs })
  }
  /**
   * Returns the organizations in turn, from the start again as long as events are delivered. Continues after the last one
   * when they were listed anew, which new events of a busy organization cause all the time.
   */
  const nextOrganization = async (): Promise<PendingOrganization | undefined> => {
    if (organizations.length === 0 && hasDelivered) {
      hasDelivered = false
      organizations = await listPendingOrganizations(db, kind)
    }
    const next = organizations.find(({ no }) => no > lastNo) ?? organizations[0]
    organizations = organizations.filter((organization) => organization !== next)
    lastNo = next?.no ?? lastNo
    return next
  }

  const store = async (tx: Tx, { no, events, error, atMs }: BatchOutcome): Promise<void> => {
    if (error === null) {
      const ids = events.map(({ id }) => id)
      await deletePending(tx, no, kind, ids)
      await recordStreamSuccess(tx, no, kind, atMs)
    } else {
      await recordStreamFailure(tx, no, kind, { nowMs: atMs, error })
      await releaseStreamLease(tx, kind, holder)
    }
  }

  const deliver = async (batch: Batch): Promise<BatchOutcome> => {
    try {
      await target.deliver(batch.events.map(({ body }) => ({ body, organizationId: batch.id })))
      if (failures > 0) log.info({ stream: kind, failures }, 'Event stream: delivery works again')
      failures = 0
      hasDelivered = true
      return { ...batch, atMs: clock.nowMs(), error: null }
    } catch (error) {
      failures += 1
      retryAtMs = performance.now() + (retryDelayMs(retries, failures) ?? 0)
      observe?.(kind, 'failed', 0)
      if (failures === 1 || failures % 20 === 0)
        log.warn({ err: error, stream: kind, failures }, 'Event stream: delivery failed and is retried')
      return { ...batch, atMs: clock.nowMs(), error: error instanceof Error ? error.message : String(error) }
    }
  }

  return startQueue<LaneKey, LeasedBatch, Batch, BatchOutcome>(
    {
      name: `Event stream ${kind}`,
      listDue: async () => {
        organizations = isPaused() ? [] : await listPendingOrganizations(db, kind)
        return organizations.length > 0 ? [lane] : []
      },
      exchange: async ({ outcomes, requests }) => {
        const isHeld = await db.inTransaction(async (tx) => {
          for (const outcome of outcomes) await store(tx, outcome)
          return requests.length > 0 && !isPaused() && (await acquire(tx))
        })
        const next = isHeld ? await nextOrganization() : undefined
        for (const { events, error } of outcomes)
          if (error === null) observe?.(kind, 'delivered', events.length)
        return { leased: next ? [{ ...next, lane }] : [] }
      },
      load: async (leased) => {
        const batches: Batch[] = []
        for (const batch of leased) {
          const events = limitLength(await listPendingEvents(db, batch.no, kind, maxBatchEvents))
          if (events.length > 0) batches.push({ ...batch, events })
        }
        return batches
      },
      run: deliver,
      renew: async () => void (await db.inTransaction(acquire)),
      close: async () => {
        await target.close()
        await db.inTransaction((tx) => releaseStreamLease(tx, kind, holder)).catch(() => undefined)
      },
    },
    { ...options, ...limits },
  )
}

/** Returns the first events up to the maximum batch length, at least one. */
function limitLength(events: readonly PendingEvent[]): readonly PendingEvent[] {
  let length = 0
  const end = events.findIndex(({ body }) => {
    length += body.length
    return length > maxBatchLength
  })
  return end === -1 ? events : events.slice(0, Math.max(1, end))
}
