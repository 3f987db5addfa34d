import { Counter, Gauge, type Registry } from 'prom-client'
import { type StreamKind, streamKinds } from '../../kernel/events/stream-endpoints.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { withTimeout } from '../../kernel/lib/with-timeout.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { oldestPendingMs } from './stream-deliveries.store.ts'
import type { StreamObserver } from './stream-queue.ts'

const labelOf = (kind: StreamKind): string => kind.toLowerCase()

/**
 * Registers the stream metrics: deliveries of this process, and the age of the oldest pending event, which is queried on
 * every scrape and omitted while the store is unavailable.
 *
 * @returns a callback to count a batch
 */
export function streamMetrics(registry: Registry, db: Db, clock: Clock): StreamObserver {
  const labelNames = ['stream'] as const
  const delivered = new Counter({
    name: 'muster_stream_events_total',
    help: 'Events written to the file or sent to the syslog receiver.',
    labelNames,
    registers: [registry],
  })
  const failed = new Counter({
    name: 'muster_stream_failures_total',
    help: 'Batches of events that could not be delivered and are retried.',
    labelNames,
    registers: [registry],
  })
  new Gauge({
    name: 'muster_stream_oldest_pending_age_seconds',
    help: 'Age of the oldest event that waits for a stream; 0 if there is none.',
    labelNames,
    registers: [registry],
    async collect() {
      for (const kind of streamKinds) {
        const sinceMs = await withTimeout(oldestPendingMs(db.slow, kind))
        if (sinceMs === undefined) {
          this.remove({ stream: labelOf(kind) })
          continue
        }
        const ageMs = sinceMs === null ? 0 : clock.nowMs() - sinceMs
        this.set({ stream: labelOf(kind) }, Math.max(0, Math.floor(ageMs / 1000)))
      }
    },
  })
  return (kind, outcome, events) => {
    if (outcome === 'delivered') delivered.inc({ stream: labelOf(kind) }, events)
    else failed.inc({ stream: labelOf(kind) })
  }
}
