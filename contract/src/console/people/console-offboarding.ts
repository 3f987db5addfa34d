import type { Static } from 'typebox'
import {
  closed,
  count,
  email,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  url,
} from '../../api/fields.ts'
import { consoleOperation } from '../console-operation.ts'

/** Maximum number of accounts that the preview lists; the CSV file lists all. */
export const accountsToCloseMaximum = 500
/** Maximum number of owned apps that the preview lists. */
export const ownedAppsMaximum = 100

export const AccountToClose = closed(
  {
    kind: oneOf(
      ['ACCOUNT', 'ACCOUNT_OTHER'] as const,
      'Kind of the record: an account in a catalog app, or in another app.',
      'ACCOUNT',
    ),
    id: id('ID of the account.'),
    app: text('Name of the app, or its domain.', 'Zapier', 256),
    email: email('The e-mail address or user name of the account.'),
    lastUsedTimestamp: nullable(timestamp('Time when the account was last used; UNIX seconds.')),
    singleSignOnOnly: flag(
      'True if only logins through an identity provider were seen: such an account usually closes with the one there.',
      false,
    ),
    otherUsers: count(
      'Number of other employees who use the account. Its password has to be changed then.',
      0,
    ),
    url: nullable(url('Web site of the app; null if unknown.', 'https://zapier.com')),
    passwordUrl: nullable(
      url('Page where the password is changed; null if unknown.', 'https://zapier.com/app/settings/security'),
    ),
  },
  { $id: 'AccountToClose', description: 'An account to close when an employee leaves.' },
)
export type AccountToClose = Static<typeof AccountToClose>

const Offboarding = closed(
  {
    licensed: flag('True if the license will be removed.'),
    browsers: count('Number of browsers that will be revoked.', 2),
    enrollmentLinks: count('Number of unused enrollment links that will stop working.', 0),
    accounts: listOf(
      AccountToClose,
      'The accounts to close: own ones, shared ones, and those in unrecognized apps; each oldest first.',
      [],
      accountsToCloseMaximum,
    ),
    moreAccounts: flag('True if there are more accounts than listed.', false),
    ownedApps: listOf(
      closed(
        { id: id('ID of the app.'), name: text('Name of the app.', 'Zapier', 256) },
        { description: 'An app.' },
      ),
      'Apps whose owner is the employee. They need another owner.',
      [],
      ownedAppsMaximum,
    ),
    administrator: flag('True if an address of the employee is that of an administrator.', false),
    apiKeys: count('Number of active API keys held by an address of the employee.', 0),
    openFindings: count(
      'Number of open findings. They stay open until the accounts are closed and deleted.',
      3,
    ),
  },
  { $id: 'Offboarding', description: 'Effects of offboarding an employee.' },
)
export type Offboarding = Static<typeof Offboarding>

const Offboarded = closed(
  {
    licenseRemoved: flag('True if the license was removed.'),
    browsersRevoked: count('Number of browsers that were revoked.', 2),
    enrollmentLinksRevoked: count('Number of enrollment links that stopped working.', 0),
  },
  { $id: 'Offboarded', description: 'Changes of an offboarding; none if it was done before.' },
)
export type Offboarded = Static<typeof Offboarded>

/** Operations for employees who leave the organization. */
export const offboardingOperations = {
  readOffboarding: consoleOperation({
    method: 'GET',
    path: '/console/api/employees/:id/offboarding',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the effects of offboarding an employee, and the accounts to close.',
    response: Offboarding,
  }),
  offboardEmployee: consoleOperation({
    method: 'POST',
    path: '/console/api/employees/:id/offboard',
    access: 'FULL_ACCESS',
    sensitive: true,
    summary: 'Offboard an employee: remove the license, and revoke browsers and unused enrollment links.',
    response: Offboarded,
  }),
} as const

/** Path of the CSV file with the accounts to close. */
export const accountsToClosePath = '/console/api/employees/:id/accounts-to-close.csv'
