import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import { type AlertDelivery, shownAlertsMaximum } from '@muster/contract/console/alerts/console-alerts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { listNoticesAbout, type NoticeRow, retryNotice } from '../notices/notices.service.ts'
import {
  type DeliveryRow,
  listDeliveryRows,
  resendEventsById,
  testCategory,
} from '../webhooks/webhook-log.service.ts'
import { readEvents } from './alert-items.store.ts'
import { type AlertNoticeFacts, noticeSubject } from './alert-notices.service.ts'

/** Key of a rule. */
interface RuleKey {
  readonly org: number
  readonly id: string
}

/** Lists the latest messages of a rule, newest first: deliveries by HTTP and e-mails. */
export async function listAlertDeliveries(reader: Reader, { org, id }: RuleKey): Promise<AlertDelivery[]> {
  const { rows } = await listDeliveryRows(reader, { org, webhookId: id }, {}, shownAlertsMaximum)
  const notices = await listNoticesAbout(reader, org, 'ALERT', `${id} `, shownAlertsMaximum)
  const ids = [...rows.map(({ eventId }) => eventId), ...notices.map(messageIdOf)]
  const messages = new Map(
    (await readEvents(reader, org, ids)).map(({ id: messageId, body }) => [
      messageId,
      JSON.parse(body) as AlertMessage,
    ]),
  )
  const deliveries = [
    ...rows.flatMap((row) => deliveryView(row, messages.get(row.eventId))),
    ...notices.flatMap((row) => mailView(row, messages.get(messageIdOf(row)))),
  ]
  return deliveries
    .toSorted((one, other) => other.messageId.localeCompare(one.messageId))
    .slice(0, shownAlertsMaximum)
}

const messageIdOf = ({ facts }: NoticeRow): string => (JSON.parse(facts) as AlertNoticeFacts).messageId

function deliveryView(row: DeliveryRow, message: AlertMessage | undefined): AlertDelivery[] {
  if (!message) return []
  const { eventId: messageId, timestamp, state, attempts, dueMs, lastStatus: status, lastError: error } = row
  return [
    {
      messageId,
      timestamp,
      title: message.title,
      receiver: null,
      state,
      test: row.category === testCategory,
      attempts,
      status,
      error,
      nextTimestamp: state === 'PENDING' ? Math.ceil(dueMs / 1000) : null,
    },
  ]
}

const mailStates = {
  PENDING: 'PENDING',
  SENDING: 'PENDING',
  SENT: 'DELIVERED',
  FAILED: 'FAILED',
  IN_DOUBT: 'IN_DOUBT',
} as const

function mailView(row: NoticeRow, message: AlertMessage | undefined): AlertDelivery[] {
  if (!message) return []
  return [
    {
      messageId: message.id,
      timestamp: message.timestamp,
      title: message.title,
      receiver: row.address,
      state: mailStates[row.state],
      test: false,
      attempts: row.attempts,
      status: null,
      error: row.lastError,
      nextTimestamp: row.state === 'PENDING' ? Math.ceil(row.dueMs / 1000) : null,
    },
  ]
}

/** Counts the messages of each rule that are not delivered: pending, failed or in doubt. */
export async function undeliveredMessages(reader: Reader, org: number): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ id: string; number: number }>(
    `SELECT d.webhook_id AS id, count(*) AS number FROM webhooks AS w
     JOIN webhook_deliveries AS d ON d.org = w.org AND d.webhook_id = w.id AND d.state IN ('PENDING', 'FAILED')
     JOIN events AS e ON e.org = d.org AND e.id = d.event_id AND e.category <> '${testCategory}'
     WHERE w.org = ? AND w.kind = 'ALERT' GROUP BY d.webhook_id
     UNION ALL SELECT substr(subject, 1, 36) AS id, count(*) AS number FROM notices
     WHERE org = ? AND kind = 'ALERT' AND state <> 'SENT' GROUP BY substr(subject, 1, 36)`,
    [org, org],
  )
  const sums = new Map<string, number>()
  for (const { id, number } of rows) sums.set(id, (sums.get(id) ?? 0) + Number(number))
  return sums
}

/** Sends a message again, with the same ID. @returns false if the rule has no such message, or it is being sent */
export async function resendAlert(
  tx: Tx,
  { org, id }: RuleKey,
  { messageId, receiver }: { readonly messageId: string; readonly receiver?: string | undefined },
  nowMs: number,
): Promise<boolean> {
  const subject = noticeSubject(id, messageId)
  if (receiver !== undefined) {
    const row = (await listNoticesAbout(tx, org, 'ALERT', subject, shownAlertsMaximum)).find(
      ({ address }) => address === receiver,
    )
    return row !== undefined && retryNotice(tx, org, row.id, nowMs)
  }
  const { rows } = await listDeliveryRows(tx, { org, webhookId: id }, { eventId: messageId }, 1)
  if (rows.length === 0) return false
  return (await resendEventsById(tx, { org, webhookId: id }, [messageId], nowMs)) > 0
}
