import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import type { InternalColumns } from '../../server/src/kernel/store/records.ts'
import { recordsOf } from './answers.ts'
import {
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anAccountOther,
  anEmployee,
  asShownInDetection,
  put,
} from './fixtures.ts'
import type { Caller, Harness, JsonValue } from './harness.ts'

/** Lists whose records name an employee. */
const listsOfEmployees = [
  'accounts',
  'accountsOther',
  'browsers',
  'browserExtensions',
  'findings',
  'detections',
] as const

/** Stores one record in each of the lists, as observed of an employee. */
export async function putObservedOf(
  h: Harness,
  org: number,
  employee: Employee,
  internal: InternalColumns = {},
): Promise<void> {
  const of = { employeeId: employee.id }
  await put(h, org, accounts, [anAccount(of)], internal)
  await put(h, org, accountsOther, [anAccountOther(of)], internal)
  await put(h, org, browsers, [aBrowser({ ...of, email: employee.email })], internal)
  await put(h, org, browserExtensions, [aBrowserExtension(of)], internal)
  await put(h, org, findings, [aFinding(of)], internal)
  const detection = aDetection({ ...of, employee: asShownInDetection(employee) })
  await put(h, org, detections, [detection], internal)
}

/** Stores employees with these names in this order, each with a record in each list. */
export async function putPeople<N extends string>(
  h: Harness,
  org: number,
  ...names: N[]
): Promise<Record<N, Employee>> {
  const people = names.map((name) => [name, anEmployee({ email: `${name}@example.com` })] as const)
  const stored = people.map(([, employee]) => employee)
  await put(h, org, employees, stored)
  for (const employee of stored) await putObservedOf(h, org, employee)
  return Object.fromEntries(people) as Record<N, Employee>
}

/** Returns all records that name an employee, by list. */
export async function shownOf(
  h: Harness,
  caller: Caller,
  employeeId: string,
): Promise<Record<string, JsonValue[]>> {
  const shown: Record<string, JsonValue[]> = {}
  for (const list of listsOfEmployees)
    shown[list] = recordsOf(await h.call(caller, 'GET', `/v1/${list}?employeeId=${employeeId}`))
  return shown
}

/** Returns the number of records in each list of {@link shownOf}. */
export const counts = (shown: Record<string, JsonValue[]>): number[] =>
  listsOfEmployees.map((list) => shown[list]?.length ?? 0)
