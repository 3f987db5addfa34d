import { type Static, Type } from 'typebox'
import { closed, email, flag, id, listOf, nullable, oneOf, timestamp } from '../api/fields.ts'
import { Administrator, administratorEmail, Done, mailedLink, role } from './console-fields.ts'
import { consoleOperation, roles } from './console-operation.ts'

const Invitation = closed(
  {
    id: id('ID of the invitation.'),
    email: email('Address of the invited person.'),
    role,
    invitedBy: nullable(email('Address of the inviting administrator; null for the command line.')),
    creationTimestamp: timestamp('Time when the invitation was made.'),
    expirationTimestamp: timestamp('Time when its link stops working.'),
  },
  { $id: 'Invitation', description: 'An invitation that has not been accepted.' },
)
export type Invitation = Static<typeof Invitation>

const LinkMade = closed(mailedLink, { description: 'A created link and its delivery.' })

/** Operations on administrators. */
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
      { email: administratorEmail, role: oneOf(roles, 'Role of the person.', 'READ_ONLY') },
      { description: 'Address of the invited person.' },
    ),
    response: LinkMade,
  }),
  revokeInvitation: consoleOperation({
    method: 'DELETE',
    path: '/console/api/invitations/:id',
    access: 'OWNER',
    sensitive: true,
    summary: 'Revoke an invitation.',
    response: Done,
  }),
  changeAdministrator: consoleOperation({
    method: 'PATCH',
    path: '/console/api/administrators/:id',
    access: 'OWNER',
    sensitive: true,
    summary:
      'Change the role of an administrator. Keys with more permissions are revoked. At least one owner must remain.',
    body: closed(
      { role: oneOf(roles, 'New role of the person.', 'FULL_ACCESS') },
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
      'Send an administrator a link to set a new password; optionally remove all other sign-in methods.',
    body: closed(
      {
        removeSecondFactors: Type.Optional(
          flag('True if authenticator app, passkeys, recovery codes and password are removed, too.', false),
        ),
      },
      { description: 'What to remove.' },
    ),
    response: LinkMade,
  }),
  removeAdministrator: consoleOperation({
    method: 'DELETE',
    path: '/console/api/administrators/:id',
    access: 'OWNER',
    sensitive: true,
    summary: 'Remove an administrator and end their sessions. At least one owner must remain.',
    body: closed(
      { revokeKeys: flag('True if the API keys that the person holds are revoked, too.') },
      { description: 'What to remove in addition to the administrator.' },
    ),
    response: Done,
  }),
} as const
