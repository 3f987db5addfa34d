import { describeConfig } from '../../kernel/config/config.ts'
import { firstCharacters } from '../../kernel/lib/text.ts'
import { version } from '../../kernel/lib/version.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { failureText } from '../settings/failure-text.ts'
import { changeOrganizationName } from './organization-name.service.ts'

/** Handlers for the server settings and the name of the organization. */
export function settingsHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<'readSettings' | 'changeOrganization' | 'sendTestMail'> {
  const { db, mailerOf, log, settings, publicUrl } = parts

  const organizationView = async (org: number) => {
    const found = await organizationOf(db, org)
    if (!found) throw new Error(`there is no organization ${org}`)
    const { id, name, creationTimestamp } = found
    return { id, name, creationTimestamp }
  }

  return {
    readSettings: async ({ caller }) => {
      const { org } = caller.administrator
      const { way, from } = mailerOf(org)
      return {
        organization: await organizationView(org),
        version,
        settings: describeConfig(settings.of(org)).map(({ value, ...setting }) => ({
          ...setting,
          value: value === null ? null : String(value),
        })),
        mailWay: way,
        mailFrom: from,
      }
    },

    changeOrganization: async (call, { name }) => {
      const { org } = call.caller.administrator
      await db.inTransaction((tx) => changeOrganizationName(tx, org, name, auditContext(call)))
      return organizationView(org)
    },

    sendTestMail: async ({ caller }) => {
      const to = caller.administrator.email
      const text = `This is a test mail from the Muster console at ${publicUrl}.\nIf you can read it, sending mail works.\n`
      try {
        const sentBy = await mailerOf(caller.administrator.org).send({
          to,
          subject: 'Test mail from Muster',
          text,
        })
        return { to, sentBy, reason: null }
      } catch (error) {
        log.warn({ err: error }, 'cannot send the test mail of the console')
        return { to, sentBy: 'FAILED', reason: reasonOf(error) }
      }
    },
  }
}

/** Returns the mail server's response or the connection error. Contains no settings, which may include secrets. */
function reasonOf(error: unknown): string {
  const { code, response } = error as { code?: unknown; response?: unknown }
  const text = typeof response === 'string' && response !== '' ? response : failureText(error)
  const prefix = typeof code === 'string' && code !== '' ? `${code}: ` : ''
  return firstCharacters(`${prefix}${text}`, 512)
}
