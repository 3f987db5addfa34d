import { foldCase } from '../../kernel/lib/fold-case.ts'
import { organizationName } from '../../kernel/organizations/organizations.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { listActiveApiKeys } from '../api-keys/api-keys.service.ts'
import { findApiDeprecation } from '../api-versions/api-deprecations.service.ts'
import type { DeprecationFacts } from '../api-versions/deprecate-version.ts'
import type { Mail } from './mail.ts'
import { type Message, renderMessage } from './notice-layout.ts'
import {
  deprecationMessage,
  expiryMessage,
  switchedOffMessage,
  withdrawalMessage,
} from './notice-messages.ts'
import type { NoticeRow } from './notices.service.ts'
import type { KeyExpiryFacts, SwitchedOffFacts } from './queue-notices.ts'

/** What messages are written for. */
export interface NoticeOrigin {
  readonly publicUrl: string
  readonly nowSeconds: number
}

/**
 * Writes a notice as it is true now; undefined when it has nothing to say any more, because its keys do not work any more
 * or the dates that it tells of are others by now: it may have been on its way when they were changed.
 * The id of the notice names the message, however often it is sent.
 */
export async function noticeMail(
  db: Reader,
  notice: NoticeRow,
  origin: NoticeOrigin,
): Promise<Mail | undefined> {
  const message = await messageOf(db, notice, origin)
  return message && { to: notice.address, id: notice.id, ...renderMessage(message) }
}

async function messageOf(
  db: Reader,
  { org, kind, subject, address, facts }: NoticeRow,
  { publicUrl, nowSeconds }: NoticeOrigin,
): Promise<Message | undefined> {
  const place = { organization: await organizationName(db, org), publicUrl }
  const told: unknown = JSON.parse(facts)
  if (kind === 'WEBHOOK_SWITCHED_OFF') return switchedOffMessage(told as SwitchedOffFacts, place)
  if (kind === 'API_DEPRECATION_WITHDRAWN') {
    const dates = told as DeprecationFacts
    const inForce = await findApiDeprecation(db, dates.version)
    return inForce ? undefined : withdrawalMessage(dates, place)
  }
  const keys = (await listActiveApiKeys(db, nowSeconds, org)).filter(
    ({ holder }) => foldCase(holder) === foldCase(address),
  )
  if (kind === 'API_DEPRECATED') {
    const dates = told as DeprecationFacts
    const inForce = await findApiDeprecation(db, dates.version)
    const holds = inForce?.noticeId === subject && keys.length > 0
    return holds ? deprecationMessage(dates, keys, place) : undefined
  }
  const expiry = told as KeyExpiryFacts
  const key = keys.find(({ id }) => id === expiry.keyId)
  return key?.expiryTimestamp === expiry.expiryTimestamp ? expiryMessage(expiry, place) : undefined
}

/** What a notice is about, in a few words. */
export function noticeSummary({ kind, facts }: Pick<NoticeRow, 'kind' | 'facts'>): string {
  const told: unknown = JSON.parse(facts)
  if (kind === 'KEY_EXPIRES') {
    const { name, expiryTimestamp } = told as KeyExpiryFacts
    return `The key ${name}, which expires on ${dayOf(expiryTimestamp)}`
  }
  if (kind === 'WEBHOOK_SWITCHED_OFF') {
    const { name, origin } = told as SwitchedOffFacts
    return `The webhook ${name ?? origin}`
  }
  const { version, deprecationTimestamp } = told as DeprecationFacts
  return `${version}, deprecated from ${dayOf(deprecationTimestamp)}`
}

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10)
