import { setTimeout as wait } from 'node:timers/promises'
import type { StreamKind } from '../../kernel/events/stream-endpoints.ts'
import { backoffDelayMs } from '../../kernel/lib/backoff.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { StreamedEvent } from './formats/stream-line.ts'
import {
  eventsWaiting,
  organizationsWaiting,
  returnStreamLease,
  settleStream,
  takeStreamLease,
  type WaitingEvent,
  type WaitingOrganization,
} from './stream-deliveries.store.ts'
import { noteStreamDelivered, noteStreamFailed } from './stream-states.store.ts'

/** Where a stream goes. */
export interface StreamTarget {
  readonly kind: StreamKind
  /** Delivers events in their order. When it returns they are there; when it throws, all of them are tried again. */
  deliver(events: readonly StreamedEvent[]): Promise<void>
  close(): Promise<void>
}

/** Where a stream tells how it fares. */
export interface StreamLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
}

/** Is told of every batch that was delivered, by the number of its events, and of every one that failed. */
export type StreamObserver = (kind: StreamKind, outcome: 'delivered' | 'failed', events: number) => void

export interface StreamLoopOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: StreamLog
  readonly target: StreamTarget
  /** Names this process among those that share the store. */
  readonly holder: string
  readonly observe?: StreamObserver | undefined
}

export interface StreamLoop {
  /** There are new events. */
  wake(): void
  /** Ends when the batch that runs has ended; what waits then is delivered after the next start. */
  stop(): Promise<void>
}

const batchEventsMaximum = 200
/** So many characters of events are enough for a batch. */
const batchLengthMaximum = 400_000
/** Events of other processes come without a wake-up. */
const pollMs = 1000
/** After a wake-up others are waited for, so that a burst is one batch. */
const gatherMs = 250
/** A batch that takes longer is cut short when the server stops; it is delivered again after the next start. */
const stopMs = 5_000
const leaseMs = 10_000
const renewMs = 3_000
const backoff = { baseMs: 1000, capMs: 30_000 }

/**
 * Delivers what waits for a stream, organization after organization, in batches, each organization's in its order. A target
 * that fails is tried again with growing waits, for as long as events are kept; nothing is left out.
 */
export function streamLoop(options: StreamLoopOptions): StreamLoop {
  const { target, log } = options
  const { kind } = target
  const stopping = new AbortController()
  let alarm = Promise.withResolvers<void>()
  let failures = 0

  const pause = async (ms: number, isWakeable: boolean): Promise<void> => {
    const pausing = new AbortController()
    const signal = AbortSignal.any([stopping.signal, pausing.signal])
    await Promise.race([
      wait(ms, undefined, { signal }).catch(() => undefined),
      ...(isWakeable ? [alarm.promise] : []),
    ])
    pausing.abort()
  }
  const round = async (): Promise<void> => {
    alarm = Promise.withResolvers<void>()
    try {
      await whileLeased(options, (isHeld) =>
        deliverWaiting(options, () => isHeld() && !stopping.signal.aborted),
      )
      if (failures > 0) log.info({ stream: kind, failures }, 'the stream of events goes on')
      failures = 0
    } catch (error) {
      failures += 1
      options.observe?.(kind, 'failed', 0)
      if (failures === 1 || failures % 20 === 0)
        log.warn({ err: error, stream: kind, failures }, 'the stream of events is held up; it is tried again')
    }
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round()
      if (failures > 0)
        await pause(backoff.baseMs / 2 + backoffDelayMs(failures, Math.random(), backoff), false)
      else {
        await pause(pollMs, true)
        await pause(gatherMs, false)
      }
    }
    await returnStreamLease(options.db, kind, options.holder).catch(() => undefined)
    await target.close()
  }
  const running = run()
  return {
    wake: () => alarm.resolve(),
    stop: async () => {
      stopping.abort()
      const late = setTimeout(() => void target.close().catch(() => undefined), stopMs)
      await running
      clearTimeout(late)
    },
  }
}

/**
 * Does the work if this process has the lease, and keeps it meanwhile. The work asks between its parts whether that is
 * still so: it is not when another process has got the lease, nor when it was not renewed in time. A process that fails
 * lets others try.
 */
async function whileLeased(
  { db, clock, target, holder }: StreamLoopOptions,
  work: (isHeld: () => boolean) => Promise<void>,
): Promise<void> {
  let heldUntilMs = Number.POSITIVE_INFINITY
  const take = async () => {
    const nowMs = clock.nowMs()
    const askedMs = clock.monotonicMs()
    const isTaken = await takeStreamLease(db, target.kind, { holder, nowMs, untilMs: nowMs + leaseMs })
    // What was lost is not had again by a later renewal: another process may have delivered meanwhile.
    const isLost = !isTaken || askedMs > heldUntilMs
    heldUntilMs = isLost ? Number.NEGATIVE_INFINITY : askedMs + leaseMs
    return isTaken
  }
  if (!(await take())) return
  // If it cannot be renewed the worst that follows is that another process delivers the events of one batch again.
  const renewal = setInterval(() => void take().catch(() => undefined), renewMs)
  try {
    await work(() => clock.monotonicMs() <= heldUntilMs)
  } catch (error) {
    await returnStreamLease(db, target.kind, holder).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

async function deliverWaiting(options: StreamLoopOptions, goesOn: () => boolean): Promise<void> {
  for (;;) {
    let delivered = 0
    for (const organization of await organizationsWaiting(options.db, options.target.kind)) {
      if (!goesOn()) return
      delivered += await deliverBatch(options, organization)
    }
    if (delivered === 0) return
  }
}

/** @returns how many events were delivered */
async function deliverBatch(
  { db, clock, target, observe }: StreamLoopOptions,
  { no, id }: WaitingOrganization,
): Promise<number> {
  const { kind } = target
  const batch = cut(await eventsWaiting(db, no, kind, batchEventsMaximum))
  if (batch.length === 0) return 0
  try {
    await target.deliver(batch.map(({ body }) => ({ body, organizationId: id })))
  } catch (error) {
    const why = { nowMs: clock.nowMs(), error: error instanceof Error ? error.message : String(error) }
    // Why the target failed matters more than that it cannot be noted.
    await db.inTransaction((tx) => noteStreamFailed(tx, no, kind, why)).catch(() => undefined)
    throw error
  }
  const ids = batch.map((event) => event.id)
  await db.inTransaction(async (tx) => {
    await settleStream(tx, no, kind, ids)
    await noteStreamDelivered(tx, no, kind, clock.nowMs())
  })
  observe?.(kind, 'delivered', batch.length)
  return batch.length
}

/** As many of the first events as make a batch, at least one. */
function cut(events: readonly WaitingEvent[]): readonly WaitingEvent[] {
  let length = 0
  const end = events.findIndex(({ body }) => {
    length += body.length
    return length > batchLengthMaximum
  })
  return end === -1 ? events : events.slice(0, Math.max(1, end))
}
