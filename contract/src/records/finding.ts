import type { Static } from 'typebox'
import { collection, exact, window } from '../api/collection.ts'
import { closed, id, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { operation } from '../api/operation.ts'

export const findingTypes = [
  'MFA_NOT_REGISTERED',
  'REUSED_PASSWORD',
  'SHARED_ACCOUNT',
  'UNUSED_THIRD_PARTY_APP',
  'WEAK_PASSWORD',
  'LEAKED_PASSWORD',
  'PASSWORD_MANAGER_NOT_USED',
  'STOLEN_CREDENTIALS',
] as const
export const findingStates = ['OPEN', 'RESOLVED'] as const
export const weakPasswordReasons = ['COMMON_BASE_WORD', 'RESTRICTED_WORD', 'TOO_SHORT'] as const

export const Finding = closed(
  {
    id: id('Unique identifier of the finding.'),
    type: oneOf(findingTypes, 'Type of the finding.', 'WEAK_PASSWORD'),
    state: oneOf(findingStates, 'State of the finding. A resolved finding reopens with the same ID.', 'OPEN'),
    employeeId: nullable(id('The employee it is about; null if none.')),
    passwordId: nullable(id('The password it is about; null if none.')),
    accountId: nullable(id('The account it is about; null if none.')),
    appType: nullable(text('App type in the catalog; null if none.', 'ZAPIER', 64, 1)),
    appId: nullable(id('The app it is about; null if none.')),
    weakPasswordReasons: nullable(
      listOf(
        oneOf(weakPasswordReasons, 'Reason why a password is weak.', 'TOO_SHORT'),
        'Reasons why the password is weak; null for other types.',
        ['TOO_SHORT'],
        weakPasswordReasons.length,
      ),
    ),
    creationTimestamp: timestamp('Time when it was first found; UNIX seconds.'),
    lastUpdatedTimestamp: timestamp('Time when it was last opened or resolved; UNIX seconds.'),
  },
  { $id: 'Finding', description: 'A weakness in how an account or an employee signs in.' },
)
export type Finding = Static<typeof Finding>

export const findings = collection({
  name: 'findings',
  record: Finding,
  filters: {
    type: exact('type'),
    state: exact('state'),
    employeeId: exact('employeeId'),
    accountId: exact('accountId'),
    appType: exact('appType'),
    appId: exact('appId'),
    passwordId: exact('passwordId'),
    ...window('creationTimestamp'),
    ...window('lastUpdatedTimestamp'),
  },
})

export const findingOperations = {
  listFindings: operation({
    kind: 'list',
    collection: findings,
    path: '/v1/findings',
    summary: 'List findings',
  }),
  getFinding: operation({
    kind: 'get',
    collection: findings,
    path: '/v1/findings/:id',
    summary: 'Retrieve a finding',
  }),
}
