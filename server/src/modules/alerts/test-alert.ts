import type { KeyObject } from 'node:crypto'
import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import { visibleLine } from '@muster/contract/text/visible-text'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { firstCharacters } from '../../kernel/lib/text.ts'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { Mailer } from '../notices/mail.ts'
import { renderMessage } from '../notices/notice-layout.ts'
import type { Sender } from '../webhooks/delivery/webhook-sender.ts'
import { insertTestMessage } from '../webhooks/webhook-log.service.ts'
import { type AlertRuleRow, findAlertRule } from './alert-rules.service.ts'
import { composeMessage } from './compose-message.rules.ts'
import { alertMail } from './destinations/email.ts'
import { sendAlert } from './send-alert.ts'
import { alertObject } from './write-messages.ts'

/** Dependencies of test messages. */
export interface AlertTestContext {
  readonly db: Db
  readonly clock: Clock
  readonly key: KeyObject
  readonly sender: Sender
  readonly mailer: Mailer
  readonly publicUrl: string
}

export interface AlertTestResult {
  readonly delivered: boolean
  readonly error: string | null
}

const errorLengthMaximum = 1000
const answerLengthMaximum = 200

/** Returns a message about an invented event. */
export function testMessage(
  { endpoint }: AlertRuleRow,
  organization: Pick<Organization, 'id' | 'name'>,
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number },
): AlertMessage {
  const timestamp = Math.floor(nowMs / 1000)
  return composeMessage(
    {
      publicUrl,
      id: newId(nowMs),
      timestamp,
      test: true,
      digest: false,
      organization: { id: organization.id, name: organization.name },
      rule: { id: endpoint.id, name: endpoint.name ?? '' },
    },
    [
      {
        trigger: 'DETECTION',
        title: 'Test message: Phishing on login.example.net: 3 people',
        count: 3,
        severity: 'HIGH',
        priority: null,
        timestamp,
        link: `${publicUrl}/console/incidents`,
      },
    ],
  )
}

/**
 * Sends a test message in one attempt, even if the rule is disabled. Requests are in the log of the rule; e-mails are sent at
 * once and are not.
 */
export async function testAlertRule(
  context: AlertTestContext,
  rule: AlertRuleRow,
  organization: Pick<Organization, 'id' | 'name'>,
): Promise<AlertTestResult> {
  const { db, clock, key, sender, mailer, publicUrl } = context
  const { endpoint, definition } = rule
  const { org, id } = endpoint
  const atMs = clock.nowMs()
  const message = testMessage(rule, organization, { publicUrl, nowMs: atMs })
  if (definition.destination === 'EMAIL') return mailTest(mailer, definition.addresses, message)
  const timestamp = unixSeconds(clock)
  const { isCanceled: _, ...outcome } = await sendAlert(
    sender,
    key,
    { endpoint, destination: definition.destination },
    message,
    { nowSeconds: timestamp },
  )
  const attempt = { org, webhookId: id, eventId: message.id, attempt: 1, atMs, ...outcome }
  await db.inTransaction(async (tx) => {
    // The rule may have been removed in the meantime, together with its log.
    if (await findAlertRule(tx, org, id))
      await insertTestMessage(tx, attempt, { timestamp, object: alertObject, body: JSON.stringify(message) })
  })
  const { error, answer } = outcome
  if (error === null) return { delivered: true, error }
  // Receivers say what is wrong with a request: `no_service`.
  const said = firstCharacters(visibleLine(answer.trim()), answerLengthMaximum)
  return { delivered: false, error: [error, said].filter(Boolean).join(': ') }
}

/** Sends the message to all addresses at the same time, because each may take some seconds. */
async function mailTest(
  mailer: Mailer,
  addresses: readonly string[],
  message: AlertMessage,
): Promise<AlertTestResult> {
  const mail = renderMessage(alertMail(message))
  const sent = await Promise.allSettled(addresses.map((to) => mailer.send({ to, ...mail })))
  const errors = sent.flatMap((one, index) =>
    one.status === 'fulfilled' ? [] : [`${addresses[index]}: ${reasonOf(one.reason)}`],
  )
  const error = errors.length === 0 ? null : firstCharacters(errors.join('; '), errorLengthMaximum)
  return { delivered: error === null, error }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replaceAll(/\p{Cc}+/gu, ' ') : String(error)
