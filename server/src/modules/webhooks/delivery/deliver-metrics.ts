import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/lib/clock.ts'
import { idTimeMs } from '../../../kernel/lib/secrets/id.ts'
import { withTimeout } from '../../../kernel/lib/with-timeout.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { countAllWaiting, type Waiting } from '../webhook-log.service.ts'

/**
 * The figures of webhooks: attempts of this process, and what waits in the store, which is asked whenever the figures
 * are. While the store is away, these are left out, and the others are there all the same.
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
  // Both figures come of one count: they are collected at the same time.
  let counting: Promise<Waiting | undefined> | undefined
  const waiting = (): Promise<Waiting | undefined> => {
    counting ??= withTimeout(countAllWaiting(db.slow)).finally(() => {
      counting = undefined
    })
    return counting
  }
  new Gauge({
    name: 'muster_webhook_pending',
    help: 'Events that wait for an endpoint, or for its next attempt.',
    registers: [registry],
    async collect() {
      const found = await waiting()
      if (found) this.set(found.pending)
      else this.remove()
    },
  })
  new Gauge({
    name: 'muster_webhook_oldest_pending_age_seconds',
    help: 'How long ago the oldest event was written that waits for an endpoint; 0 if none waits.',
    registers: [registry],
    async collect() {
      const found = await waiting()
      if (!found) return this.remove()
      const { oldest } = found
      this.set(oldest === null ? 0 : Math.max(0, Math.floor((clock.nowMs() - idTimeMs(oldest)) / 1000)))
    },
  })
  return ({ error }) => attempts.inc({ outcome: error === null ? 'delivered' : 'failed' })
}
