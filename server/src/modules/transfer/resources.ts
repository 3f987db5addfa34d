import { type CollectionName, collections } from '@muster/contract/api/api'
import { closed, id } from '@muster/contract/api/fields'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import { AccountUser } from '@muster/contract/records/account'
import type { TObject } from 'typebox'

/** Names of all resources, each after those that its records refer to. */
export const resourceNames = Object.keys(collections) as readonly CollectionName[]

export const isResource = (name: unknown): name is CollectionName =>
  typeof name === 'string' && Object.hasOwn(collections, name)

/** User of an account in a file: the record of the API, plus the account from its path. */
const AccountUserLine = closed(
  { accountId: id('The account that is used.'), ...AccountUser.properties },
  { description: 'An employee who uses an account.' },
)

/** Returns the schema of a line in a resource's file. */
export const lineSchema = (name: CollectionName): TObject =>
  name === 'usedBy' ? AccountUserLine : collections[name].record

/** Member with the ID of a record in another collection. */
export interface Reference {
  readonly member: string
  readonly target: CollectionName
}

/** References of each resource. */
export const references: Readonly<Record<CollectionName, readonly Reference[]>> = {
  employees: [{ member: 'mergedIntoId', target: 'employees' }],
  apps: [{ member: 'ownerId', target: 'employees' }],
  appsOther: [],
  accounts: [
    { member: 'employeeId', target: 'employees' },
    { member: 'appId', target: 'apps' },
  ],
  usedBy: [
    { member: 'accountId', target: 'accounts' },
    { member: 'employeeId', target: 'employees' },
  ],
  accountsOther: [
    { member: 'employeeId', target: 'employees' },
    { member: 'otherAppId', target: 'appsOther' },
  ],
  browsers: [{ member: 'employeeId', target: 'employees' }],
  browserExtensions: [
    { member: 'employeeId', target: 'employees' },
    { member: 'browserId', target: 'browsers' },
  ],
  detections: [
    { member: 'employeeId', target: 'employees' },
    { member: 'browserId', target: 'browsers' },
    { member: 'appId', target: 'apps' },
  ],
  findings: [
    { member: 'employeeId', target: 'employees' },
    { member: 'accountId', target: 'accounts' },
    { member: 'appId', target: 'apps' },
  ],
  blockedUrls: [],
}

/** Returns the members of a schema in their order. */
export const membersOf = (schema: JsonSchema): readonly [string, JsonSchema][] =>
  Object.entries(schema.properties ?? {})
