import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/lib/clock.ts'
import { idTimeMs } from '../../../kernel/lib/secrets/id.ts'
import { withTimeout } from '../../../kernel/lib/with-timeout.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { countAllPending, type PendingCount } from '../webhook-log.service.ts'

/**
 * Registers the webhook metrics: attempts of this process, and pending events, which are counted in the store on every
 * scrape. While the store is unavailable, the pending metrics are omitted.
 *
 * @returns a callback to count an attempt
 */
export function webhookMetrics(
  registry: Registry,
  db: Db,
  clock: Clock,
): (attempt: { readonly error: string | null }) => void {
  const attempts = new Counter({
    name: 'muster_webhook_attempts_total',
    help: 'Attempts to deliver an event to an endpoint, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // Both gauges are collected at the same time and share one query.
  let counting: Promise<PendingCount | undefined> | undefined
  const count = (): Promise<PendingCount | undefined> => {
    counting ??= withTimeout(countAllPending(db.slow)).finally(() => {
      counting = undefined
    })
    return counting
  }
  new Gauge({
    name: 'muster_webhook_pending',
    help: 'Events that wait to be delivered or retried.',
    registers: [registry],
    async collect() {
      const found = await count()
      if (found) this.set(found.pending)
      else this.remove()
    },
  })
  new Gauge({
    name: 'muster_webhook_oldest_pending_age_seconds',
    help: 'Age of the oldest event that waits to be delivered; 0 if there is none.',
    registers: [registry],
    async collect() {
      const found = await count()
      if (!found) return this.remove()
      const { oldest } = found
      this.set(oldest === null ? 0 : Math.max(0, Math.floor((clock.nowMs() - idTimeMs(oldest)) / 1000)))
    },
  })
  return ({ error }) => attempts.inc({ outcome: error === null ? 'delivered' : 'failed' })
}
