import { type Static, Type } from 'typebox'
import { closed, count, flag, id, listOf, nullable, text, timestamp, typedName } from '../fields.ts'
import { Done, givenPassword, newPassword, totpCode, webAuthnJson } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

const Passkey = closed(
  {
    id: id('The id of the passkey.'),
    name: text('What it is called.', 'Laptop', 64),
    creationTimestamp: timestamp('When it was added.'),
    lastUsedTimestamp: nullable(timestamp('When it was last used.')),
  },
  { description: 'A passkey.' },
)

/** How an administrator signs in. */
export const SignInMethods = closed(
  {
    password: flag('Whether there is a password.'),
    totp: flag('Whether an authenticator app is set up.'),
    passkeys: listOf(Passkey, 'The passkeys.', [], 20),
    recoveryCodesLeft: count('How many recovery codes have not been used.', 10),
  },
  { $id: 'SignInMethods', description: 'How an administrator signs in.' },
)
export type SignInMethods = Static<typeof SignInMethods>

const recoveryCodes = nullable(
  listOf(
    text('A recovery code.', 'abcd-efgh-jkmn-pqrs', 32),
    'New recovery codes, shown this once; null if there are some already.',
    ['abcd-efgh-jkmn-pqrs'],
    10,
  ),
)

const MethodAdded = closed(
  { methods: SignInMethods, recoveryCodes },
  { description: 'What there is now, and the recovery codes that came with the first second step.' },
)

/** One's own password, authenticator app, passkeys and recovery codes. */
export const signInMethodOperations = {
  readSignInMethods: consoleOperation({
    method: 'GET',
    path: '/console/api/sign-in-methods',
    access: 'SESSION',
    sensitive: false,
    summary: 'Say how one signs in.',
    response: SignInMethods,
  }),
  changePassword: consoleOperation({
    method: 'PUT',
    path: '/console/api/sign-in-methods/password',
    access: 'SESSION',
    sensitive: true,
    summary: "Change one's password; all other sessions end.",
    body: closed(
      { password: newPassword, currentPassword: Type.Optional(givenPassword) },
      { description: 'The new password, and the present one if there is one.' },
    ),
    response: Done,
  }),
  beginTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/totp/begin',
    access: 'SESSION',
    sensitive: true,
    summary: 'Get the secret for an authenticator app; it counts once a code has proved it.',
    response: closed(
      {
        secret: text('The secret, to be typed.', 'JBSWY3DPEHPK3PXP', 128),
        uri: text('The same as an otpauth address, to be shown as a QR code.', 'otpauth://totp/x', 1024),
      },
      { description: 'The secret, shown this once.' },
    ),
  }),
  confirmTotp: consoleOperation({
    method: 'POST',
    path: '/console/api/sign-in-methods/totp/confirm',
    access: 'SESSION',
    sensitive: true,
    summary: 'Prove the authenticator app with a code, and use it from now on.',
    body: closed({ code: totpCode }, { description: 'A code of the app.' }),
    response: MethodAdded,
  }),
  removeTotp: consoleOperation({
    method: 'DELETE',
    path: '/console/api/sign-in-methods/totp',
    access: 'SESSION',
    sensitive: true,
    summary: 'Stop using the authenticator app.',
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
    summary: 'Add the passkey that the browser has made.',
    body: closed(
      { name: typedName('What it is called.', 'Laptop', 64), response: webAuthnJson },
      { description: 'Its name, and what the browser answered.' },
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
    summary: 'Make new recovery codes; the old ones stop working.',
    response: MethodAdded,
  }),
} as const
