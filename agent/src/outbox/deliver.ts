import { batchBytesMaximum } from '@muster/contract/agent-event'
import { askServer } from '../server/agent-request.ts'
import { serverNowMs } from '../server/server-clock.ts'
import { type Connection, connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { consequenceOf, type Delivery, type Outcome, outcomeOf, untroubled } from './delivery.ts'
import { batchFromOutbox, settleInOutbox } from './outbox-store.ts'
import { longestDelayMs, restOfWaitMs } from './retry-delay.ts'

/** How reporting goes. */
export const delivery = stored<Delivery>('delivery', untroubled)

/** How a delivery ended: everything was sent, it has to wait, or the server does not want this browser's reports. */
export type DeliveryEnd =
  | { readonly end: 'EMPTY'; readonly policyVersion: string | null }
  | { readonly end: 'WAIT'; readonly untilMs: number }
  /** With the browser whose credential was not taken: there may be another by the time that this is dealt with. */
  | { readonly end: 'UNAUTHENTICATED'; readonly browserId: string }
  | { readonly end: 'DORMANT' | 'NOT_ENROLLED' }

let running: Promise<DeliveryEnd> | null = null

/** Sends what waits, batch by batch, unless that is under way already; then it ends as that does. */
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
    const isWaiting = restOfWaitMs(notBeforeMs, Date.now(), longestDelayMs) > 0
    if (isWaiting) return { end: 'WAIT', untilMs: notBeforeMs }
    const outcome = await deliverBatch(current, eventsPerBatch)
    // An answer to a connection that is no more says nothing of the new one.
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

/** Lets the next delivery start at once, as the employee may ask for. */
export async function endDeliveryWait(): Promise<void> {
  await delivery.change((before) => (before.notBeforeMs === 0 ? before : { ...before, notBeforeMs: 0 }))
}
