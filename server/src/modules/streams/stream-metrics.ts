import type { StreamKind } from '@muster/contract/events/stream-kinds'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { scrapedGauges } from '../metrics/scraped-gauges.ts'
import { countPendingEvents, listStreamKinds, oldestPendingMs } from './stream-deliveries.store.ts'
import type { StreamObserver } from './stream-queue.ts'

const labelOf = (kind: StreamKind): string => kind.toLowerCase()

/**
 * Registers the stream metrics: deliveries of this process, and the pending events, which are counted on every scrape and
 * omitted while the store is unavailable.
 *
 * @returns a callback to count a batch
 */
export function streamMetrics(registry: Registry, db: Db, clock: Clock): StreamObserver {
  const labelNames = ['stream'] as const
  const delivered = new Counter({
    name: 'muster_stream_events_total',
    help: 'Events that a stream has delivered.',
    labelNames,
    registers: [registry],
  })
  const failed = new Counter({
    name: 'muster_stream_failures_total',
    help: 'Batches of events that could not be delivered, or not all of them, and are retried.',
    labelNames,
    registers: [registry],
  })
  const rejected = new Counter({
    name: 'muster_stream_rejected_events_total',
    help: 'Events that a receiver has refused and that were skipped.',
    labelNames,
    registers: [registry],
  })
  scrapedGauges(
    registry,
    {
      muster_stream_pending: { help: 'Events that wait for a stream.', labelNames },
      muster_stream_oldest_pending_age_seconds: {
        help: 'Age of the oldest event that waits for a stream; 0 if there is none.',
        labelNames,
      },
    },
    async () => {
      const samples = await Promise.all(
        (await listStreamKinds(db.slow)).map(async (kind) => ({
          labels: { stream: labelOf(kind) },
          pending: await countPendingEvents(db.slow, kind),
          sinceMs: await oldestPendingMs(db.slow, kind),
        })),
      )
      // From the start, because Prometheus does not see the first increase of a new series.
      for (const { labels } of samples)
        for (const counter of [delivered, failed, rejected]) counter.inc(labels, 0)
      return {
        muster_stream_pending: samples.map(({ labels, pending }) => ({ labels, value: pending })),
        muster_stream_oldest_pending_age_seconds: samples.map(({ labels, sinceMs }) => {
          const ageMs = sinceMs === null ? 0 : clock.nowMs() - sinceMs
          return { labels, value: Math.max(0, Math.floor(ageMs / 1000)) }
        }),
      }
    },
  )
  return (kind, outcome, events) => {
    const counter = { delivered, rejected, failed }[outcome]
    counter.inc({ stream: labelOf(kind) }, events)
  }
}
