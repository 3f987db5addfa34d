import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/lib/clock.ts'
import { idTimeMs } from '../../../kernel/lib/secrets/id.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { scrapedGauges } from '../../metrics/scraped-gauges.ts'
import { countAllPending } from '../webhook-log.service.ts'
import type { DeliveryAttempt } from './settle-and-lease.ts'

/** Maximum number of endpoints with metrics of their own: those with the most pending events. */
const endpointsMaximum = 200

/**
 * Registers the webhook metrics: attempts of this process, those of alert rules apart, and pending events, which are counted
 * in the store on every scrape. While the store is unavailable, the pending metrics are omitted.
 *
 * @returns a callback to count an attempt
 */
export function webhookMetrics(
  registry: Registry,
  db: Db,
  clock: Clock,
): (attempt: Pick<DeliveryAttempt, 'kind' | 'error'>) => void {
  const attempts = new Counter({
    name: 'muster_webhook_attempts_total',
    help: 'Attempts to deliver an event to an endpoint, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const alertAttempts = new Counter({
    name: 'muster_alert_attempts_total',
    help: 'Attempts to send a message of an alert rule over HTTP, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // From the start, because Prometheus does not see the first increase of a new series.
  for (const counter of [attempts, alertAttempts])
    for (const outcome of ['delivered', 'failed']) counter.inc({ outcome }, 0)
  const ageSeconds = (eventId: string | null): number =>
    eventId === null ? 0 : Math.max(0, Math.floor((clock.nowMs() - idTimeMs(eventId)) / 1000))
  const labelNames = ['endpoint']
  scrapedGauges(
    registry,
    {
      muster_webhook_pending: { help: 'Events that wait to be delivered or retried.' },
      muster_webhook_oldest_pending_age_seconds: {
        help: 'Age of the oldest event that waits to be delivered; 0 if there is none.',
      },
      muster_webhook_endpoint_pending: {
        help: `Events that wait to be delivered to an endpoint; at most ${endpointsMaximum} endpoints.`,
        labelNames,
      },
      muster_webhook_endpoint_oldest_pending_age_seconds: {
        help: 'Age of the oldest event that waits to be delivered to an endpoint.',
        labelNames,
      },
    },
    async () => {
      const endpoints = await countAllPending(db.slow)
      const oldest = endpoints.flatMap((endpoint) => endpoint.oldest ?? []).sort()[0]
      const shown = endpoints.toSorted((one, other) => other.pending - one.pending).slice(0, endpointsMaximum)
      return {
        muster_webhook_pending: endpoints.reduce((sum, { pending }) => sum + pending, 0),
        muster_webhook_oldest_pending_age_seconds: ageSeconds(oldest ?? null),
        muster_webhook_endpoint_pending: shown.map(({ id, pending }) => ({
          labels: { endpoint: id },
          value: pending,
        })),
        muster_webhook_endpoint_oldest_pending_age_seconds: shown.map(({ id, ...endpoint }) => ({
          labels: { endpoint: id },
          value: ageSeconds(endpoint.oldest),
        })),
      }
    },
  )
  return ({ kind, error }) => {
    const counter = kind === 'ALERT' ? alertAttempts : attempts
    counter.inc({ outcome: error === null ? 'delivered' : 'failed' })
  }
}
