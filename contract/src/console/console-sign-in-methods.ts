import { type Static, Type } from 'typebox'
import { closed, count, flag, id, listOf, nullable, text, timestamp, typedName } from '../api/fields.ts'
import { Done, givenPassword, newPassword, totpCode, webAuthnJson } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

const Passkey = closed(
  {
    id: id('ID of the passkey.'),
    name: text('Name of the passkey.', 'Laptop', 64),
    creationTimestamp: timestamp('Time when it was added.'),
    lastUsedTimestamp: nullable(timestamp('Time when it was last used.')),
  },
  { description: 'A passkey.' },
)

/** Sign-in methods of an administrator. */
export const SignInMethods = closed(
  {
    password: flag('True if there is a password.'),
    totp: flag('True if an authenticator app is set up.'),
    passkeys: listOf(Passkey, 'The passkeys.', [], 20),
    recoveryCodesLeft: count('Number of unused recovery codes.', 10),
  },
  { $id: 'SignInMethods', description: 'Sign-in methods of an administrator.' },
)
export type SignInMethods = Static<typeof SignInMethods>

const recoveryCodes = nullable(
  listOf(
    text('A recovery code.', 'abcd-efgh-jkmn-pqrs', 32),
    'New recovery codes, shown once; null if some exist already.',
    ['abcd-efgh-jkmn-pqrs'],
    10,
  ),
)

const MethodAdded = closed(
  { methods: SignInMethods, recoveryCodes },
  { description: 'The sign-in methods, and recovery codes after the first second factor was added.' },
)

/** Operations on the administrator's password, authenticator app, passkeys and recovery codes. */
export const signInMethodOperations = {
  readSignInMethods: consoleOperation({
    method: 'GET',
    path: '/console/api/sign-in-methods',
    access: 'SESSION',
    sensitive: false,
    summary: 'Read the sign-in methods of the administrator.',
    response: SignInMethods,
  }),
  changePassword: consoleOperation({
    method: 'PUT',
    path: '/console/api/sign-in-methods/password',
    access: 'SESSION',
    sensitive: true,
    summary: 'Change the password. All other sessions end.',
    body: closed(
      { password: newPassword, currentPassword: Type.Optional(givenPassword) },
      { description: 'The new password, and the current one if there is one.' },
    ),
    response: Done,
  }),
  beginTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/totp/begin',
    access: 'SESSION',
    sensitive: true,
    summary: 'Get a secret for an authenticator app. It becomes active when confirmed with a code.',
    response: closed(
      {
        secret: text('The secret for manual entry.', 'JBSWY3DPEHPK3PXP', 128),
        uri: text('The otpauth URI for a QR code.', 'otpauth://totp/x', 1024),
      },
      { description: 'The secret, shown once.' },
    ),
  }),
  confirmTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/totp/confirm',
    access: 'SESSION',
    sensitive: true,
    summary: 'Confirm the authenticator app with a code, and activate it.',
    body: closed({ code: totpCode }, { description: 'A code of the app.' }),
    response: MethodAdded,
  }),
  removeTotp: consoleOperation({
    method: 'DELETE',
    path: '/console/api/sign-in-methods/totp',
    access: 'SESSION',
    sensitive: true,
    summary: 'Remove the authenticator app.',
    response: SignInMethods,
  }),
  beginPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/passkeys/options',
    access: 'SESSION',
    sensitive: true,
    summary: 'Begin to add a passkey.',
    response: webAuthnJson,
  }),
  addPasskey: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/passkeys',
    access: 'SESSION',
    sensitive: true,
    summary: 'Add the passkey created by the browser.',
    body: closed(
      { name: typedName('Name of the passkey.', 'Laptop', 64), response: webAuthnJson },
      { description: 'Its name and the response of the browser.' },
    ),
    response: MethodAdded,
  }),
  removePasskey: consoleOperation({
    method: 'DELETE',
    path: '/console/api/sign-in-methods/passkeys/:id',
    access: 'SESSION',
    sensitive: true,
    summary: 'Remove a passkey.',
    response: SignInMethods,
  }),
  renewRecoveryCodes: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/recovery-codes',
    access: 'SESSION',
    sensitive: true,
    summary: 'Create new recovery codes. The old ones stop working.',
    response: MethodAdded,
  }),
} as const
