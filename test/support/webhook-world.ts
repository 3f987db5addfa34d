import { type EventObject, exampleEventOf } from '@muster/contract/events/event-objects'
import { emitEvent } from '../../server/src/kernel/events/outbox.ts'
import type { Store } from '../../server/src/kernel/events/unit-of-work.ts'
import type { QueueWorker } from '../../server/src/kernel/jobs/job-queue.ts'
import { type FakeClock, fakeClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../server/src/kernel/lib/secrets/secret.ts'
import { addOrganization } from '../../server/src/kernel/organizations/organizations.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import {
  type DelivererOptions,
  startDeliverer,
} from '../../server/src/modules/webhooks/delivery/deliverer.ts'
import {
  type SenderOptions,
  webhookSender,
} from '../../server/src/modules/webhooks/delivery/webhook-sender.ts'
import {
  addWebhook,
  type IssuedWebhook,
  type WebhookContext,
  type WebhookInput,
} from '../../server/src/modules/webhooks/manage-webhooks.ts'
import { freshStorePlace } from './database.ts'
import type { StoreName } from './stores.ts'

/** Actor of all changes in these tests. */
export const actor = { source: 'CLI', user: 'test' } as const

/** Store with webhook endpoints and deliverers. */
export interface WebhookWorld {
  readonly db: Store
  readonly clock: FakeClock
  readonly parts: WebhookContext
  addOrganization(): Promise<number>
  addEndpoint(org: number, plan: WebhookInput): Promise<IssuedWebhook>
  /** Writes events of an organization in one transaction. */
  emit(org: number, count?: number, object?: EventObject): Promise<void>
  /** Starts a deliverer. It polls 50 times a second, so tests can advance the clock manually. */
  deliver(
    more?: Partial<DelivererOptions> & { sender?: never },
    sending?: Partial<SenderOptions>,
  ): QueueWorker
  /** Opens the store again, like another process. */
  another(): Promise<Store>
  /** Returns the number of deliveries of an endpoint in each state. */
  states(webhookId: string): Promise<Record<string, number>>
  close(): Promise<void>
}

/** Opens its own store. Close it when done. */
export async function webhookWorld(store: StoreName): Promise<WebhookWorld> {
  const clock = fakeClock()
  const { options, drop } = await freshStorePlace(store)
  const open = () => openStore({ ...options, connections: 4, clock }, unixSeconds(clock))
  const db = await open()
  const stores = [db]
  const deliverers: QueueWorker[] = []
  const key = deriveKeys(Buffer.alloc(32, 7)).webhookSecrets
  const targetPolicy = { allowPrivate: true }
  const parts = { db, clock, key, targetPolicy }
  return {
    db,
    clock,
    parts,
    addOrganization: async () => {
      const id = newId(clock.nowMs())
      return (await db.inTransaction((tx) => addOrganization(tx, id, id, unixSeconds(clock)))).no
    },
    addEndpoint: (org, plan) => addWebhook(parts, org, plan, actor),
    emit: (org, count = 1, object = 'LOGIN') =>
      db.inTransaction(async (tx) => {
        const { id: _id, ...members } = exampleEventOf(object)
        for (let at = 0; at < count; at++)
          await emitEvent(tx, org, object, { ...members, timestamp: unixSeconds(clock) } as never)
      }),
    deliver: (more = {}, sending = {}) => {
      const sender = webhookSender({ ...targetPolicy, answerWithinMs: 60_000, ...sending })
      const log = { warn: () => undefined }
      const deliverer = startDeliverer({ db, key, clock, log, pollMs: 20, ...more, sender })
      deliverers.push(deliverer)
      return deliverer
    },
    another: async () => {
      const opened = await open()
      stores.push(opened)
      return opened
    },
    states: async (webhookId) => {
      const rows = await db.all<{ state: string; count: number }>(
        'SELECT state, count(*) AS count FROM webhook_deliveries WHERE webhook_id = ? GROUP BY state',
        [webhookId],
      )
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
    close: async () => {
      for (const deliverer of deliverers) await deliverer.stop()
      for (const opened of stores) await opened.close()
      await drop()
    },
  }
}
