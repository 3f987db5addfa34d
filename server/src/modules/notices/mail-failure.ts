import { firstCharacters } from '../../kernel/lib/text.ts'

/** Why a message could not be sent, and what follows from that. */
export interface MailFailure {
  /**
   * - `AGAIN`: it was not sent, and may be later;
   * - `NEVER`: the mail server refuses this message or this address for good;
   * - `IN_DOUBT`: the mail server had all of it, and its answer was not heard.
   */
  readonly verdict: 'AGAIN' | 'NEVER' | 'IN_DOUBT'
  /** What the mail server said, or why it was not reached: it may hold the address. */
  readonly said: string
  /** The same without anything that the mail server has written, for the log. */
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

const saidMaximum = 512

/**
 * Judges why a message could not be sent. A refusal for good (5xx) counts as one only when it is about the recipient or the
 * message; one of the greeting, the sign-in or the sender is about how the mail server is set up, and passes when that
 * does.
 *
 * @param complete whether all of the message had been given when it failed
 */
export function mailFailureOf(thrown: unknown, complete: boolean): MailFailure {
  const { code = 'EUNKNOWN', originalCode, command, response, responseCode, message } = thrown as SmtpError
  const said = firstCharacters((response ?? message ?? code).replaceAll(/\p{Cc}+/gu, ' '), saidMaximum)
  const words = [originalCode ?? code, command, responseCode].filter((word) => word !== undefined).join(' ')
  // After the end of the message the only answer is the one to it.
  const answered = command === 'DATA' && responseCode !== undefined
  if (complete && !answered) return { verdict: 'IN_DOUBT', said, code: words }
  const aboutMessage = command === 'DATA' || command === 'RCPT TO'
  const forGood = responseCode !== undefined && responseCode >= 500 && aboutMessage
  return { verdict: forGood ? 'NEVER' : 'AGAIN', said, code: words }
}
