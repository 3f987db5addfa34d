import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { settingsOperations } from '@muster/contract/console/console-settings'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { version } from '../../kernel/lib/version.ts'
import {
  organizationName,
  organizationOf,
  renameOrganization,
} from '../../kernel/organizations/organizations.ts'
import { UniqueViolationError } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'

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

    changeOrganization: async (call, body) => {
      const { org } = call.caller.administrator
      const { name } = body
      if (/\p{Cc}/u.test(name))
        throw invalidRequest([{ in: 'body', name: 'name', message: 'must not contain control characters' }])
      try {
        await db.inTransaction(async (tx) => {
          // Serialize renames, so each audit event has the right previous name.
          await tx.lock(`settings ${org}`)
          const changes = auditedChanges({ name: await organizationName(tx, org) }, { name })
          if (changes.length === 0) return
          await renameOrganization(tx, org, name, call.origin.nowSeconds)
          const facts = { setting: 'organization', changes }
          await recordAudit(tx, org, 'SETTING_UPDATED', { ...auditContext(call), new: facts })
        })
      } catch (error) {
        if (error instanceof UniqueViolationError)
          throw new ApiError('conflict', 'Another organization of this server already has this name.')
        throw error
      }
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
