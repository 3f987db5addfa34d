import { type Static, Type } from 'typebox'
import {
  closed,
  email,
  flag,
  id,
  listOf,
  lookup,
  nullable,
  oneOf,
  secret,
  text,
  timestamp,
} from '../api/fields.ts'
import {
  Administrator,
  administratorEmail,
  Done,
  givenPassword,
  linkToken,
  newPassword,
  organizationName,
  personName,
  role,
  secondFactorList,
  totpCode,
  webAuthnJson,
} from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Sign-in state of a person. */
export const SignInState = closed(
  {
    state: oneOf(['SIGNED_OUT', 'SECOND_FACTOR', 'SIGNED_IN'], 'Progress of the sign-in.', 'SIGNED_IN'),
    secondFactors: secondFactorList,
    administrator: Type.Union([Administrator, Type.Null()]),
    organization: nullable(text('The name of the organization.', 'default', 64)),
    reauthenticationUntilTimestamp: nullable(
      timestamp('Time until which sensitive actions need no re-authentication; in the past if they do.'),
    ),
    setupNeeded: flag('True if there is no administrator yet. The first one uses the setup link.', false),
    oidcName: nullable(text('Name of the single sign-on provider; null if not configured.', 'Okta', 64)),
  },
  { $id: 'SignInState', description: 'The sign-in state.' },
)
export type SignInState = Static<typeof SignInState>

const LinkFacts = closed(
  {
    kind: oneOf(['SETUP', 'INVITATION', 'RESET'], 'Purpose of the link.', 'INVITATION'),
    organization: text('The name of the organization.', 'default', 64),
    email: nullable(email('Address of the person; null for the setup link.')),
    role,
    expirationTimestamp: timestamp('Time when the link stops working.'),
  },
  { description: 'Facts about a link.' },
)

const SessionFacts = closed(
  {
    id: id('ID of the session.', '3f1c9a52'),
    current: flag('True for the session of this request.'),
    creationTimestamp: timestamp('Time when it began.'),
    lastSeenTimestamp: timestamp('Time when it was last used.'),
    sourceIpAddress: text('IP address at sign-in.', '192.0.2.1', 64),
    userAgent: nullable(text('User agent at sign-in.', 'Mozilla/5.0', 512)),
  },
  { description: 'A session.' },
)

/** Operations of sign-in and sessions. */
export const sessionOperations = {
  readSession: consoleOperation({
    method: 'GET',
    path: '/console/api/session',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Read the sign-in state.',
    response: SignInState,
  }),
  signIn: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Sign in with e-mail address and password.',
    body: closed(
      {
        email: lookup('The e-mail address of the administrator.', 'ada.byron@example.com', 254, 1),
        password: givenPassword,
        organization: Type.Optional(
          lookup('Name of the organization, for people who administer several.', 'default', 64),
        ),
      },
      { description: 'Credentials of the administrator.' },
    ),
    response: SignInState,
  }),
  signInByTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/totp',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Complete the sign-in with an authenticator app.',
    body: closed({ code: totpCode }, { description: 'The code.' }),
    response: SignInState,
  }),
  signInByRecoveryCode: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/recovery-code',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Complete the sign-in with a recovery code, which can be used once.',
    body: closed(
      { code: secret('One of the recovery codes.', 'abcd-efgh-jkmn-pqrs', 32, 1) },
      { description: 'The code.' },
    ),
    response: SignInState,
  }),
  signInPasskeyOptions: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/passkey/options',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Begin to complete the sign-in with a passkey.',
    response: webAuthnJson,
  }),
  signInByPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/passkey',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Complete the sign-in with a passkey.',
    body: closed({ response: webAuthnJson }, { description: 'Response of the browser.' }),
    response: SignInState,
  }),
  openLink: consoleOperation({
    method: 'POST',
    path: '/console/api/links/open',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Read the facts about a setup, invitation or reset link.',
    body: closed({ token: linkToken }, { description: 'The token of the link.' }),
    response: LinkFacts,
  }),
  acceptLink: consoleOperation({
    method: 'POST',
    path: '/console/api/links/accept',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Use a link: become an administrator, or set a new password.',
    body: closed(
      {
        token: linkToken,
        password: newPassword,
        email: Type.Optional(administratorEmail),
        name: Type.Optional(personName),
        organization: Type.Optional(organizationName),
      },
      {
        description:
          'The token and the chosen values. `email` and `organization`, the new name of it, are for the setup link only.',
      },
    ),
    response: SignInState,
  }),
  reauthenticate: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate',
    access: 'SESSION',
    sensitive: false,
    summary: 'Re-authenticate with password or authenticator app.',
    body: closed(
      { password: Type.Optional(givenPassword), totpCode: Type.Optional(totpCode) },
      { description: 'The proof; exactly one member.', minProperties: 1 },
    ),
    response: SignInState,
  }),
  reauthenticatePasskeyOptions: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate/passkey/options',
    access: 'SESSION',
    sensitive: false,
    summary: 'Begin to re-authenticate with a passkey.',
    response: webAuthnJson,
  }),
  reauthenticateByPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate/passkey',
    access: 'SESSION',
    sensitive: false,
    summary: 'Re-authenticate with a passkey.',
    body: closed({ response: webAuthnJson }, { description: 'Response of the browser.' }),
    response: SignInState,
  }),
  listSessions: consoleOperation({
    method: 'GET',
    path: '/console/api/sessions',
    access: 'SESSION',
    sensitive: false,
    summary: 'List the sessions of the administrator.',
    response: closed(
      { sessions: listOf(SessionFacts, 'The sessions, newest first.', [], 1000) },
      { description: 'The sessions.' },
    ),
  }),
  signOut: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-out',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'End this session.',
    response: Done,
  }),
  signOutEverywhere: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-out-everywhere',
    access: 'SESSION',
    sensitive: false,
    summary: 'End all sessions of the administrator, including this one.',
    response: Done,
  }),
} as const
