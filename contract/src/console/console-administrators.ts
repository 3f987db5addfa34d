import { type Static, Type } from 'typebox'
import { closed, email, flag, id, listOf, nullable, oneOf, timestamp } from '../fields.ts'
import { Administrator, administratorEmail, Done, mailedLink, role } from './console-fields.ts'
import { consoleOperation, roles } from './console-operation.ts'

const Invitation = closed(
  {
    id: id('The id of the invitation.'),
    email: email('Who is invited.'),
    role,
    invitedBy: nullable(email('Who has invited; null for the command line.')),
    creationTimestamp: timestamp('When the invitation was made.'),
    expirationTimestamp: timestamp('When its link stops working.'),
  },
  { $id: 'Invitation', description: 'An invitation that has not been accepted.' },
)
export type Invitation = Static<typeof Invitation>

const LinkMade = closed(mailedLink, { description: 'A link that was made, and how it was sent.' })

/** The people who use the console. */
export const administratorOperations = {
  listAdministrators: consoleOperation({
    method: 'GET',
    path: '/console/api/administrators',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'List the administrators and the open invitations.',
    response: closed(
      {
        administrators: listOf(Administrator, 'The administrators, oldest first.', [], 10_000),
        invitations: listOf(Invitation, 'The invitations that are open, oldest first.', [], 10_000),
      },
      { description: 'The people.' },
    ),
  }),
  inviteAdministrator: consoleOperation({
    method: 'POST',
    path: '/console/api/invitations',
    access: 'OWNER',
    sensitive: true,
    summary: 'Invite a person by e-mail. An older invitation of the same address stops working.',
    body: closed(
      { email: administratorEmail, role: oneOf(roles, 'What the person may do.', 'READ_ONLY') },
      { description: 'Who is invited.' },
    ),
    response: LinkMade,
  }),
  revokeInvitation: consoleOperation({
    method: 'DELETE',
    path: '/console/api/invitations/:id',
    access: 'OWNER',
    sensitive: true,
    summary: 'Take an invitation back.',
    response: Done,
  }),
  changeAdministrator: consoleOperation({
    method: 'PATCH',
    path: '/console/api/administrators/:id',
    access: 'OWNER',
    sensitive: true,
    summary:
      'Change what an administrator may do. Keys of theirs that may do more are revoked. One owner must stay.',
    body: closed(
      { role: oneOf(roles, 'What the person may do from now on.', 'FULL_ACCESS') },
      { description: 'The change.' },
    ),
    response: Administrator,
  }),
  resetAdministrator: consoleOperation({
    method: 'POST',
    path: '/console/api/administrators/:id/reset-password',
    access: 'OWNER',
    sensitive: true,
    summary:
      'Send an administrator a link to set a new password; optionally take all other ways to sign in away.',
    body: closed(
      {
        removeSecondFactors: Type.Optional(
          flag(
            'Whether authenticator app, passkeys and recovery codes go, too, and the password with them.',
            false,
          ),
        ),
      },
      { description: 'What goes.' },
    ),
    response: LinkMade,
  }),
  removeAdministrator: consoleOperation({
    method: 'DELETE',
    path: '/console/api/administrators/:id',
    access: 'OWNER',
    sensitive: true,
    summary: 'Remove an administrator and end all sessions of theirs. One owner must stay.',
    body: closed(
      { revokeKeys: flag('Whether the API keys that the person holds are revoked, too.') },
      { description: 'What goes besides the administrator.' },
    ),
    response: Done,
  }),
} as const
