import type { Config } from '../../../kernel/config/config.ts'
import { tryMailServer } from '../../notices/mail.ts'
import { classifyMailFailure } from '../../notices/mail-failure.ts'
import { smtpUrlOf } from '../../notices/mailers.ts'
import { type DoctorCheck, type Finding, fail, ok } from '../doctor-check.ts'
import { withOwnGuard } from '../own-guard.ts'

const answerWithinMs = 5000

/** Checks that the mail servers in effect accept the sign-in. Sends no mail. */
export const mailCheck: DoctorCheck = {
  name: 'mail',
  run: async ({ config, others }) => {
    const own = others.filter((other) => other.config.sources.smtpUrl === 'console')
    const findings = [await mailFinding(config, '')]
    for (const { organization, config: theirs } of own)
      findings.push(await mailFinding(theirs, ` of the organization ${organization}`))
    return findings.filter((finding) => finding !== undefined)
  },
}

/** @param whose phrase that follows "mail server" */
async function mailFinding(config: Config, whose: string): Promise<Finding | undefined> {
  const url = smtpUrlOf(config)
  if (url === undefined) return undefined
  const isOwn = config.sources.smtpUrl === 'console'
  // Only the host: the URL contains the password.
  const name = `The mail server ${new URL(url).host}${whose}${isOwn ? ', set in the console,' : ''}`
  try {
    await withOwnGuard(config, 'smtpUrl', (guard) => tryMailServer(url, answerWithinMs, guard))
    return ok(`${name} accepts the sign-in.`)
  } catch (error) {
    const { reason } = classifyMailFailure(error, false)
    const place = isOwn ? 'Settings, Mail in the console' : 'MUSTER_SMTP_URL'
    const advice = `Check that it runs, that ${place} has the right scheme, port, user and password, and that this machine trusts its certificate. Notices are kept until then.`
    return fail(`${name} cannot be used: ${reason}.`, advice)
  }
}
