import { tellAudit } from '../../../kernel/events/audit-trail.ts'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { maskUrlPath } from '../../../kernel/lib/secrets/redact.ts'
import type { Db, Tx } from '../../../kernel/store/sql.ts'
import { auditedWebhook } from '../audited-webhook.ts'
import { type AttemptRow, failedUnforgiven, insertAttempts, judgedDay } from '../webhook-attempts.store.ts'
import {
  attemptsMaximum,
  dropDeliveries,
  type LeasedDelivery,
  leaseDeliveries,
  readEventBodies,
  type SettledDeliveries,
  settleDeliveries,
  type WebhookKey,
} from '../webhook-deliveries.store.ts'
import {
  findWebhook,
  findWebhooks,
  presentWebhooks,
  switchOffWebhook,
  type WebhookRow,
} from '../webhooks.service.ts'

/** An attempt that was made, by the lease under which it was. */
export interface MadeAttempt extends AttemptRow {
  readonly lease: string
}

/** A delivery that was taken and not tried. */
export interface Released extends WebhookKey {
  readonly eventId: string
  readonly lease: string
}

/** What a lane asks for. */
export interface Wanted extends WebhookKey {
  readonly lease: string
  readonly limit: number
}

/** What a lane got: the endpoint, unless it is gone, and deliveries, unless it is off. */
export interface Got extends Wanted {
  readonly webhook: WebhookRow | undefined
  readonly taken: readonly LeasedDelivery[]
}

/** The same with the texts of the events. */
export interface GotToSend extends Got {
  readonly bodies: ReadonlyMap<string, string>
}

/** Told in the transaction that switches an endpoint off because it fails. */
export type OnSwitchedOff = (tx: Tx, webhook: WebhookRow, nowMs: number) => Promise<void>

/**
 * An endpoint is switched off when so many of its attempts of 24 hours have failed (events contract, section 1, rule 5), and
 * an event was tried in vain for as long as it is tried at all: a receiver that is started anew is not switched off.
 */
const failingShare = 0.95
const judgedAttemptsMinimum = 50

/**
 * One exchange with the store, in one transaction: what became of what was tried, endpoints that are switched off for
 * it, and what is to be tried next. When it has come to its end, all of that is kept, and must not be told again.
 *
 * @param work `gone`: deliveries whose event is there no more; `waiting`: the ids of endpoints for which something waits
 *   that was taken before
 * @param leaseMs after how long what is taken is due again unless it is settled
 * @returns what the lanes got, and those of the endpoints waited for that are on, by their ids, as they are now: what was
 *   taken for others is not to be tried
 */
export async function deliveryRound(
  db: Db,
  work: {
    readonly attempts: readonly MadeAttempt[]
    readonly released: readonly Released[]
    readonly gone: readonly Released[]
    readonly wanted: readonly Wanted[]
    readonly waiting: readonly string[]
  },
  { nowMs, leaseMs, onSwitchedOff }: { nowMs: number; leaseMs: number; onSwitchedOff: OnSwitchedOff },
): Promise<{ got: Got[]; on: ReadonlyMap<string, WebhookRow> }> {
  const { released, gone, wanted, waiting } = work
  return db.inTransaction(async (tx) => {
    const present = await presentWebhooks(tx, [...new Set(work.attempts.map(({ webhookId }) => webhookId))])
    // Of an endpoint that was removed meanwhile, nothing is kept.
    const attempts = work.attempts.filter(({ webhookId }) => present.has(webhookId))
    for (const settled of settledOf(attempts, released)) await settleDeliveries(tx, settled, nowMs)
    for (const one of gone) await dropDeliveries(tx, one, [one.eventId])
    await insertAttempts(tx, attempts)
    for (const failing of failingOf(attempts)) await judge(tx, failing, nowMs, onSwitchedOff)
    const take = async (one: Wanted): Promise<Got> => {
      const { org, webhookId } = one
      const webhook = await findWebhook(tx, org, webhookId)
      const taken = webhook?.enabled ? await leaseDeliveries(tx, one, { ...one, nowMs, leaseMs }) : []
      return { ...one, webhook, taken }
    }
    // All at once: they wait for the store together, not one after the other.
    const [known, got] = await allSettledOrThrow([
      findWebhooks(tx, waiting),
      allSettledOrThrow(wanted.map(take)),
    ])
    return {
      got,
      on: new Map(known.filter(({ enabled }) => enabled).map((webhook) => [webhook.id, webhook])),
    }
  })
}

/** Reads the texts of what was taken, behind the transaction: nobody who writes waits for that. */
export const readTexts = (db: Db, got: readonly Got[]): Promise<GotToSend[]> =>
  allSettledOrThrow(
    got.map(async (one) => {
      const ids = one.taken.map(({ eventId }) => eventId)
      return { ...one, bodies: ids.length === 0 ? new Map() : await readEventBodies(db, one.org, ids) }
    }),
  )

/** What became of deliveries, lease by lease. */
function settledOf(attempts: readonly MadeAttempt[], released: readonly Released[]): SettledDeliveries[] {
  const tried = Map.groupBy(attempts, ({ lease }) => lease)
  const untried = Map.groupBy(released, ({ lease }) => lease)
  const leases = new Map([...attempts, ...released].map((one) => [one.lease, one]))
  return [...leases].map(([lease, { org, webhookId }]) => {
    const idsOf = (those: readonly { readonly eventId: string }[] = []) => those.map(({ eventId }) => eventId)
    const made = tried.get(lease) ?? []
    return {
      ...{ org, webhookId, lease },
      delivered: idsOf(made.filter(({ error }) => error === null)),
      failed: idsOf(made.filter(({ error }) => error !== null)),
      released: idsOf(untried.get(lease)),
    }
  })
}

/** An endpoint with events that have failed in their last attempt. */
interface Failing extends WebhookKey {
  readonly eventIds: readonly string[]
}

/** The endpoints for which events have failed in their last attempt, each once, always in the same order. */
function failingOf(attempts: readonly AttemptRow[]): Failing[] {
  const last = attempts.filter(({ error, attempt }) => error !== null && attempt % attemptsMaximum === 0)
  const byEndpoint = Map.groupBy(last, ({ org, webhookId }) => `${org} ${webhookId}`)
  return [...byEndpoint]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, those]) => {
      const [first] = those
      return first ? [{ ...first, eventIds: those.map(({ eventId }) => eventId) }] : []
    })
}

/** Switches an endpoint off that hardly ever acknowledges. */
async function judge(tx: Tx, key: Failing, nowMs: number, onSwitchedOff: OnSwitchedOff): Promise<void> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const { delivered, failed } = await judgedDay(tx, key, nowSeconds)
  const all = delivered + failed
  if (all < judgedAttemptsMinimum || failed < failingShare * all) return
  if (!(await failedUnforgiven(tx, key, key.eventIds))) return
  if (!(await switchOffWebhook(tx, key.org, key.webhookId, 'FAILURES'))) return
  const webhook = await findWebhook(tx, key.org, key.webhookId)
  if (!webhook) return
  await tellAudit(tx, key.org, 'WEBHOOK_UPDATED', {
    actor: null,
    new: { ...auditedWebhook(webhook), changes: [{ name: 'enabled', old: true, new: false }] },
    timestamp: nowSeconds,
    what: `Webhook ${maskUrlPath(webhook.url)} was switched off: at least 95 % of its attempts of the last 24 hours failed`,
  })
  await onSwitchedOff(tx, webhook, nowMs)
}
