import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../lib/clock.ts'
import { idTimeMs } from '../lib/id.ts'
import type { Db } from '../storage/sql.ts'
import { countAllWaiting } from '../storage/webhook-log.ts'

/**
 * The figures of webhooks: attempts of this process, and what waits in the store, which is asked whenever the figures
 * are.
 *
 * @returns what is told of every attempt
 */
export function webhookMetrics(
  registry: Registry,
  db: Db,
  clock: Clock,
): (attempt: { readonly error: string | null }) => void {
  const attempts = new Counter({
    name: 'muster_webhook_attempts_total',
    help: 'Attempts to deliver an event to an endpoint, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'muster_webhook_pending',
    help: 'Events that wait for an endpoint, or for its next attempt.',
    registers: [registry],
    async collect() {
      this.set((await countAllWaiting(db.slow)).pending)
    },
  })
  new Gauge({
    name: 'muster_webhook_oldest_pending_age_seconds',
    help: 'How long ago the oldest event was written that waits for an endpoint; 0 if none waits.',
    registers: [registry],
    async collect() {
      const { oldest } = await countAllWaiting(db.slow)
      this.set(oldest === null ? 0 : Math.max(0, Math.floor((clock.nowMs() - idTimeMs(oldest)) / 1000)))
    },
  })
  return ({ error }) => attempts.inc({ outcome: error === null ? 'delivered' : 'failed' })
}
