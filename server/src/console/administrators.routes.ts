import type { administratorOperations } from '@muster/contract/console/console-administrators'
import { notFound } from '@muster/contract/errors'
import type { Mail } from '../events/mail.ts'
import { listAdministratorRows } from '../storage/administrators.ts'
import { listInvitations, removeInvitation } from '../storage/invitations.ts'
import {
  changeRole,
  invite,
  removeAdministrator,
  requireAdministrator,
  resetPassword,
} from './administrator-acts.ts'
import { administratorView } from './administrator-view.ts'
import type { ConsoleCall, ConsoleHandlers } from './console-bind.ts'
import type { NewLink } from './console-links.ts'
import { invitationMail, type LinkMail, resetMail } from './console-mails.ts'
import type { ConsoleParts } from './console-parts.ts'

/** The people who use the console: who there is, who comes and who goes. */
export function administratorHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof administratorOperations> {
  const { db, makeId, publicUrl, mailer, log } = parts
  const linkOrigin = ({ origin }: ConsoleCall) => ({ publicUrl, id: makeId(), nowSeconds: origin.nowSeconds })

  /** The link is there and is shown; a mail that cannot be sent takes nothing of that back. */
  const sent = async (
    made: NewLink,
    mailOf: (mail: LinkMail) => Mail,
    to: string,
    { caller }: ConsoleCall,
  ) => {
    const mail = mailOf({ ...made, to, organisation: caller.organisation.name })
    const sentBy = await mailer.send(mail).catch((error: unknown) => {
      log.warn({ err: error }, 'a mail of the console could not be sent')
      return 'FAILED' as const
    })
    return { ...made, sentBy }
  }

  return {
    listAdministrators: async ({ caller, origin }) => {
      const { org } = caller.administrator
      const rows = await listAdministratorRows(db, org)
      const invitations = await listInvitations(db, org, origin.nowSeconds)
      return {
        administrators: await Promise.all(rows.map((row) => administratorView(db, row))),
        invitations: invitations.map(
          ({ id, email, role, invitedBy, creationTimestamp, expirationTimestamp }) => ({
            id,
            email: email ?? '',
            role,
            invitedBy,
            creationTimestamp,
            expirationTimestamp,
          }),
        ),
      }
    },

    inviteAdministrator: async (call, { email, role }) => {
      const { org, email: invitedBy } = call.caller.administrator
      const made = await db.inTransaction((tx) =>
        invite(tx, linkOrigin(call), { org, email, role, invitedBy }),
      )
      return sent(made, invitationMail, email, call)
    },

    revokeInvitation: async ({ caller }, _body, id) => {
      if (!(await db.inTransaction((tx) => removeInvitation(tx, caller.administrator.org, id))))
        throw notFound()
      return {}
    },

    changeAdministrator: async ({ caller }, { role }, id) => {
      const row = await db.inTransaction((tx) => changeRole(tx, caller.administrator.org, id, role))
      return administratorView(db, row)
    },

    resetAdministrator: async (call, { removeSecondFactors = false }, id) => {
      const { org, email: invitedBy } = call.caller.administrator
      const { made, to } = await db.inTransaction(async (tx) => {
        const row = await requireAdministrator(tx, org, id)
        const how = { removeSecondFactors, invitedBy }
        return { made: await resetPassword(tx, linkOrigin(call), row, how), to: row.email }
      })
      return sent(made, resetMail, to, call)
    },

    removeAdministrator: async ({ caller, origin }, { revokeKeys }, id) => {
      const { nowSeconds } = origin
      await db.inTransaction((tx) =>
        removeAdministrator(tx, caller.administrator.org, id, { revokeKeys, nowSeconds }),
      )
      return {}
    },
  }
}
