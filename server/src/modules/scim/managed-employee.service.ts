import { ApiError } from '@muster/contract/api/errors'
import { type DirectoryMember, directoryMembers } from '@muster/contract/console/directory/console-directory'
import type { Employee } from '@muster/contract/records/employee'
import type { Reader } from '../../kernel/store/sql.ts'
import { directoryFields, employeeAddress } from './directory-employee.rules.ts'
import type { Values } from './protocol/scim-schema.rules.ts'

/** Part of an employee that a directory manages. */
export interface ManagedPart {
  readonly userName: string
  readonly active: boolean
  readonly modifiedMs: number
  /** Members with a value from the directory. */
  readonly members: readonly DirectoryMember[]
  /** Names of the groups in which the directory has the user. */
  readonly groups: readonly string[]
}

interface ManagedRow {
  readonly id: string
  readonly active: number
  readonly modifiedMs: number
  readonly record: string
}

/** Returns the part of an employee that a directory manages; undefined if there is no directory. */
export async function managedPart(
  reader: Reader,
  org: number,
  employeeId: string,
): Promise<ManagedPart | undefined> {
  const row = await reader.get<ManagedRow>(
    'SELECT id, active, modified_ms AS "modifiedMs", record FROM scim_users WHERE org = ? AND employee_id = ?',
    [org, employeeId],
  )
  if (!row) return undefined
  const values = JSON.parse(row.record) as Values
  const groups = await reader.all<{ name: string }>(
    `SELECT g.name AS name FROM scim_members m JOIN scim_groups g ON g.org = m.org AND g.id = m.group_id
     WHERE m.org = ? AND m.user_id = ? ORDER BY g.name_key`,
    [org, row.id],
  )
  const given: Readonly<Record<string, unknown>> = {
    ...directoryFields(values),
    email: employeeAddress(values),
  }
  return {
    userName: String(values.userName),
    active: Number(row.active) === 1,
    modifiedMs: Number(row.modifiedMs),
    members: directoryMembers.filter((name) => given[name] !== null),
    groups: groups.map(({ name }) => name),
  }
}

/** Words for the members of an employee. */
const words: Readonly<Record<DirectoryMember, string>> = {
  email: 'email address',
  firstName: 'first name',
  lastName: 'last name',
  department: 'department',
  location: 'location',
}

/**
 * Requires that a change by a person leaves alone what a directory manages.
 *
 * @throws ApiError conflict that names the members or groups
 */
export async function requireUnmanaged(
  reader: Reader,
  org: number,
  before: Employee,
  after: Employee,
): Promise<void> {
  const refused = await refusedParts(reader, org, before, after)
  if (refused.length === 0) return
  throw new ApiError(
    'conflict',
    `The directory manages the ${refused.join(', ')} of this employee. Change it in the directory.`,
  )
}

/** Returns words for what a change of an employee would change although a directory manages it. */
export async function refusedParts(
  reader: Reader,
  org: number,
  before: Employee,
  after: Employee,
): Promise<string[]> {
  const isMember = (name: DirectoryMember) => before[name] !== after[name]
  const groups = [
    ...before.groups.filter((group) => !after.groups.includes(group)),
    ...after.groups.filter((group) => !before.groups.includes(group)),
  ]
  if (groups.length === 0 && !directoryMembers.some(isMember)) return []
  const part = await managedPart(reader, org, before.id)
  if (!part) return []
  return [
    ...part.members.filter(isMember).map((name) => words[name]),
    ...(groups.some((group) => part.groups.includes(group)) ? ['groups'] : []),
  ]
}
