import type { Static } from 'typebox'
import { collection, contains, exact, window } from './collection.ts'
import { closed, email, flag, id, listOf, nullable, oneOf, text, timestamp } from './fields.ts'
import { operation } from './operation.ts'

const provider = (method: string) =>
  nullable(
    text(`Identity provider of the last ${method} login; null if there was none.`, 'GOOGLE_WORKSPACE', 64, 1),
  )
const lastLogin = (method: string) =>
  nullable(timestamp(`When the last ${method} login was seen; UNIX seconds.`))

/** How an account signs in. A method that was never seen is false or null. */
export const LoginMethods = closed(
  {
    passwordLogin: flag('Whether a login by password was seen.'),
    lastPasswordLoginTimestamp: lastLogin('password'),
    oidcLogin: provider('OpenID Connect'),
    lastOidcLoginTimestamp: lastLogin('OpenID Connect'),
    samlLogin: provider('SAML'),
    lastSamlLoginTimestamp: lastLogin('SAML'),
    oktaSwaLogin: flag('Whether a login by Okta Secure Web Authentication was seen.', false),
    lastOktaSwaLoginTimestamp: lastLogin('Okta Secure Web Authentication'),
    vendorSsoLogin: provider('vendor single sign-on'),
    lastVendorSsoLoginTimestamp: lastLogin('vendor single sign-on'),
    fedCmLogin: provider('FedCM'),
    lastFedCmLoginTimestamp: lastLogin('FedCM'),
  },
  { $id: 'LoginMethods', description: 'The login methods seen on the account, and when each was last seen.' },
)
export type LoginMethods = Static<typeof LoginMethods>

export const mfaMethods = [
  'APP_TOTP',
  'PUSH_NOTIFICATION',
  'EMAIL_OTP',
  'U2F',
  'HARDWARE_TOTP',
  'PHONE_CALL',
  'SMS_OTP',
  'APP_PASSWORD',
  'GRID_CARD',
  'EXTERNAL_PROVIDER',
  'BACKUP_CODES',
  'WEBAUTHN',
] as const

export const Account = closed(
  {
    id: id('Unique identifier of the account.'),
    employeeId: id('The primary employee of the account: the one who used it first.'),
    appType: text('The app as the catalog names it.', 'ZAPIER', 64, 1),
    appId: id('The app that the account is on.'),
    email: email('The e-mail address or user name of the account.'),
    mfaRegistered: nullable(flag('Whether a second factor is registered; null if that was never read.')),
    mfaMethods: nullable(
      listOf(
        oneOf(mfaMethods, 'A kind of second factor.', 'APP_TOTP'),
        'The second factors seen; null if that was never read.',
        ['APP_TOTP'],
        mfaMethods.length,
      ),
    ),
    passwordId: nullable(
      id('Names the password: accounts with equal ids share one. Null without a password login.'),
    ),
    loginMethods: LoginMethods,
    creationTimestamp: timestamp('When the account was first seen; UNIX seconds.'),
    lastUsedTimestamp: nullable(timestamp('When the account was last used; UNIX seconds.')),
  },
  { $id: 'Account', description: 'An account that an employee has on an app of the catalog.' },
)
export type Account = Static<typeof Account>

export const accounts = collection({
  name: 'accounts',
  record: Account,
  filters: {
    email: contains('email'),
    appType: exact('appType'),
    appId: exact('appId'),
    employeeId: exact('employeeId'),
    passwordId: exact('passwordId'),
    ...window('lastUsedTimestamp'),
    ...window('creationTimestamp'),
  },
})

export const AccountUser = closed(
  {
    employeeId: id('Identifier of an employee who has access to the account.'),
    lastUsedTimestamp: nullable(timestamp('When the account was last used by the employee; UNIX seconds.')),
    passwordManuallyTyped: nullable(
      flag(
        'Whether the password of the last login was typed by hand (true) or came from a password manager (false); null if password authentication is not used.',
      ),
    ),
  },
  { $id: 'AccountUser', description: 'An employee who uses an account.' },
)
export type AccountUser = Static<typeof AccountUser>

/** The employees of an account: a list under `/v1/accounts/{id}`, one element per employee. */
export const usedBy = collection({ name: 'usedBy', record: AccountUser, filters: {}, parent: 'accountId' })

export const removableLoginMethods = ['USERNAME_PASSWORD', 'OKTA_SWA', 'OIDC', 'SAML', 'FEDCM'] as const

const LoginMethodBody = closed(
  { loginMethod: oneOf(removableLoginMethods, 'The login method to clear.', 'USERNAME_PASSWORD') },
  { $id: 'LoginMethodBody', description: 'The login method to delete from the account.' },
)

export const accountOperations = {
  listAccounts: operation({
    kind: 'list',
    collection: accounts,
    path: '/v1/accounts',
    summary: 'List accounts',
  }),
  getAccount: operation({
    kind: 'get',
    collection: accounts,
    path: '/v1/accounts/:id',
    summary: 'Retrieve an account',
  }),
  forgetAccount: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/accounts/:id',
    summary: 'Forget an account',
    description:
      'Removes the account, its use by employees and its findings, and returns it as it was. A login seen later makes a new account with a new id.',
    tag: 'accounts',
    response: Account,
    errors: ['not_found'],
  }),
  deleteLoginMethod: operation({
    kind: 'action',
    method: 'DELETE',
    path: '/v1/accounts/:id/loginMethods',
    summary: 'Delete a login method from an account',
    description:
      'Clears the method. `USERNAME_PASSWORD` also clears `passwordId` and resolves the password findings of the account. 404 if the account does not have the method.',
    tag: 'accounts',
    body: LoginMethodBody,
    valueInQuery: 'loginMethod',
    response: Account,
    errors: ['not_found'],
  }),
  listAccountUsers: operation({
    kind: 'list',
    collection: usedBy,
    path: '/v1/accounts/:id/usedBy',
    tag: 'accounts',
    summary: 'List all employees who are using an account',
  }),
}
