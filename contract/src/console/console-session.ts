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
} from '../fields.ts'
import {
  Administrator,
  administratorEmail,
  Done,
  givenPassword,
  linkToken,
  newPassword,
  personName,
  role,
  secondFactorList,
  totpCode,
  webAuthnJson,
} from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** How far a person has come: nowhere, past the password, or in. */
export const SignInState = closed(
  {
    state: oneOf(
      ['SIGNED_OUT', 'SECOND_FACTOR', 'SIGNED_IN'],
      'How far the person has come with signing in.',
      'SIGNED_IN',
    ),
    secondFactors: secondFactorList,
    administrator: Type.Union([Administrator, Type.Null()]),
    organization: nullable(text('The name of the organization.', 'default', 64)),
    reauthenticationUntilTimestamp: nullable(
      timestamp('Until when sensitive acts need no fresh authentication; in the past when they do.'),
    ),
    setupNeeded: flag('Whether there is no administrator yet: the first one comes by the setup link.', false),
    oidcName: nullable(text('What single sign-on is called; null if it is not set up.', 'Okta', 64)),
  },
  { $id: 'SignInState', description: 'Who is signed in.' },
)
export type SignInState = Static<typeof SignInState>

const LinkFacts = closed(
  {
    kind: oneOf(['SETUP', 'INVITATION', 'RESET'], 'What the link is for.', 'INVITATION'),
    organization: text('The name of the organization.', 'default', 64),
    email: nullable(email('Whom the link is for; null for the setup link.')),
    role,
    expirationTimestamp: timestamp('When the link stops working.'),
  },
  { description: 'What a link is for.' },
)

const SessionFacts = closed(
  {
    id: id('The id of the session.', '3f1c9a52'),
    current: flag('Whether it is the one that asks.'),
    creationTimestamp: timestamp('When it began.'),
    lastSeenTimestamp: timestamp('When it was last used.'),
    sourceIpAddress: text('The address that it began from.', '192.0.2.1', 64),
    userAgent: nullable(text('The browser that it began in.', 'Mozilla/5.0', 512)),
  },
  { description: 'A session.' },
)

/** Signing in, and what is one's own of it. */
export const sessionOperations = {
  readSession: consoleOperation({
    method: 'GET',
    path: '/console/api/session',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Say who is signed in.',
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
          lookup('The name of the organization, where a person administers several.', 'default', 64),
        ),
      },
      { description: 'Who signs in.' },
    ),
    response: SignInState,
  }),
  signInByTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/totp',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Take the second step with an authenticator app.',
    body: closed({ code: totpCode }, { description: 'The code.' }),
    response: SignInState,
  }),
  signInByRecoveryCode: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/recovery-code',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Take the second step with a recovery code, which is used up by it.',
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
    summary: 'Begin the second step with a passkey.',
    response: webAuthnJson,
  }),
  signInByPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in/passkey',
    access: 'SECOND_FACTOR',
    sensitive: false,
    summary: 'Take the second step with a passkey.',
    body: closed({ response: webAuthnJson }, { description: 'What the browser answered.' }),
    response: SignInState,
  }),
  openLink: consoleOperation({
    method: 'POST',
    path: '/console/api/links/open',
    access: 'PUBLIC',
    sensitive: false,
    summary: 'Say what a link of setup, invitation or reset is for.',
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
      },
      { description: 'The token, and what is chosen. `email` belongs to the setup link only.' },
    ),
    response: SignInState,
  }),
  reauthenticate: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate',
    access: 'SESSION',
    sensitive: false,
    summary: 'Prove once more who one is, with password or authenticator app.',
    body: closed(
      { password: Type.Optional(givenPassword), totpCode: Type.Optional(totpCode) },
      { description: 'The proof; just one of them.', minProperties: 1 },
    ),
    response: SignInState,
  }),
  reauthenticatePasskeyOptions: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate/passkey/options',
    access: 'SESSION',
    sensitive: false,
    summary: 'Begin to prove once more who one is, with a passkey.',
    response: webAuthnJson,
  }),
  reauthenticateByPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/reauthenticate/passkey',
    access: 'SESSION',
    sensitive: false,
    summary: 'Prove once more who one is, with a passkey.',
    body: closed({ response: webAuthnJson }, { description: 'What the browser answered.' }),
    response: SignInState,
  }),
  listSessions: consoleOperation({
    method: 'GET',
    path: '/console/api/sessions',
    access: 'SESSION',
    sensitive: false,
    summary: "List one's own sessions.",
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
    summary: "End all of one's own sessions, this one included.",
    response: Done,
  }),
} as const
