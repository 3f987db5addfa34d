import type { Static } from 'typebox'
import { collection, contains, exact, window } from '../api/collection.ts'
import { closed, email, flag, id, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

const provider = (method: string) =>
  nullable(
    text(`Identity provider of the last ${method} login; null if there was none.`, 'GOOGLE_WORKSPACE', 64, 1),
  )
const lastLogin = (method: string) =>
  nullable(timestamp(`Time when the last ${method} login was seen; UNIX seconds.`))

/** Login methods of an account. A method that was never observed is false or null. */
export const LoginMethods = closed(
  {
    passwordLogin: flag('True if a login by password was seen.'),
    lastPasswordLoginTimestamp: lastLogin('password'),
    oidcLogin: provider('OpenID Connect'),
    lastOidcLoginTimestamp: lastLogin('OpenID Connect'),
    samlLogin: provider('SAML'),
    lastSamlLoginTimestamp: lastLogin('SAML'),
    oktaSwaLogin: flag('True if a login by Okta Secure Web Authentication was seen.', false),
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
    employeeId: id('ID of the primary employee of the account, who used it first.'),
    appType: text('App type in the catalog.', 'ZAPIER', 64, 1),
    appId: id('ID of the app of the account.'),
    email: email('The e-mail address or user name of the account.'),
    mfaRegistered: nullable(flag('True if a second factor is registered; null if unknown.')),
    mfaMethods: nullable(
      listOf(
        oneOf(mfaMethods, 'A kind of second factor.', 'APP_TOTP'),
        'The observed second factors; null if unknown.',
        ['APP_TOTP'],
        mfaMethods.length,
      ),
    ),
    passwordId: nullable(
      id('ID of the password: accounts with the same ID share it. Null without a password login.'),
    ),
    loginMethods: LoginMethods,
    creationTimestamp: timestamp('Time when the account was first seen; UNIX seconds.'),
    lastUsedTimestamp: nullable(timestamp('Time when the account was last used; UNIX seconds.')),
  },
  { $id: 'Account', description: 'An account of an employee in a catalog app.' },
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
    lastUsedTimestamp: nullable(
      timestamp('Time when the account was last used by the employee; UNIX seconds.'),
    ),
    passwordManuallyTyped: nullable(
      flag(
        'True if the password of the last login was typed by hand, false if it came from a password manager; null if password authentication is not used.',
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
      'Removes the account, its use by employees and its findings, and returns the removed record. A later login creates a new account with a new ID.',
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
      'Deletes the method. `USERNAME_PASSWORD` also clears `passwordId` and resolves the password findings of the account. 404 if the account does not have the method.',
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
