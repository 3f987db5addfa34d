import type { StreamKind } from '@muster/contract/events/stream-kinds'
import { type QueueOptions, type QueueWorker, startQueue } from '../../kernel/jobs/job-queue.ts'
import type { LaneKey } from '../../kernel/jobs/queue-lane.ts'
import { type RetrySchedule, retryDelayMs } from '../../kernel/jobs/retry-schedule.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { type BatchResult, deliverBatch, type PendingEvent } from './deliver-batch.ts'
import { type PendingId, pendingReader } from './pending-reader.ts'
import {
  acquireStreamLease,
  deletePending,
  readBodies,
  releaseStreamLease,
} from './stream-deliveries.store.ts'
import { recordStreamFailure, recordStreamSuccess } from './stream-states.store.ts'
import type { StreamTarget } from './stream-target.ts'

export interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Called for every batch, for metrics. `events` is the number of events, for failures that of batches. */
export type StreamObserver = (
  kind: StreamKind,
  outcome: 'delivered' | 'rejected' | 'failed',
  events: number,
) => void

export interface StreamQueueOptions extends Pick<QueueOptions, 'onSignal' | 'pollMs'> {
  readonly db: Db
  readonly clock: Clock
  readonly log: StreamLog
  readonly target: StreamTarget
  /** ID of this process in leases. */
  readonly holder: string
  readonly observe?: StreamObserver | undefined
}

interface LeasedBatch {
  readonly lane: LaneKey
  readonly ids: readonly PendingId[]
}

interface Batch extends LeasedBatch {
  readonly events: readonly PendingEvent[]
}

interface BatchOutcome extends BatchResult {
  readonly ids: readonly PendingId[]
  readonly atMs: number
}

const leaseMs = 10_000
const limits = {
  minConcurrency: 1,
  maxPrefetch: 0,
  /** Delivers a burst as one batch. */
  collectMs: 250,
  /** A batch that takes longer is delivered again after the next start. */
  stopTimeoutMs: 5_000,
}
/** Events are retried until they expire: a gap would be worse than a delay. */
const retries: RetrySchedule = { delaysMs: [1, 2, 4, 8, 16, 30].map((s) => 1000 * s), maxAttempts: Infinity }
/** Longest pause that a receiver may ask for. */
const maxRetryAfterMs = 300_000

/**
 * Starts to deliver the pending events of a stream in batches. Never skips an event that the receiver may take later. As many
 * batches are in flight as the receiver handles, up to the limit of the target; the others wait in the store. One process at a
 * time holds the lease of the stream; a failure releases it, to let other processes try.
 */
export function startStream(options: StreamQueueOptions): QueueWorker {
  const { db, clock, log, target, holder, observe } = options
  const { kind } = target
  const { maxEvents, maxLength, maxInFlight } = target.limits
  const lane: LaneKey = { name: kind }
  const pending = pendingReader(db, kind)
  /** Moving average of the length of an event, to read no more than a batch can hold. */
  let averageLength = 1
  let failures = 0
  let retryAtMs = Number.NEGATIVE_INFINITY

  const isPaused = (): boolean => performance.now() < retryAtMs
  const acquire = (tx: Tx): Promise<boolean> => {
    const nowMs = clock.nowMs()
    return acquireStreamLease(tx, kind, { holder, nowMs, untilMs: nowMs + leaseMs })
  }

  const store = async (tx: Tx, { delivered, rejected, atMs }: BatchOutcome): Promise<void> => {
    const done = Map.groupBy([...delivered, ...rejected], ({ org }) => org)
    for (const [org, events] of done) {
      const ids = events.map(({ id }) => id)
      await deletePending(tx, org, kind, ids)
    }
    if (delivered.length > 0)
      await recordStreamSuccess(tx, [...new Set(delivered.map(({ org }) => org))], kind, atMs)
  }

  const storeFailure = async (tx: Tx, outcomes: readonly BatchOutcome[]): Promise<void> => {
    const last = outcomes.findLast(({ error }) => error !== undefined)
    const [event] = last ? [...last.failed, ...last.rejected] : []
    if (last?.error === undefined || !event) return
    await recordStreamFailure(tx, event.org, kind, { nowMs: last.atMs, error: last.error })
    const isAlone = pending.inFlight() === outcomes.reduce((sum, { ids }) => sum + ids.length, 0)
    if (isPaused() && isAlone) await releaseStreamLease(tx, kind, holder)
  }

  const report = ({ delivered, rejected, failed, error, retryAfterMs }: BatchResult): void => {
    for (const { id, organizationId, reason } of rejected)
      log.warn(
        { stream: kind, event: id, organizationId, reason },
        'Event stream: the receiver refuses an event, which is skipped',
      )
    if (failed.length === 0) {
      if (failures > 0) log.info({ stream: kind, failures }, 'Event stream: delivery works again')
      failures = 0
      return
    }
    // Batches that fail at the same time are one failure.
    if (!isPaused()) {
      failures += 1
      retryAtMs = performance.now() + (retryDelayMs(retries, failures) ?? 0)
      if (failures === 1 || failures % 20 === 0)
        log.warn(
          { stream: kind, failures, reason: error, delivered: delivered.length },
          'Event stream: delivery failed and is retried',
        )
    }
    const wishMs = Math.min(retryAfterMs ?? 0, maxRetryAfterMs)
    retryAtMs = Math.max(retryAtMs, performance.now() + wishMs)
  }

  const load = async ({ ids }: LeasedBatch): Promise<Batch> => {
    const byOrg = Map.groupBy(ids, ({ org }) => org)
    const found: PendingEvent[] = []
    for (const [org, wanted] of byOrg) {
      const bodies = await readBodies(
        db,
        org,
        wanted.map(({ id }) => id),
      )
      for (const event of wanted) {
        const body = bodies.get(event.id)
        if (body !== undefined) found.push({ ...event, body })
      }
      const gone = wanted.flatMap(({ id }) => (bodies.has(id) ? [] : [id]))
      if (gone.length > 0) await db.inTransaction((tx) => deletePending(tx, org, kind, gone))
    }
    const events = limitLength(found, maxLength)
    const length = events.reduce((sum, { body }) => sum + body.length, 0)
    averageLength += (length / Math.max(1, events.length) - averageLength) / 2
    const kept = new Set(events.map(({ id }) => id))
    pending.release(ids.filter(({ id }) => !kept.has(id)))
    return { lane, ids: events, events }
  }

  return startQueue<LaneKey, LeasedBatch, Batch, BatchOutcome>(
    {
      name: `Event stream ${kind}`,
      listDue: async () => (!isPaused() && (await pending.list()) ? [lane] : []),
      exchange: async ({ outcomes, released, requests }) => {
        const isHeld = await db.inTransaction(async (tx) => {
          for (const outcome of outcomes) await store(tx, outcome)
          await storeFailure(tx, outcomes)
          return requests.length > 0 && !isPaused() && (await acquire(tx))
        })
        for (const { ids } of [...outcomes, ...released]) pending.release(ids)
        for (const { delivered, rejected } of outcomes) {
          if (delivered.length > 0) observe?.(kind, 'delivered', delivered.length)
          if (rejected.length > 0) observe?.(kind, 'rejected', rejected.length)
        }
        const batches = isHeld ? (requests[0]?.limit ?? 0) : 0
        const perBatch = Math.max(1, Math.min(maxEvents, Math.floor(maxLength / averageLength)))
        const ids = batches > 0 ? await pending.take(batches * perBatch) : []
        const leased = chunks(ids, perBatch).map((part) => ({ lane, ids: part }))
        return { leased, more: batches > 0 && pending.hasMore() ? [lane] : [] }
      },
      load: async (leased) => {
        const loaded = await Promise.all(leased.map(load))
        return loaded.filter(({ events }) => events.length > 0)
      },
      run: async ({ ids, events }) => {
        const result = await deliverBatch(target, events)
        report(result)
        if (result.failed.length > 0) observe?.(kind, 'failed', 1)
        return { ...result, ids, atMs: clock.nowMs() }
      },
      isFailure: ({ failed }) => failed.length > 0,
      renew: async () => void (await db.inTransaction(acquire)),
      close: async () => {
        await target.close()
        await db.inTransaction((tx) => releaseStreamLease(tx, kind, holder)).catch(() => undefined)
      },
    },
    { ...options, ...limits, maxConcurrency: maxInFlight },
  )
}

/** Returns the first events up to a total length, at least one. */
function limitLength(events: readonly PendingEvent[], maxLength: number): readonly PendingEvent[] {
  let length = 0
  const end = events.findIndex(({ body }) => {
    length += body.length
    return length > maxLength
  })
  return end === -1 ? events : events.slice(0, Math.max(1, end))
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
