import { firstCharacters } from '../../kernel/lib/text.ts'

/** Classified failure to send a message. */
export interface MailFailure {
  /**
   * - `RETRY`: not sent, a later attempt may succeed;
   * - `PERMANENT`: the mail server rejects this message or recipient permanently;
   * - `IN_DOUBT`: the mail server received the whole message, but its reply was lost.
   */
  readonly verdict: 'RETRY' | 'PERMANENT' | 'IN_DOUBT'
  /** Reply of the mail server or connection error. May contain the address. */
  readonly reason: string
  /** Error codes without text of the mail server, for the log. */
  readonly code: string
}

interface SmtpError {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly message?: string
}

const maxReasonLength = 512

/**
 * Classifies an error of nodemailer. A permanent rejection (5xx) counts as such only for the recipient or the message.
 * During greeting, sign-in or MAIL FROM it indicates a configuration problem, which an administrator can fix.
 *
 * @param complete true if the whole message had been transmitted
 */
export function classifyMailFailure(thrown: unknown, complete: boolean): MailFailure {
  const { code = 'EUNKNOWN', originalCode, command, response, responseCode, message } = thrown as SmtpError
  const reason = firstCharacters((response ?? message ?? code).replaceAll(/\p{Cc}+/gu, ' '), maxReasonLength)
  const codes = [originalCode ?? code, command, responseCode].filter((part) => part !== undefined).join(' ')
  // The reply to DATA is the reply to the whole message.
  const replied = command === 'DATA' && responseCode !== undefined
  if (complete && !replied) return { verdict: 'IN_DOUBT', reason, code: codes }
  const concernsMessage = command === 'DATA' || command === 'RCPT TO'
  const permanent = responseCode !== undefined && responseCode >= 500 && concernsMessage
  return { verdict: permanent ? 'PERMANENT' : 'RETRY', reason, code: codes }
}
