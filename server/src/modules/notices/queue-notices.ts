import { keyExpiryNoticeDays } from '@muster/contract/notice'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { listAdministratorRows } from '../administrators/administrators.service.ts'
import type { WebhookRow } from '../webhooks/webhooks.service.ts'
import {
  expirySubject,
  type NoticePlan,
  queueNotices,
  removeOldNotices,
  untoldExpiringKeys,
} from './notices.service.ts'

/** What a message about a key that expires is made of. */
export interface KeyExpiryFacts {
  readonly keyId: string
  readonly name: string
  readonly start: string
  readonly expiryTimestamp: number
}

/** What a message about a webhook that was switched off is made of. */
export interface SwitchedOffFacts {
  /** Not there in messages that were queued before it was kept with them. */
  readonly webhookId?: string
  readonly name: string | null
  /** Scheme and host alone: paths of webhooks are often secrets. */
  readonly origin: string
  readonly timestamp: number
}

/** Tells all administrators of the organization, in the transaction that switches the webhook off (events contract, 4). */
export async function queueWebhookDisabledNotices(
  tx: Tx,
  { org, id, name, url }: Pick<WebhookRow, 'org' | 'id' | 'name' | 'url'>,
  nowMs: number,
): Promise<void> {
  const timestamp = Math.floor(nowMs / 1000)
  const facts: SwitchedOffFacts = { webhookId: id, name, origin: new URL(url).origin, timestamp }
  const subject = `${id} ${nowMs}`
  const plans = (await listAdministratorRows(tx, org)).map(
    ({ email: address }): NoticePlan => ({ org, kind: 'WEBHOOK_SWITCHED_OFF', subject, address, facts }),
  )
  await queueNotices(tx, plans, nowMs)
}

const daySeconds = 24 * 60 * 60
/** For so long it is known what was sent. */
const keptDays = 400

/**
 * Queues one message for each key that expires soon, to its holder, once for each key and end. It may run in several
 * processes at the same time, and as often as one likes: it writes only if somebody has to be told.
 */
export async function noteExpiringKeys(db: Db, nowMs: number): Promise<number> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const keys = await untoldExpiringKeys(db, nowSeconds, nowSeconds + keyExpiryNoticeDays * daySeconds)
  if (keys.length === 0) return 0
  const plans = keys.map((key): NoticePlan => {
    const { org, id: keyId, holder: address, name, start, expiryTimestamp } = key
    const facts: KeyExpiryFacts = { keyId, name, start, expiryTimestamp }
    return { org, kind: 'KEY_EXPIRES', subject: expirySubject(key), address, facts }
  })
  return db.inTransaction((tx) => queueNotices(tx, plans, nowMs))
}

/** Forgets what was sent long ago. */
export const forgetOldNotices = (db: Db, nowSeconds: number): Promise<number> =>
  db.inTransaction((tx) => removeOldNotices(tx, nowSeconds - keptDays * daySeconds))
