import { keyExpiryNoticeDays } from '@muster/contract/records/notice'
import type { Config } from '../../kernel/config/config.ts'
import { keyExpiryAlertDaysMaximum } from '../../kernel/config/config-settings.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { listAdministratorRows } from '../administrators/administrators.service.ts'
import type { WebhookRow } from '../webhooks/webhooks.service.ts'
import {
  deleteNoticesBefore,
  expirySubject,
  listExpiringKeysWithoutNotice,
  type NewNotice,
  queueNotices,
} from './notices.service.ts'

/** Data of a message about an expiring key. */
export interface KeyExpiryFacts {
  readonly keyId: string
  readonly name: string
  readonly start: string
  readonly expiryTimestamp: number
}

/** Data of a message about a disabled webhook. */
export interface WebhookDisabledFacts {
  /** Missing in messages queued by older versions. */
  readonly webhookId?: string
  readonly name: string | null
  /** Scheme and host. The path is omitted, since it often contains a token. */
  readonly origin: string
  readonly timestamp: number
}

/**
 * Queues a message to administrators, in the transaction that disables the webhook (events contract, section 4).
 *
 * @param recipients default: all administrators
 */
export async function queueWebhookDisabledNotices(
  tx: Tx,
  { org, id, name, url }: Pick<WebhookRow, 'org' | 'id' | 'name' | 'url'>,
  nowMs: number,
  recipients: Config['webhookAlerts'] = 'all',
): Promise<void> {
  if (recipients === 'none') return
  const timestamp = Math.floor(nowMs / 1000)
  const facts: WebhookDisabledFacts = { webhookId: id, name, origin: new URL(url).origin, timestamp }
  const subject = `${id} ${nowMs}`
  const notices = (await listAdministratorRows(tx, org))
    .filter(({ role }) => recipients === 'all' || role === 'OWNER')
    .map(({ email: address }): NewNotice => ({ org, kind: 'WEBHOOK_SWITCHED_OFF', subject, address, facts }))
  await queueNotices(tx, notices, nowMs)
}

const daySeconds = 24 * 60 * 60
const retentionDays = 400

/**
 * Queues a message to the holder of each key that expires soon, once per key and expiry. Several processes may run it at
 * the same time. It writes only if a message is new.
 *
 * @param daysOf returns the days before the expiry for an organization
 */
export async function queueKeyExpiryNotices(
  db: Db,
  nowMs: number,
  daysOf: (org: number) => number = () => keyExpiryNoticeDays,
): Promise<number> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const latest = nowSeconds + keyExpiryAlertDaysMaximum * daySeconds
  const keys = (await listExpiringKeysWithoutNotice(db, nowSeconds, latest)).filter(
    ({ org, expiryTimestamp }) => expiryTimestamp <= nowSeconds + daysOf(org) * daySeconds,
  )
  if (keys.length === 0) return 0
  const notices = keys.map((key): NewNotice => {
    const { org, id: keyId, holder: address, name, start, expiryTimestamp } = key
    const facts: KeyExpiryFacts = { keyId, name, start, expiryTimestamp }
    return { org, kind: 'KEY_EXPIRES', subject: expirySubject(key), address, facts }
  })
  return db.inTransaction((tx) => queueNotices(tx, notices, nowMs))
}

/** Deletes notices that were completed more than 400 days ago. */
export const deleteOldNotices = (db: Db, nowSeconds: number): Promise<number> =>
  db.inTransaction((tx) => deleteNoticesBefore(tx, nowSeconds - retentionDays * daySeconds))
