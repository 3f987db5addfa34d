import { batchBytesMaximum } from '@muster/contract/agent/agent-event'
import { askServer } from '../server/agent-request.ts'
import { serverNowMs } from '../server/server-clock.ts'
import { type Connection, connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { consequenceOf, type Delivery, initialDelivery, type Outcome, outcomeOf } from './delivery.ts'
import { batchFromOutbox, settleInOutbox } from './outbox-store.ts'
import { longestDelayMs, remainingWaitMs } from './retry-delay.ts'

/** State of reporting. */
export const delivery = stored<Delivery>('delivery', initialDelivery)

/** Result of a delivery: everything was sent, it must wait, or the server rejects reports of this browser. */
export type DeliveryEnd =
  | { readonly end: 'EMPTY'; readonly policyVersion: string | null }
  | { readonly end: 'WAIT'; readonly untilMs: number }
  /** Includes the browser whose credential was rejected, because it may be replaced before the result is handled. */
  | { readonly end: 'UNAUTHENTICATED'; readonly browserId: string }
  | { readonly end: 'DORMANT' | 'NOT_ENROLLED' }

let running: Promise<DeliveryEnd> | null = null

/** Sends the queued events in batches. Concurrent calls share one run. */
export function deliver(): Promise<DeliveryEnd> {
  running ??= deliverAll().finally(() => {
    running = null
  })
  return running
}

async function deliverAll(): Promise<DeliveryEnd> {
  let policyVersion: string | null = null
  for (;;) {
    const current = await connection.read()
    if (current?.state !== 'ENROLLED') return { end: 'NOT_ENROLLED' }
    const { notBeforeMs, eventsPerBatch } = await delivery.read()
    const isWaiting = remainingWaitMs(notBeforeMs, Date.now(), longestDelayMs) > 0
    if (isWaiting) return { end: 'WAIT', untilMs: notBeforeMs }
    const outcome = await deliverBatch(current, eventsPerBatch)
    // A response for a replaced connection does not apply to the new one.
    if ((await connection.read())?.browserId !== current.browserId) continue
    if (outcome === null) return { end: 'EMPTY', policyVersion }
    if (outcome.kind === 'DORMANT') return { end: 'DORMANT' }
    if (outcome.kind === 'UNAUTHENTICATED') return { end: 'UNAUTHENTICATED', browserId: current.browserId }
    if (outcome.kind === 'ANSWERED') policyVersion = outcome.policyVersion
  }
}

/** Sends the oldest events; null if there are none. */
async function deliverBatch(current: Connection, eventsMaximum: number): Promise<Outcome | null> {
  const { ids, events } = await batchFromOutbox({ events: eventsMaximum, bytes: batchBytesMaximum })
  if (ids.size === 0) return null
  const answer = await askServer({
    serverUrl: current.serverUrl,
    path: '/agent/v1/events',
    credential: current.credential,
    body: { events },
  })
  const outcome = outcomeOf(answer)
  const now = { browserMs: Date.now(), serverSeconds: Math.floor((await serverNowMs()) / 1000) }
  const decide = (before: Delivery) => consequenceOf(before, outcome, ids.size, now, random)
  const random = Math.random()
  const { settles } = decide(await delivery.read())
  if (settles) await settleInOutbox(ids)
  await delivery.change((before) => decide(before).delivery)
  return outcome
}

/** Ends a wait, so the next delivery starts immediately. Used when the employee asks for it. */
export async function endDeliveryWait(): Promise<void> {
  await delivery.change((before) => (before.notBeforeMs === 0 ? before : { ...before, notBeforeMs: 0 }))
}
