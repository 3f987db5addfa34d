import { Counter, Gauge, type Registry } from 'prom-client'
import { type StreamKind, streamKinds } from '../../kernel/events/stream-endpoints.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { withTimeout } from '../../kernel/lib/with-timeout.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { oldestWaitingMs } from './stream-deliveries.store.ts'
import type { StreamObserver } from './stream-loop.ts'

const nameOf = (kind: StreamKind): string => kind.toLowerCase()

/**
 * The figures of streams: what this process has delivered, and how long the oldest event has waited in the store, which
 * is asked whenever the figures are, and left out while the store is away.
 *
 * @returns what is told of every batch
 */
export function streamMetrics(registry: Registry, db: Db, clock: Clock): StreamObserver {
  const labelNames = ['stream'] as const
  const delivered = new Counter({
    name: 'muster_stream_events_total',
    help: 'Events that were written to the file or sent to the receiver of syslog.',
    labelNames,
    registers: [registry],
  })
  const failed = new Counter({
    name: 'muster_stream_failures_total',
    help: 'Batches of events that could not be written or sent, and are tried again.',
    labelNames,
    registers: [registry],
  })
  new Gauge({
    name: 'muster_stream_oldest_pending_age_seconds',
    help: 'How long the oldest event has waited for a stream; 0 if none waits.',
    labelNames,
    registers: [registry],
    async collect() {
      for (const kind of streamKinds) {
        const sinceMs = await withTimeout(oldestWaitingMs(db.slow, kind))
        if (sinceMs === undefined) {
          this.remove({ stream: nameOf(kind) })
          continue
        }
        const ageMs = sinceMs === null ? 0 : clock.nowMs() - sinceMs
        this.set({ stream: nameOf(kind) }, Math.max(0, Math.floor(ageMs / 1000)))
      }
    },
  })
  return (kind, outcome, events) => {
    if (outcome === 'delivered') delivered.inc({ stream: nameOf(kind) }, events)
    else failed.inc({ stream: nameOf(kind) })
  }
}
