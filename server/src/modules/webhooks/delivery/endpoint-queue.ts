import type { LeasedDelivery, WebhookKey } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'

/** Requests that an endpoint is sent at the same time at most, by one process. */
export const slotsMaximum = 16
/** One that fails keeps so many, so that what works again is soon found out. */
const slotsMinimum = 2
/** Deliveries that are taken in one go at most, and as many as take about so long. */
const takenMaximum = 256
const takenForMs = 1000

/** A delivery that was taken, with its lease. */
export interface Taken extends LeasedDelivery {
  readonly lease: string
  /** By `performance.now()`: it must not be begun later, or its lease could end before it does. */
  readonly beginByMs: number
  readonly body: string
}

/**
 * What one endpoint has to do with this process: what was taken and not begun, and how much it bears. Every endpoint has
 * its own, so that one that is slow or dead holds nothing but its own.
 */
export interface Lane extends WebhookKey {
  /** The endpoint as the store last told it: what is sent next goes where it is now. Undefined once it is gone. */
  webhook: WebhookRow | undefined
  queue: Taken[]
  inFlight: number
  /** How many requests may be on their way at the same time: less after failures, more after successes. */
  slots: number
  /** How long a request takes, as a moving average in milliseconds. */
  latencyMs: number
  /** Whether more may be due than was taken. */
  more: boolean
}

export const newLane = ({ org, webhookId }: WebhookKey): Lane => ({
  ...{ org, webhookId, webhook: undefined, queue: [], inFlight: 0, more: true },
  ...{ slots: slotsMinimum * 2, latencyMs: takenForMs },
})

/** Whether nothing of a lane is under way. */
export const isQuiet = (lane: Lane): boolean => lane.inFlight === 0 && lane.queue.length === 0 && !lane.more

/** How many deliveries to take at once: what the endpoint takes in about a second, and at least one for each slot. */
export const takeOf = ({ slots, latencyMs }: Lane): number =>
  Math.min(takenMaximum, Math.max(slots, Math.floor((slots * takenForMs) / Math.max(1, latencyMs))))

/** Whether it is time to take more, before what was taken runs out. */
export const wantsMore = (lane: Lane): boolean => lane.more && lane.queue.length < takeOf(lane) / 2

/** Learns from an attempt how much the endpoint bears. */
export function learn(lane: Lane, latencyMs: number, failed: boolean): void {
  lane.latencyMs += (latencyMs - lane.latencyMs) / 8
  lane.slots = failed
    ? Math.max(slotsMinimum, Math.floor(lane.slots / 2))
    : Math.min(slotsMaximum, lane.slots + 1)
}
