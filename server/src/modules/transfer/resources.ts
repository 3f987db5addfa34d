import { AccountUser } from '@muster/contract/account'
import { type CollectionName, collections } from '@muster/contract/api'
import { closed, id } from '@muster/contract/fields'
import type { JsonSchema } from '@muster/contract/json-schema'
import type { TObject } from 'typebox'

/** The names of all resources, each after those that its records refer to. */
export const resourceNames = Object.keys(collections) as readonly CollectionName[]

export const isResource = (name: unknown): name is CollectionName =>
  typeof name === 'string' && Object.hasOwn(collections, name)

/** A user of an account, as files hold it: the record of the API with the account that its path names. */
export const AccountUserLine = closed(
  { accountId: id('The account that is used.'), ...AccountUser.properties },
  { description: 'An employee who uses an account.' },
)

/** The schema of a line of a resource's file: the record as the API shows it. */
export const lineSchema = (name: CollectionName): TObject =>
  name === 'usedBy' ? AccountUserLine : collections[name].record

/** A member of a record that names a record of another collection. */
export interface Reference {
  readonly member: string
  readonly target: CollectionName
}

/** Which members refer to what, in one place. */
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

/** The members of a schema, in the order in which records show them. */
export const membersOf = (schema: JsonSchema): readonly [string, JsonSchema][] =>
  Object.entries(schema.properties ?? {})
