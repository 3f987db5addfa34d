import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { UniqueViolationError } from '../../kernel/store/sql.ts'
import { isActive } from './directory-employee.rules.ts'
import { releaseEmployee, syncEmployee } from './directory-employee.service.ts'
import { applyPatch } from './protocol/patch.rules.ts'
import { readPatch } from './protocol/patch-steps.rules.ts'
import { userType } from './protocol/resource-types.rules.ts'
import { readResource } from './protocol/resource-values.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import { coreAttributes, type Values } from './protocol/scim-schema.rules.ts'
import {
  addedResource,
  auditDirectory,
  changedResource,
  nameInUse,
  removedResource,
  requireCurrent,
  type ScimCall,
} from './scim-call.ts'
import {
  deleteUser,
  findUser,
  groupsOfUsers,
  insertUser,
  isUsedId,
  touchGroups,
  type UserRow,
  updateUser,
} from './scim-rows.store.ts'

/** Returns the attributes in the order of the schema, so equal resources have equal JSON. */
function ordered(values: Values): Values {
  const names = [
    ...coreAttributes(userType).map(({ name }) => name),
    ...userType.extensions.map(({ id }) => id),
  ]
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )
}

/** Requires a user name that is not blank and that no other user has. */
async function requireFreeName(tx: Tx, org: number, values: Values, id?: string): Promise<void> {
  const name = String(values.userName)
  if (name.trim() === '') throw badRequest('invalidValue', 'userName must not be blank.')
  const sql = 'SELECT id FROM scim_users WHERE org = ? AND user_name_key = ?'
  const other = await tx.get<{ id: string }>(sql, [org, foldCase(name)])
  if (other && other.id !== id) throw nameInUse('userName', name)
}

/** Runs a transaction. A name that another request has just taken is a conflict, too. */
export async function inScimTransaction<R>(db: Db, work: (tx: Tx) => Promise<R>): Promise<R> {
  try {
    return await db.inTransaction(work)
  } catch (error) {
    if (error instanceof UniqueViolationError && /^(?:scim_|employee_addresses)/.test(error.constraint))
      throw nameInUse('A name or address', 'of this resource')
    throw error
  }
}

/** Adds a user. Its ID is that of its employee, unless a former user had it. */
export const createUser = (db: Db, call: ScimCall, body: unknown): Promise<UserRow> => {
  const given = readResource(userType, body)
  const values = ordered({ ...given, active: isActive(given) })
  return inScimTransaction(db, async (tx) => {
    await requireFreeName(tx, call.org, values)
    const user: UserRow = {
      id: call.makeId(),
      employeeId: null,
      active: isActive(values),
      problem: null,
      values,
      version: 1,
      createdMs: call.nowMs,
      modifiedMs: call.nowMs,
    }
    const { changed, ...link } = await syncEmployee(tx, call, undefined, user)
    const { employeeId } = link
    const id = employeeId !== null && !(await isUsedId(tx, call.org, employeeId)) ? employeeId : user.id
    const created = { ...user, ...link, id }
    await insertUser(tx, call.org, created)
    if (!changed) await auditDirectory(tx, call, addedResource('user', id))
    return created
  })
}

/** Replaces the attributes of a user. `active` keeps its value if it is not given. */
export const replaceUser = (db: Db, call: ScimCall, id: string, body: unknown): Promise<UserRow> => {
  const values = readResource(userType, body)
  return inScimTransaction(db, async (tx) => {
    const before = requireCurrent(call, id, await findUser(tx, call.org, id))
    return saveUser(tx, call, before, values)
  })
}

export const patchUser = (db: Db, call: ScimCall, id: string, body: unknown): Promise<UserRow> => {
  const steps = readPatch(userType, body)
  return inScimTransaction(db, async (tx) => {
    const before = requireCurrent(call, id, await findUser(tx, call.org, id))
    return saveUser(tx, call, before, applyPatch(userType, before.values, steps))
  })
}

/** Saves a user. One that stays the same keeps its version; its employee gets the values of the directory again. */
async function saveUser(tx: Tx, call: ScimCall, before: UserRow, given: Values): Promise<UserRow> {
  const values = ordered({ ...given, active: given.active ?? before.active })
  await requireFreeName(tx, call.org, values, before.id)
  const isSame = JSON.stringify(values) === JSON.stringify(before.values)
  const user = { ...before, values, active: isActive(values) }
  const { changed, ...link } = await syncEmployee(tx, call, before, user)
  if (isSame && link.employeeId === before.employeeId && link.problem === before.problem) return before
  const after = {
    ...user,
    ...link,
    version: isSame ? before.version : before.version + 1,
    modifiedMs: isSame ? before.modifiedMs : Math.max(call.nowMs, before.modifiedMs + 1),
  }
  await updateUser(tx, call.org, before, after)
  if (!isSame && !changed)
    await auditDirectory(tx, call, changedResource('user', before.id, changedNames(before.values, values)))
  return after
}

const changedNames = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )

/** Removes a user from the directory. The employee is offboarded and kept. */
export const removeUser = (db: Db, call: ScimCall, id: string): Promise<void> =>
  inScimTransaction(db, async (tx) => {
    const user = requireCurrent(call, id, await findUser(tx, call.org, id))
    const groups = await groupsOfUsers(tx, call.org, [id])
    await releaseEmployee(tx, call, user)
    await deleteUser(tx, call.org, id)
    await touchGroups(
      tx,
      call.org,
      groups.map(({ groupId }) => groupId),
      call.nowMs,
    )
    await auditDirectory(tx, call, removedResource('user', id))
  })
