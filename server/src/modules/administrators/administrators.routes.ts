import type { administratorOperations } from '@muster/contract/console/console-administrators'
import { notFound } from '@muster/contract/errors'
import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { toldBy } from '../console/told-by.ts'
import type { Mail } from '../notices/mail.ts'
import {
  changeRole,
  invite,
  removeAdministrator,
  requireAdministrator,
  resetPassword,
  tellPeopleChange,
} from './administrator-acts.ts'
import { administratorView } from './administrator-view.ts'
import { listAdministratorRows } from './administrators.service.ts'
import type { NewLink } from './console-links.ts'
import { invitationMail, type LinkMail, resetMail } from './console-mails.ts'
import { listInvitations, removeInvitation } from './invitations.service.ts'

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
    const mail = mailOf({ ...made, to, organization: caller.organization.name })
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
        invite(tx, linkOrigin(call), { org, email, role, invitedBy }, toldBy(call)),
      )
      return sent(made, invitationMail, email, call)
    },

    revokeInvitation: async (call, _body, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction(async (tx) => {
        const invitations = await listInvitations(tx, org, call.origin.nowSeconds)
        const invitation = invitations.find((one) => one.id === id)
        if (!(await removeInvitation(tx, org, id))) throw notFound()
        const whom = invitation ? `${invitation.email}: ${invitation.role}` : id
        await tellPeopleChange(tx, org, toldBy(call), removed('invitation', whom))
      })
      return {}
    },

    changeAdministrator: async (call, { role }, id) => {
      const { org } = call.caller.administrator
      const row = await db.inTransaction((tx) => changeRole(tx, org, id, role, toldBy(call)))
      return administratorView(db, row)
    },

    resetAdministrator: async (call, { removeSecondFactors = false }, id) => {
      const { org, email: invitedBy } = call.caller.administrator
      const { made, to } = await db.inTransaction(async (tx) => {
        const row = await requireAdministrator(tx, org, id)
        const how = { removeSecondFactors, invitedBy }
        return { made: await resetPassword(tx, linkOrigin(call), row, how, toldBy(call)), to: row.email }
      })
      return sent(made, resetMail, to, call)
    },

    removeAdministrator: async (call, { revokeKeys }, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction((tx) => removeAdministrator(tx, org, id, revokeKeys, toldBy(call)))
      return {}
    },
  }
}
