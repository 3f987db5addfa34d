import type { settingsOperations } from '@muster/contract/console/console-settings'
import { version } from '../../kernel/lib/version.ts'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { changeOrganizationName } from './organization-name.service.ts'

/** Handlers for the server settings and the name of the organization. */
export function settingsHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof settingsOperations> {
  const { db, mailer, log, settingsInForce, publicUrl } = parts

  const organizationView = async (org: number) => {
    const found = await organizationOf(db, org)
    if (!found) throw new Error(`there is no organization ${org}`)
    const { id, name, creationTimestamp } = found
    return { id, name, creationTimestamp }
  }

  return {
    readSettings: async ({ caller }) => ({
      organization: await organizationView(caller.administrator.org),
      version,
      settings: [...settingsInForce],
      mailWay: mailer.way,
      mailFrom: mailer.from,
    }),

    changeOrganization: async (call, { name }) => {
      const { org } = call.caller.administrator
      await db.inTransaction((tx) => changeOrganizationName(tx, org, name, auditContext(call)))
      return organizationView(org)
    },

    sendTestMail: async ({ caller }) => {
      const to = caller.administrator.email
      const text = `This is a test mail from the Muster console at ${publicUrl}.\nIf you can read it, sending mail works.\n`
      try {
        return { to, sentBy: await mailer.send({ to, subject: 'Test mail from Muster', text }), reason: null }
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
  const parts = [code, response].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? 'The mail server rejected it.' : parts.join(': ').slice(0, 512)
}
