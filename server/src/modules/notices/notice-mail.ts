import { periodText } from '@muster/contract/console/trends/report-figures'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { organizationName } from '../../kernel/organizations/organizations.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { type AlertNoticeFacts, alertMailOf } from '../alerts/alert-notices.service.ts'
import { listActiveApiKeys } from '../api-keys/api-keys.service.ts'
import { findApiDeprecation } from '../api-versions/api-deprecations.service.ts'
import type { DeprecationFacts } from '../api-versions/deprecate-version.ts'
import type { ReportFacts } from '../trends/report-mail.service.ts'
import { reportMessage } from '../trends/report-message.ts'
import type { Mail } from './mail.ts'
import { type Message, renderMessage } from './notice-layout.ts'
import {
  deprecationMessage,
  expiryMessage,
  webhookDisabledMessage,
  withdrawalMessage,
} from './notice-messages.ts'
import type { NoticeRow } from './notices.service.ts'
import type { KeyExpiryFacts, WebhookDisabledFacts } from './queue-notices.ts'
import { type FindingsRequestFacts, findingsRequestMessage } from './request-message.ts'

/** Server and time that a message is rendered for. */
export interface NoticeOrigin {
  readonly publicUrl: string
  readonly nowSeconds: number
}

/**
 * Renders a notice with current data. Returns undefined if it is obsolete: its keys are no longer active, or the dates it
 * announces have changed. The ID of the notice becomes the Message-ID, which stays the same when it is sent again.
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
  const context = { organization: await organizationName(db, org), publicUrl }
  const parsed: unknown = JSON.parse(facts)
  if (kind === 'ALERT') return alertMailOf(db, org, parsed as AlertNoticeFacts)
  if (kind === 'MONTHLY_REPORT') return reportMessage((parsed as ReportFacts).report, publicUrl)
  if (kind === 'WEBHOOK_SWITCHED_OFF') return webhookDisabledMessage(parsed as WebhookDisabledFacts, context)
  if (kind === 'FINDINGS_REQUEST')
    return findingsRequestMessage(parsed as FindingsRequestFacts, { ...context, address })
  if (kind === 'API_DEPRECATION_WITHDRAWN') {
    const dates = parsed as DeprecationFacts
    const current = await findApiDeprecation(db, dates.version)
    return current ? undefined : withdrawalMessage(dates, context)
  }
  const keys = (await listActiveApiKeys(db, nowSeconds, org)).filter(
    ({ holder }) => foldCase(holder) === foldCase(address),
  )
  if (kind === 'API_DEPRECATED') {
    const dates = parsed as DeprecationFacts
    const current = await findApiDeprecation(db, dates.version)
    const isCurrent = current?.noticeId === subject && keys.length > 0
    return isCurrent ? deprecationMessage(dates, keys, context) : undefined
  }
  const expiry = parsed as KeyExpiryFacts
  const key = keys.find(({ id }) => id === expiry.keyId)
  return key?.expiryTimestamp === expiry.expiryTimestamp ? expiryMessage(expiry, context) : undefined
}

/** Returns the occasion of a notice for lists. */
export function noticeSummary({ kind, facts }: Pick<NoticeRow, 'kind' | 'facts'>): string {
  const parsed: unknown = JSON.parse(facts)
  if (kind === 'KEY_EXPIRES') {
    const { name, expiryTimestamp } = parsed as KeyExpiryFacts
    return `Key ${name} expires on ${dayOf(expiryTimestamp)}`
  }
  if (kind === 'WEBHOOK_SWITCHED_OFF') {
    const { name, origin } = parsed as WebhookDisabledFacts
    return `Webhook ${name ?? origin} disabled`
  }
  if (kind === 'ALERT') return `Alert of rule ${(parsed as AlertNoticeFacts).rule}`
  if (kind === 'MONTHLY_REPORT') return `Security report: ${periodText((parsed as ReportFacts).report.id)}`
  if (kind === 'FINDINGS_REQUEST') {
    const { length } = (parsed as FindingsRequestFacts).findings
    return length === 1 ? 'Asks to resolve 1 finding' : `Asks to resolve ${length} findings`
  }
  const { version, deprecationTimestamp } = parsed as DeprecationFacts
  return `API ${version} deprecated from ${dayOf(deprecationTimestamp)}`
}

const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10)
