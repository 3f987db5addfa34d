import { type Employee, employees, groupsMaximum } from '@muster/contract/records/employee'
import { auditEmployeeChanges } from '../../kernel/actions/audit-record-changes.ts'
import { getRecord, insertRecord, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { changeAddress } from '../employees/change-address.ts'
import { claimAddress, employeeOfAddress } from '../employees/employee-addresses.service.ts'
import { newEmployee } from '../employees/employees.rules.ts'
import { byOf, saveEmployee } from '../employees/save-employee.ts'
import { offboardEmployee } from '../offboarding/offboard.ts'
import { directoryFieldNames, directoryFields, employeeAddress } from './directory-employee.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import { changeOf, type ScimCall } from './scim-call.ts'
import { groupsOfUsers, type UserProblem, type UserRow } from './scim-rows.store.ts'

/** Result of the update of a user's employee. */
export interface EmployeeSync {
  readonly employeeId: string | null
  readonly problem: UserProblem | null
  /** True if the employee changed, which its own audit events tell. */
  readonly changed: boolean
}

/**
 * Updates the employee of a user: finds it by the address or adds it, sets the members that the directory gives, assigns the
 * license of a user who becomes active, and offboards one who becomes inactive.
 *
 * A user without an address, or whose address belongs to another person, is kept without an employee until its address
 * changes.
 *
 * @param before the user before the change; undefined for a new one
 */
export async function syncEmployee(
  tx: Tx,
  call: ScimCall,
  before: UserRow | undefined,
  user: UserRow,
): Promise<EmployeeSync> {
  const address = employeeAddress(user.values)
  if (user.employeeId !== null) {
    const stored = await getRecord(tx, employees, call.org, user.employeeId)
    if (stored) return updateEmployee(tx, call, before, user, stored, address)
  }
  if (address === null) return { employeeId: null, problem: 'NO_ADDRESS', changed: false }
  const owner = await ownerOf(tx, call.org, address)
  if (!owner) return addEmployee(tx, call, user, address)
  if (await isLinked(tx, call.org, owner.id))
    return { employeeId: null, problem: 'ADDRESS_TAKEN', changed: false }
  return updateEmployee(tx, call, undefined, user, owner, address)
}

/** Returns the person with an address: the employee itself, or the one that it was merged into. */
async function ownerOf(tx: Tx, org: number, address: string): Promise<Stored<Employee> | undefined> {
  const id = await employeeOfAddress(tx, org, address)
  let stored = id === undefined ? undefined : await getRecord(tx, employees, org, id)
  while (stored && stored.record.mergedIntoId !== null) {
    const primary = await getRecord(tx, employees, org, stored.record.mergedIntoId)
    if (!primary) break
    stored = primary
  }
  return stored
}

const isLinked = async (tx: Tx, org: number, employeeId: string): Promise<boolean> =>
  (await tx.get('SELECT 1 AS found FROM scim_users WHERE org = ? AND employee_id = ?', [org, employeeId])) !==
  undefined

async function addEmployee(tx: Tx, call: ScimCall, user: UserRow, address: string): Promise<EmployeeSync> {
  const { org } = call
  const by = changeOf(call)
  const record = newEmployee(
    user.id,
    {
      email: address,
      ...directoryFields(user.values),
      licensed: user.active && call.assignsLicenses,
      groups: await groupNamesOf(tx, org, user.id),
    },
    by.nowSeconds,
  )
  requireGroupLimit(address, record.groups)
  // Another process may have added an employee with this address just now.
  if (!(await claimAddress(tx, org, address, record.id)))
    return { employeeId: null, problem: 'ADDRESS_TAKEN', changed: false }
  await insertRecord(tx, employees, org, { id: record.id, record, createdAtSeconds: by.nowSeconds })
  await auditEmployeeChanges(tx, org, byOf(by), [{ before: null, after: record }])
  return { employeeId: record.id, problem: null, changed: true }
}

/** @throws ScimError invalidValue if an employee would be in too many groups */
function requireGroupLimit(email: string, groups: readonly string[]): void {
  if (groups.length > groupsMaximum)
    throw badRequest('invalidValue', `${email} would be in more than ${groupsMaximum} groups.`)
}

const groupNamesOf = async (tx: Tx, org: number, userId: string): Promise<string[]> =>
  (await groupsOfUsers(tx, org, [userId])).map(({ groupName }) => groupName)

async function updateEmployee(
  tx: Tx,
  call: ScimCall,
  before: UserRow | undefined,
  user: UserRow,
  stored: Stored<Employee>,
  address: string | null,
): Promise<EmployeeSync> {
  const by = changeOf(call)
  const isNew = before?.employeeId !== stored.id
  const { record } = stored
  const isPrimary = record.mergedIntoId === null
  const next: { -readonly [M in keyof Employee]: Employee[M] } = withDirectoryFields(record, before, user)
  let problem: UserProblem | null = null
  if (address !== null && address !== record.email) {
    const owner = await ownerOf(tx, call.org, address)
    if (!owner || (await employeeOfAddress(tx, call.org, address)) === stored.id) next.email = address
    else if (owner.id !== (record.mergedIntoId ?? stored.id)) problem = 'ADDRESS_TAKEN'
  }
  const isActivated = user.active && (isNew || before?.active === false)
  if (isActivated && isPrimary && call.assignsLicenses) next.licensed = true
  if (isNew) next.groups = [...new Set([...record.groups, ...(await groupNamesOf(tx, call.org, user.id))])]
  requireGroupLimit(next.email, next.groups)
  const changed = JSON.stringify(next) !== JSON.stringify(record)
  if (changed) {
    await changeAddress(tx, by, record, next)
    await saveEmployee(tx, by, stored, next)
  }
  const isLeaving = !user.active && isPrimary && (isNew || before?.active === true)
  if (!isLeaving) return { employeeId: stored.id, problem, changed }
  const isOffboarded = await offboard(tx, call, stored.id)
  return { employeeId: stored.id, problem, changed: changed || isOffboarded }
}

/** Offboards an employee. @returns true if that changed anything */
async function offboard(tx: Tx, call: ScimCall, employeeId: string): Promise<boolean> {
  const result = await offboardEmployee(tx, changeOf(call), employeeId)
  return result.licenseRemoved || result.browsersRevoked > 0 || result.enrollmentLinksRevoked > 0
}

/** A member that the directory gives is set. One that it gave before and gives no longer is cleared. */
function withDirectoryFields(record: Employee, before: UserRow | undefined, user: UserRow): Employee {
  const next = { ...record }
  const given = directoryFields(user.values)
  const given0 = before && directoryFields(before.values)
  for (const name of directoryFieldNames)
    if (given[name] !== null || (given0 && given0[name] !== null)) next[name] = given[name]
  return next
}

/**
 * Changes the groups of employees. Repeated changes have no effect.
 *
 * @returns the number of employees that changed
 * @throws ScimError invalidValue if an employee would be in too many groups
 */
export async function changeGroups(
  tx: Tx,
  call: ScimCall,
  employeeIds: readonly string[],
  change: { readonly added?: string; readonly removed?: readonly string[] },
): Promise<number> {
  const { added, removed = [] } = change
  let changed = 0
  for (const id of employeeIds) {
    const stored = await getRecord(tx, employees, call.org, id)
    if (!stored) continue
    const { record } = stored
    const kept = record.groups.filter((group) => !removed.includes(group))
    const groups = added === undefined || kept.includes(added) ? kept : [...kept, added]
    if (groups.length === record.groups.length && groups.every((group, at) => group === record.groups[at]))
      continue
    requireGroupLimit(record.email, groups)
    await saveEmployee(tx, changeOf(call), stored, { ...record, groups })
    changed += 1
  }
  return changed
}

/** Removes an employee from the directory: from its groups, and offboards them. The record and all that is known stays. */
export async function releaseEmployee(tx: Tx, call: ScimCall, user: UserRow): Promise<boolean> {
  if (user.employeeId === null) return false
  const stored = await getRecord(tx, employees, call.org, user.employeeId)
  if (!stored) return false
  const names = new Set(await groupNamesOf(tx, call.org, user.id))
  const groups = stored.record.groups.filter((group) => !names.has(group))
  const isChanged = groups.length < stored.record.groups.length
  if (isChanged) await saveEmployee(tx, changeOf(call), stored, { ...stored.record, groups })
  if (stored.record.mergedIntoId !== null) return isChanged
  return (await offboard(tx, call, stored.id)) || isChanged
}
