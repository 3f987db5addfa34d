import type { Static } from 'typebox'
import { collection, contains, exact, window } from '../api/collection.ts'
import { closed, email, id, nullable, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { LoginMethods } from './account.ts'

export const AccountOther = closed(
  {
    id: id('Unique identifier of the account.'),
    employeeId: id('ID of the primary employee of the account, who used it first.'),
    otherAppId: id('ID of the app (other) of the account.'),
    email: email('The e-mail address or user name of the account.'),
    loginMethods: LoginMethods,
    creationTimestamp: timestamp('Time when the account was first seen; UNIX seconds.'),
    lastUsedTimestamp: nullable(timestamp('Time when the account was last used; UNIX seconds.')),
  },
  { $id: 'AccountOther', description: 'An account of an employee in an app outside the catalog.' },
)
export type AccountOther = Static<typeof AccountOther>

export const accountsOther = collection({
  name: 'accountsOther',
  record: AccountOther,
  filters: {
    email: contains('email'),
    employeeId: exact('employeeId'),
    otherAppId: exact('otherAppId'),
    ...window('lastUsedTimestamp'),
    ...window('creationTimestamp'),
  },
})

export const accountOtherOperations = {
  listAccountsOther: operation({
    kind: 'list',
    collection: accountsOther,
    path: '/v1/accountsOther',
    summary: 'List accounts (other)',
  }),
  getAccountOther: operation({
    kind: 'get',
    collection: accountsOther,
    path: '/v1/accountsOther/:id',
    summary: 'Retrieve an account (other)',
  }),
}
