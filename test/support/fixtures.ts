import { collections } from '@muster/contract/api/api'
import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { type AccountUser, accounts, usedBy } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { type DetectionEmployee, detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { fakeClockStartMs } from '../../server/src/kernel/lib/clock.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { type InternalColumns, insertRecords } from '../../server/src/kernel/store/records.ts'
import { tableOf } from '../../server/src/kernel/store/tables.ts'
import { claimAddress } from '../../server/src/modules/employees/employee-addresses.service.ts'
import type { Harness } from './harness.ts'
import { wholeRows } from './whole-rows.ts'

/** Returns a new ID that no record has. */
export const unknownId = (): string => newId(fakeClockStartMs)

/** Creates a record: the example of the contract with its own ID and the given members. */
type Builder<C extends Collection> = (members?: Partial<RecordOf<C>>) => RecordOf<C>

function builder<C extends Collection>(
  collection: C,
  unique: (id: string) => Partial<RecordOf<C>> = () => ({}),
): Builder<C> {
  return (members = {}) => {
    const id = unknownId()
    const example = exampleOf(collection.record as JsonSchema) as object
    return { ...example, id, ...unique(id), ...members } as unknown as RecordOf<C>
  }
}

export const anAccount = builder(accounts)
export const anAccountOther = builder(accountsOther)
export const anApp = builder(apps)
export const anAppOther = builder(appsOther)
export const aBlockedUrl = builder(blockedUrls, (id) => ({ url: `${id}.example.net` }))
export const aBrowser = builder(browsers)
export const aBrowserExtension = builder(browserExtensions)
export const aDetection = builder(detections)
export const aFinding = builder(findings)
/** Unlicensed, unmerged employee without groups. */
export const anEmployee = builder(employees, (id) => ({
  email: `${id}@example.com`,
  licensed: false,
  groups: [],
  secondaryEmails: [],
  mergedIntoId: null,
}))

/** Returns an employee's use of an account. */
export const anAccountUser = (members: Partial<AccountUser> = {}): AccountUser => ({
  employeeId: unknownId(),
  lastUsedTimestamp: 1763712000,
  passwordManuallyTyped: true,
  ...members,
})

/** Returns an employee in the form that detections contain. */
export const asShownInDetection = (employee: Employee): DetectionEmployee => {
  const { id, email, firstName, lastName, department, location, licensed, chatopsEnabled } = employee
  const { creationTimestamp } = employee
  return {
    id,
    email,
    firstName,
    lastName,
    department,
    location,
    licensed,
    chatopsEnabled,
    creationTimestamp,
  }
}

/** Stores records in the given order, as if they had been observed, each with the given internal columns. */
export async function put<C extends Collection>(
  { db }: Harness,
  org: number,
  collection: C,
  records: readonly RecordOf<C>[],
  internal: InternalColumns = {},
): Promise<void> {
  const members = records as readonly Record<string, unknown>[]
  await db.inTransaction(async (tx) => {
    const rows = members.map((record) => ({
      id: String(record.id),
      record: record as RecordOf<C>,
      internal,
      hidden: typeof record.mergedIntoId === 'string',
      createdAtSeconds: Number(record.creationTimestamp),
    }))
    await insertRecords(tx, collection, org, rows)
    if (collection.name !== employees.name) return
    for (const { email, id } of members) await claimAddress(tx, org, String(email), String(id))
  })
}

/** Stores uses of an account in the given order. */
export async function storeAccountUsers(
  { db }: Harness,
  org: number,
  accountId: string,
  uses: readonly AccountUser[],
): Promise<void> {
  const rows = uses.map((record) => ({
    id: unknownId(),
    record,
    internal: {
      accountId,
      employeeId: record.employeeId,
      owner: record.employeeId,
      observedLastUsed: record.lastUsedTimestamp,
      observedTyped: record.passwordManuallyTyped === null ? null : Number(record.passwordManuallyTyped),
    },
    createdAtSeconds: 1763712000,
  }))
  await db.inTransaction((tx) => insertRecords(tx, usedBy, org, rows))
}

const furtherTables = ['employee_addresses', 'enrollment_links', 'stolen_credentials']

/** Returns all stored data of an organization, to check that nothing else has changed. */
export async function stateOf({ db }: Harness, org: number): Promise<string[]> {
  const tables = Object.values(collections).flatMap((collection) => {
    const { name, sides } = tableOf(collection)
    return [name, ...sides.map(({ table }) => table)]
  })
  const rows: string[] = []
  for (const table of [...tables, ...furtherTables]) {
    const found = await wholeRows(db, table, org)
    rows.push(...found.map((row) => `${table} ${JSON.stringify(row)}`))
  }
  return rows.sort()
}
