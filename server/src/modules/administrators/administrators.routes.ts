import { notFound } from '@muster/contract/api/errors'
import type { administratorOperations } from '@muster/contract/console/console-administrators'
import { removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import type { Mail } from '../notices/mail.ts'
import {
  changeRole,
  invite,
  recordAdministratorChange,
  removeAdministrator,
  requireAdministrator,
  resetPassword,
} from './administrator-actions.ts'
import { administratorView } from './administrator-view.ts'
import { listAdministratorRows } from './administrators.service.ts'
import type { NewLink } from './console-links.ts'
import { invitationMail, type LinkMail, resetMail } from './console-mails.ts'
import { listInvitations, removeInvitation } from './invitations.service.ts'

/** Handlers for administrators and invitations. */
export function administratorHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof administratorOperations> {
  const { db, makeId, publicUrl, mailerOf, log } = parts
  const linkOrigin = ({ origin }: ConsoleCall) => ({ publicUrl, id: makeId(), nowSeconds: origin.nowSeconds })

  /** Mails a created link. The link is shown in any case, so a failed mail is not an error. */
  const sendLink = async (
    created: NewLink,
    mailOf: (mail: LinkMail) => Mail,
    to: string,
    { caller }: ConsoleCall,
  ) => {
    const mail = mailOf({ ...created, to, organization: caller.organization.name })
    const sender = mailerOf(caller.administrator.org)
    const sentBy = await sender.send(mail).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot send an e-mail of the console')
      return 'FAILED' as const
    })
    return { ...created, sentBy }
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
      const created = await db.inTransaction((tx) =>
        invite(tx, linkOrigin(call), { org, email, role, invitedBy }, auditContext(call)),
      )
      return sendLink(created, invitationMail, email, call)
    },

    revokeInvitation: async (call, _body, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction(async (tx) => {
        const invitations = await listInvitations(tx, org, call.origin.nowSeconds)
        const invitation = invitations.find((one) => one.id === id)
        if (!(await removeInvitation(tx, org, id))) throw notFound()
        const invited = invitation ? `${invitation.email}: ${invitation.role}` : id
        await recordAdministratorChange(tx, org, auditContext(call), removed('invitation', invited))
      })
      return {}
    },

    changeAdministrator: async (call, { role }, id) => {
      const { org } = call.caller.administrator
      const row = await db.inTransaction((tx) => changeRole(tx, org, id, role, auditContext(call)))
      return administratorView(db, row)
    },

    resetAdministrator: async (call, { removeSecondFactors = false }, id) => {
      const { org, email: invitedBy } = call.caller.administrator
      const { created, to } = await db.inTransaction(async (tx) => {
        const row = await requireAdministrator(tx, org, id)
        const options = { removeSecondFactors, invitedBy }
        return {
          created: await resetPassword(tx, linkOrigin(call), row, options, auditContext(call)),
          to: row.email,
        }
      })
      return sendLink(created, resetMail, to, call)
    },

    removeAdministrator: async (call, { revokeKeys }, id) => {
      const { org } = call.caller.administrator
      await db.inTransaction((tx) => removeAdministrator(tx, org, id, revokeKeys, auditContext(call)))
      return {}
    },
  }
}
