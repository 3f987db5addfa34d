import { type KeyObject, randomUUID } from 'node:crypto'
import { type Clock, unixSeconds } from '../../../kernel/lib/clock.ts'
import type { Db } from '../../../kernel/store/sql.ts'
import { dueWebhooks, type WebhookKey } from '../webhook-deliveries.store.ts'
import type { WebhookRow } from '../webhooks.service.ts'
import { isQuiet, type Lane, learn, newLane, type Taken, takeOf, wantsMore } from './endpoint-queue.ts'
import { sendSigned } from './send-signed.ts'
import {
  deliveryRound,
  type Got,
  type GotToSend,
  type MadeAttempt,
  type OnSwitchedOff,
  type Released,
  readTexts,
} from './settle-and-lease.ts'
import type { Sender, SendOutcome } from './webhook-sender.ts'

/** Delivers events as long as it runs. */
export interface Deliverer {
  /** Looks for what is due, now instead of at the next second. */
  wake(): void
  /** Takes nothing more, waits for what is on its way, and gives back what was taken and not begun. */
  stop(): Promise<void>
}

export interface DelivererOptions {
  readonly db: Db
  /** Opens the secrets of endpoints. */
  readonly key: KeyObject
  readonly clock: Clock
  readonly log: { warn(facts: object, message: string): void }
  readonly sender: Sender
  readonly onSwitchedOff?: OnSwitchedOff
  /** Told of every attempt once it is noted, for the metrics. */
  readonly onAttempt?: (attempt: MadeAttempt) => void
  /** How often it is looked for what is due, in milliseconds; other processes write events, too. */
  readonly pollMs?: number
}

/** Deliveries are taken for so long. An attempt takes 5 s at most; what has not begun in time is given back. */
const leaseMs = 10_000
const beginWithinMs = 4_000
/** After each exchange with the store so much time passes, in which work gathers for the next. */
const gatherMs = 4
/** After one that failed. */
const troubledMs = 1000
/** So far apart are looks for what is due: one for each commit would cost a write more than to write its event does. */
const lookEveryMs = 25

/** What the store is to be told of. */
interface Settled {
  readonly attempts: MadeAttempt[]
  readonly released: Released[]
  readonly gone: Released[]
}

/**
 * Starts to deliver events. A process exchanges what was tried and what is to be tried with the store in rounds, one at
 * a time; in between, every endpoint goes its own pace in its own lane.
 */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { db, key, clock, log, sender, onAttempt, pollMs = 1000 } = options
  const { onSwitchedOff = async () => undefined } = options
  const lanes = new Map<string, Lane>()
  let settled: Settled = { attempts: [], released: [], gone: [] }
  let lookWanted = true
  let stopping = false
  let troubled = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let lookedMs = Number.NEGATIVE_INFINITY

  /** In how many milliseconds there is something to exchange; undefined if there is nothing. */
  const workInMs = (): number | undefined => {
    if (Object.values(settled).some(({ length }) => length > 0)) return gatherMs
    if (stopping) return undefined
    if ([...lanes.values()].some(wantsMore)) return gatherMs
    return lookWanted ? Math.max(0, lookedMs + lookEveryMs - performance.now()) : undefined
  }

  const schedule = (afterMs = workInMs()): void => {
    if (afterMs === undefined) return
    const atMs = performance.now() + afterMs
    if (running || (timer && (troubled || timerMs <= atMs))) return
    clearTimeout(timer)
    timerMs = atMs
    timer = setTimeout(() => {
      timer = undefined
      running = round().then((isGood) => {
        running = undefined
        for (const [name, lane] of lanes) if (isQuiet(lane)) lanes.delete(name)
        schedule(isGood ? undefined : troubledMs)
      })
    }, afterMs)
  }

  /** Tells the store what was done, and takes what is due. @returns whether that went well */
  const round = async (): Promise<boolean> => {
    const done = settled
    settled = { attempts: [], released: [], gone: [] }
    const beginByMs = performance.now() + beginWithinMs
    let got: Got[] = []
    try {
      got = await exchange(done)
    } catch (error) {
      settled = {
        attempts: [...done.attempts, ...settled.attempts],
        released: [...done.released, ...settled.released],
        gone: [...done.gone, ...settled.gone],
      }
      return failed(error)
    }
    // From here on what was done is noted.
    for (const one of done.attempts) onAttempt?.(one)
    try {
      for (const one of await readTexts(db, got)) receive(one, beginByMs)
    } catch (error) {
      for (const { lease, taken, ...lane } of got)
        for (const { eventId } of taken) giveBack(lane, { eventId, lease })
      return failed(error)
    }
    troubled = false
    return true
  }

  const failed = (error: unknown): false => {
    lookWanted = true
    if (!troubled)
      log.warn({ err: error }, 'the store cannot be asked what webhooks are due; it is tried every second')
    troubled = true
    return false
  }

  const exchange = async (done: Settled): Promise<Got[]> => {
    if (lookWanted && !stopping) {
      lookWanted = false
      lookedMs = performance.now()
      for (const due of await dueWebhooks(db, clock.nowMs())) laneOf(due).more = true
    }
    const asking = stopping ? [] : [...lanes.values()].filter(wantsMore)
    if (Object.values(done).every(({ length }) => length === 0) && asking.length === 0) return []
    const wanted = asking.map((lane) => {
      const { org, webhookId } = lane
      return { org, webhookId, lease: randomUUID(), limit: takeOf(lane) }
    })
    const waiting = [...lanes.values()].filter(({ queue }) => queue.length > 0)
    const work = { ...done, wanted, waiting: waiting.map(({ webhookId }) => webhookId) }
    const { got, on } = await deliveryRound(db, work, { nowMs: clock.nowMs(), leaseMs, onSwitchedOff })
    for (const lane of waiting) {
      lane.webhook = on.get(lane.webhookId)
      if (!lane.webhook) giveBackQueue(lane)
    }
    return got
  }

  const laneOf = (key: WebhookKey): Lane => {
    const name = `${key.org} ${key.webhookId}`
    const known = lanes.get(name)
    if (known) return known
    const lane = newLane(key)
    lanes.set(name, lane)
    return lane
  }

  /** Puts what was taken for a lane into its queue, and lets it go. */
  const receive = (got: GotToSend, beginByMs: number): void => {
    const { org, webhookId, webhook, lease, limit, taken, bodies } = got
    const lane = laneOf({ org, webhookId })
    lane.webhook = webhook
    lane.more = taken.length === limit
    for (const { eventId, attempts } of taken) {
      const body = bodies.get(eventId)
      if (body === undefined) settled.gone.push({ org, webhookId, eventId, lease })
      else lane.queue.push({ eventId, attempts, lease, beginByMs, body })
    }
    pump(lane)
  }

  const giveBack = (
    { org, webhookId }: WebhookKey,
    { eventId, lease }: Pick<Taken, 'eventId' | 'lease'>,
  ): void => void settled.released.push({ org, webhookId, eventId, lease })

  const giveBackQueue = (lane: Lane): void => {
    for (const taken of lane.queue.splice(0)) giveBack(lane, taken)
  }

  const pump = (lane: Lane): void => {
    const { webhook } = lane
    while (webhook && lane.inFlight < lane.slots) {
      const next = lane.queue.shift()
      if (!next) break
      if (stopping || performance.now() > next.beginByMs) giveBack(lane, next)
      else void attempt(lane, webhook, next)
    }
    schedule()
  }

  const attempt = async (lane: Lane, webhook: WebhookRow, taken: Taken): Promise<void> => {
    lane.inFlight += 1
    const { org, webhookId } = lane
    const { eventId, lease, body } = taken
    const atMs = clock.nowMs()
    const outcome = await sendTo(webhook, body)
    lane.inFlight -= 1
    if (outcome.isCanceled) giveBack(lane, taken)
    else {
      learn(lane, outcome.latencyMs, outcome.error !== null)
      settled.attempts.push({ org, webhookId, eventId, lease, atMs, attempt: taken.attempts + 1, ...outcome })
    }
    pump(lane)
  }

  const sendTo = (webhook: WebhookRow, body: string): Promise<SendOutcome> =>
    sendSigned(sender, key, webhook, { body, nowSeconds: unixSeconds(clock) }, (error) =>
      log.warn({ err: error, webhook: webhook.id }, 'the secret of a webhook cannot be read'),
    )

  const wake = (): void => {
    if (stopping) return
    lookWanted = true
    schedule()
  }
  const poll = setInterval(wake, pollMs)
  wake()

  return {
    wake,
    stop: async () => {
      stopping = true
      clearInterval(poll)
      for (const lane of lanes.values()) giveBackQueue(lane)
      sender.cancelLookUps()
      for (;;) {
        await running
        clearTimeout(timer)
        timer = undefined
        if ([...lanes.values()].every(({ inFlight }) => inFlight === 0)) break
        await new Promise((resolve) => setTimeout(resolve, gatherMs))
      }
      await round()
      sender.close()
    },
  }
}
