import type { Config } from '../../kernel/config/config.ts'
import { tryMailServer } from '../notices/mail.ts'
import { classifyMailFailure } from '../notices/mail-failure.ts'
import { type CheckFinding, fail, ok } from './check-finding.ts'

const answerWithinMs = 5000

/** Whether the mail server that is set lets itself be signed in to; nothing is sent. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<CheckFinding[]> {
  if (smtpUrl === undefined) return []
  // User and password are no part of it.
  const { host } = new URL(smtpUrl)
  try {
    await tryMailServer(smtpUrl, answerWithinMs)
    return [ok('mail', `The mail server ${host} can be used.`)]
  } catch (error) {
    const { reason } = classifyMailFailure(error, false)
    const advice =
      'Check that it runs, that MUSTER_SMTP_URL has the right scheme, port, user and password, and that its certificate is trusted here. Notices wait for it.'
    return [fail('mail', `The mail server ${host} cannot be used: ${reason}.`, advice)]
  }
}
