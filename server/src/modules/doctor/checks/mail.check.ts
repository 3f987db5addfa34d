import { tryMailServer } from '../../notices/mail.ts'
import { classifyMailFailure } from '../../notices/mail-failure.ts'
import { type DoctorCheck, fail, ok } from '../doctor-check.ts'

const answerWithinMs = 5000

/** Checks that the configured mail server accepts the sign-in. Sends no mail. */
export const mailCheck: DoctorCheck = {
  name: 'mail',
  run: async ({ config: { smtpUrl } }) => {
    if (smtpUrl === undefined) return []
    // Only the host: the URL contains the password.
    const { host } = new URL(smtpUrl)
    try {
      await tryMailServer(smtpUrl, answerWithinMs)
      return [ok(`The mail server ${host} accepts the sign-in.`)]
    } catch (error) {
      const { reason } = classifyMailFailure(error, false)
      const advice =
        'Check that it runs, that MUSTER_SMTP_URL has the right scheme, port, user and password, and that this machine trusts its certificate. Notices are kept until then.'
      return [fail(`The mail server ${host} cannot be used: ${reason}.`, advice)]
    }
  },
}
