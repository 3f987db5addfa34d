import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import type { Reader } from '../../kernel/store/sql.ts'
import type { Message } from '../notices/notice-layout.ts'
import { findAlertRule } from './alert-rules.service.ts'
import { alertMail } from './destinations/email.ts'

/** Data of an e-mail. The message is read when it is sent, so an erased one is not sent. */
export interface AlertNoticeFacts {
  readonly messageId: string
  /** Name of the rule. The title would name people. */
  readonly rule: string
}

/** Subject of the notice of a message: rule and message. */
export const noticeSubject = (ruleId: string, messageId: string): string => `${ruleId} ${messageId}`

/** Returns the e-mail of a stored message; undefined if that was erased, or its rule was removed. */
export async function alertMailOf(
  db: Reader,
  org: number,
  { messageId }: AlertNoticeFacts,
): Promise<Message | undefined> {
  const sql = 'SELECT body FROM events WHERE org = ? AND id = ?'
  const row = await db.get<{ body: string }>(sql, [org, messageId])
  const message = row && (JSON.parse(row.body) as AlertMessage)
  return message && (await findAlertRule(db, org, message.rule.id)) ? alertMail(message) : undefined
}
