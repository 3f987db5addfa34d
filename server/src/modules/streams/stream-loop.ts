import { setTimeout as wait } from 'node:timers/promises'
import type { StreamKind } from '../../kernel/events/stream-endpoints.ts'
import { backoffDelayMs } from '../../kernel/lib/backoff.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
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

export interface StreamLoopOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: StreamLog
  readonly target: StreamTarget
  /** ID of this process in leases. */
  readonly holder: string
  readonly observe?: StreamObserver | undefined
}

export interface StreamLoop {
  /** Checks for events now instead of at the next poll. */
  wake(): void
  /** Waits for the running batch. Remaining events are delivered after the next start. */
  stop(): Promise<void>
}

const maxBatchEvents = 200
/** Maximum total length of the events in a batch, in characters. */
const maxBatchLength = 400_000
/** Poll interval. Needed because other processes write events, too. */
const pollMs = 1000
/** Delay after a wake-up, to deliver a burst as one batch. */
const batchMs = 250
/** Time after which `stop` aborts the running batch, which is delivered again after the next start. */
const stopTimeoutMs = 5_000
const leaseMs = 10_000
const renewMs = 3_000
const backoff = { baseMs: 1000, capMs: 30_000 }

/**
 * Delivers the pending events of a stream in batches, in order per organization. Retries a failing target with
 * exponential backoff until the events expire. Never skips an event.
 */
export function streamLoop(options: StreamLoopOptions): StreamLoop {
  const { target, log } = options
  const { kind } = target
  const stopping = new AbortController()
  let wakeUp = Promise.withResolvers<void>()
  let failures = 0

  const pause = async (ms: number, isWakeable: boolean): Promise<void> => {
    const pausing = new AbortController()
    const signal = AbortSignal.any([stopping.signal, pausing.signal])
    await Promise.race([
      wait(ms, undefined, { signal }).catch(() => undefined),
      ...(isWakeable ? [wakeUp.promise] : []),
    ])
    pausing.abort()
  }
  const deliverAll = async (): Promise<void> => {
    wakeUp = Promise.withResolvers<void>()
    try {
      await whileLeased(options, (isHeld) =>
        deliverPending(options, () => isHeld() && !stopping.signal.aborted),
      )
      if (failures > 0) log.info({ stream: kind, failures }, 'Event stream: delivery works again')
      failures = 0
    } catch (error) {
      failures += 1
      options.observe?.(kind, 'failed', 0)
      if (failures === 1 || failures % 20 === 0)
        log.warn({ err: error, stream: kind, failures }, 'Event stream: delivery failed and is retried')
    }
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await deliverAll()
      if (failures > 0)
        await pause(backoff.baseMs / 2 + backoffDelayMs(failures, Math.random(), backoff), false)
      else {
        await pause(pollMs, true)
        await pause(batchMs, false)
      }
    }
    await releaseStreamLease(options.db, kind, options.holder).catch(() => undefined)
    await target.close()
  }
  const running = run()
  return {
    wake: () => wakeUp.resolve(),
    stop: async () => {
      stopping.abort()
      const timeout = setTimeout(() => void target.close().catch(() => undefined), stopTimeoutMs)
      await running
      clearTimeout(timeout)
    },
  }
}

/**
 * Runs work if this process can acquire the lease, and renews the lease meanwhile. The work must check `isHeld` between
 * its parts: it is false once another process has the lease or a renewal was late. A failure releases the lease, to let
 * other processes try.
 */
async function whileLeased(
  { db, clock, target, holder }: StreamLoopOptions,
  work: (isHeld: () => boolean) => Promise<void>,
): Promise<void> {
  let heldUntilMs = Number.POSITIVE_INFINITY
  const acquire = async () => {
    const nowMs = clock.nowMs()
    const startMs = clock.monotonicMs()
    const acquired = await acquireStreamLease(db, target.kind, { holder, nowMs, untilMs: nowMs + leaseMs })
    // A lost lease stays lost, even if a later renewal succeeds: another process may have delivered in between.
    const isLost = !acquired || startMs > heldUntilMs
    heldUntilMs = isLost ? Number.NEGATIVE_INFINITY : startMs + leaseMs
    return acquired
  }
  if (!(await acquire())) return
  // A failed renewal is harmless: at worst another process delivers one batch again.
  const renewal = setInterval(() => void acquire().catch(() => undefined), renewMs)
  try {
    await work(() => clock.monotonicMs() <= heldUntilMs)
  } catch (error) {
    await releaseStreamLease(db, target.kind, holder).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

async function deliverPending(options: StreamLoopOptions, shouldContinue: () => boolean): Promise<void> {
  for (;;) {
    let delivered = 0
    for (const organization of await listPendingOrganizations(options.db, options.target.kind)) {
      if (!shouldContinue()) return
      delivered += await deliverBatch(options, organization)
    }
    if (delivered === 0) return
  }
}

/** Delivers one batch. @returns the number of events */
async function deliverBatch(
  { db, clock, target, observe }: StreamLoopOptions,
  { no, id }: PendingOrganization,
): Promise<number> {
  const { kind } = target
  const batch = limitLength(await listPendingEvents(db, no, kind, maxBatchEvents))
  if (batch.length === 0) return 0
  try {
    await target.deliver(batch.map(({ body }) => ({ body, organizationId: id })))
  } catch (error) {
    const failure = { nowMs: clock.nowMs(), error: error instanceof Error ? error.message : String(error) }
    // An error of the store must not hide the error of the target.
    await db.inTransaction((tx) => recordStreamFailure(tx, no, kind, failure)).catch(() => undefined)
    throw error
  }
  const ids = batch.map((event) => event.id)
  await db.inTransaction(async (tx) => {
    await deletePending(tx, no, kind, ids)
    await recordStreamSuccess(tx, no, kind, clock.nowMs())
  })
  observe?.(kind, 'delivered', batch.length)
  return batch.length
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
