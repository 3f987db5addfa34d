import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { groupName } from './directory-employee.rules.ts'
import { changeGroups } from './directory-employee.service.ts'
import { type MemberFacts, memberChange, readMembers } from './group-members.rules.ts'
import { applyPatch } from './protocol/patch.rules.ts'
import { readPatch } from './protocol/patch-steps.rules.ts'
import { groupType } from './protocol/resource-types.rules.ts'
import { isObject, memberNamed, readResource } from './protocol/resource-values.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import type { Values } from './protocol/scim-schema.rules.ts'
import {
  addedResource,
  auditDirectory,
  changedResource,
  nameInUse,
  removedResource,
  requireCurrent,
  type ScimCall,
} from './scim-call.ts'
import { memberFacts } from './scim-render.ts'
import {
  deleteGroup,
  deleteMembers,
  employeesOfUsers,
  findGroup,
  type GroupRow,
  insertGroup,
  insertMembers,
  memberIds,
  membersAfter,
  membersAmong,
  touchUsers,
  updateGroup,
} from './scim-rows.store.ts'
import { inScimTransaction } from './scim-users.service.ts'

/** Members that are changed in one transaction. Changes of more take several, so other writers do not wait long. */
const membersPerTransaction = 500

/** A change of a group, compared to its stored state. */
interface GroupPlan {
  readonly name: string
  readonly externalId: string | null
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const externalIdOf = ({ externalId }: Values): string | null =>
  typeof externalId === 'string' ? externalId : null

async function requireFreeGroupName(tx: Tx, org: number, name: string, id?: string): Promise<void> {
  const sql = 'SELECT id FROM scim_groups WHERE org = ? AND name_key = ?'
  const other = await tx.get<{ id: string }>(sql, [org, foldCase(name)])
  if (other && other.id !== id) throw nameInUse('displayName', name)
}

/** Requires that all new members are users. */
async function requireUsers(reader: Reader, org: number, ids: readonly string[]): Promise<void> {
  const known = new Set((await employeesOfUsers(reader, org, ids)).map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw badRequest('invalidValue', `There is no user ${JSON.stringify(unknown.slice(0, 128))}.`)
}

/** Adds a group with its members. */
export async function createGroup(db: Db, call: ScimCall, body: unknown): Promise<GroupRow> {
  const values = readResource(groupType, body, ['members'])
  const members = readMembers(isObject(body) ? memberNamed(body, 'members') : undefined)
  const group: GroupRow = {
    id: call.makeId(),
    name: groupName(values.displayName),
    externalId: externalIdOf(values),
    version: 1,
    createdMs: call.nowMs,
    modifiedMs: call.nowMs,
  }
  const [first = [], ...rest] = chunksOf(members)
  await inScimTransaction(db, async (tx) => {
    await requireFreeGroupName(tx, call.org, group.name)
    await requireUsers(tx, call.org, members)
    await insertGroup(tx, call.org, group)
    await addMembers(tx, call, group, first)
    await auditDirectory(tx, call, addedResource('group', group.id))
  })
  for (const chunk of rest) await inScimTransaction(db, (tx) => addMembers(tx, call, group, chunk))
  return group
}

/** Replaces name and members of a group. */
export const replaceGroup = (db: Db, call: ScimCall, id: string, body: unknown): Promise<GroupRow> => {
  const values = readResource(groupType, body, ['members'])
  const name = groupName(values.displayName)
  const members = readMembers(isObject(body) ? memberNamed(body, 'members') : undefined)
  return changeGroup(db, call, id, async (tx) => ({
    name,
    externalId: externalIdOf(values),
    ...(await replacedMembers(tx, call.org, id, new Set(members))),
  }))
}

async function replacedMembers(tx: Tx, org: number, groupId: string, wanted: ReadonlySet<string>) {
  const known = new Set(await memberIds(tx, org, groupId))
  return {
    added: [...wanted].filter((id) => !known.has(id)),
    removed: [...known].filter((id) => !wanted.has(id)),
  }
}

export const patchGroup = (db: Db, call: ScimCall, id: string, body: unknown): Promise<GroupRow> => {
  const steps = readPatch(groupType, body)
  const isOfMembers = (step: (typeof steps)[number]) => step.path.target.attribute.name === 'members'
  return changeGroup(db, call, id, async (tx, group) => {
    const { org } = call
    const before: Values = {
      displayName: group.name,
      ...(group.externalId === null ? {} : { externalId: group.externalId }),
    }
    const values = applyPatch(
      groupType,
      before,
      steps.filter((step) => !isOfMembers(step)),
    )
    const { cleared, added, removed } = await memberChange(steps.filter(isOfMembers), {
      isMember: async (userId) => (await membersAmong(tx, org, id, [userId])).has(userId),
      allMembers: () => allMembers(tx, org, id),
    })
    const known = cleared ? new Set<string>() : await membersAmong(tx, org, id, [...added, ...removed])
    const members = cleared
      ? await replacedMembers(tx, org, id, added)
      : {
          added: [...added].filter((one) => !known.has(one)),
          removed: [...removed].filter((one) => known.has(one)),
        }
    return { name: groupName(values.displayName), externalId: externalIdOf(values), ...members }
  })
}

const membersPerRead = 1000

/**
 * Reads all members of a group, in parts.
 *
 * @param inTurn runs the reads after the first one, of which only large groups need more
 */
export async function allMembers(
  reader: Reader,
  org: number,
  groupId: string,
  inTurn: (read: () => Promise<MemberFacts[]>) => Promise<MemberFacts[]> = (read) => read(),
): Promise<MemberFacts[]> {
  const found: MemberFacts[] = []
  const read = async (): Promise<boolean> => {
    const rows = await membersAfter(reader, org, groupId, found.at(-1)?.value ?? '', membersPerRead)
    for (const row of rows) found.push(memberFacts(row))
    return rows.length === membersPerRead
  }
  if (!(await read())) return found
  return inTurn(async () => {
    while (await read());
    return found
  })
}

/**
 * Changes a group. A large change takes several transactions, the group itself being changed in the last one: after a crash,
 * a repeated request completes it.
 */
async function changeGroup(
  db: Db,
  call: ScimCall,
  id: string,
  planOf: (tx: Tx, group: GroupRow) => Promise<GroupPlan>,
): Promise<GroupRow> {
  const { org } = call
  const { before, plan, after } = await inScimTransaction(db, async (tx) => {
    const before = requireCurrent(call, id, await findGroup(tx, org, id))
    const plan = await planOf(tx, before)
    await requireFreeGroupName(tx, org, plan.name, id)
    await requireUsers(tx, org, plan.added)
    const isRenamed = plan.name !== before.name
    const size = plan.added.length + plan.removed.length + (isRenamed ? await memberCount(tx, org, id) : 0)
    if (size > membersPerTransaction) return { before, plan, after: undefined }
    let changed = isRenamed
      ? await renameMembers(tx, call, before, plan.name, await memberIds(tx, org, id))
      : 0
    changed += await applyMembers(tx, call, before, plan)
    return { before, plan, after: await finishGroup(tx, call, before, plan, changed) }
  })
  if (after) return after
  let changed = 0
  if (plan.name !== before.name)
    for (const chunk of chunksOf(await memberIds(db, org, id)))
      changed += await inScimTransaction(db, (tx) => renameMembers(tx, call, before, plan.name, chunk))
  for (const part of chunksOf(plan.removed))
    changed += await inScimTransaction(db, (tx) =>
      applyMembers(tx, call, before, { ...plan, added: [], removed: part }),
    )
  for (const part of chunksOf(plan.added))
    changed += await inScimTransaction(db, (tx) =>
      applyMembers(tx, call, before, { ...plan, added: part, removed: [] }),
    )
  return inScimTransaction(db, async (tx) => {
    const current = requireCurrent({ ...call, ifMatch: undefined }, id, await findGroup(tx, org, id))
    return finishGroup(tx, call, current, plan, changed)
  })
}

async function memberCount(tx: Tx, org: number, id: string): Promise<number> {
  const sql = 'SELECT count(*) AS count FROM scim_members WHERE org = ? AND group_id = ?'
  return Number((await tx.get<{ count: number }>(sql, [org, id]))?.count ?? 0)
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / membersPerTransaction) }, (_, at) =>
    ids.slice(at * membersPerTransaction, (at + 1) * membersPerTransaction),
  )

/** Saves the group if anything changed. @param changed number of employees that changed, of which events tell */
async function finishGroup(
  tx: Tx,
  call: ScimCall,
  before: GroupRow,
  { name, externalId, added, removed }: GroupPlan,
  changed: number,
): Promise<GroupRow> {
  const hasMembers = added.length + removed.length > 0
  const names = [
    ...(name === before.name ? [] : ['displayName']),
    ...(externalId === before.externalId ? [] : ['externalId']),
    ...(hasMembers ? ['members'] : []),
  ]
  if (names.length === 0) return before
  const after = {
    ...before,
    name,
    externalId,
    version: before.version + 1,
    modifiedMs: Math.max(call.nowMs, before.modifiedMs + 1),
  }
  await updateGroup(tx, call.org, after)
  if (changed === 0 || names.some((one) => one !== 'members'))
    await auditDirectory(tx, call, changedResource('group', before.id, names))
  return after
}

const linkedEmployees = async (tx: Tx, org: number, userIds: readonly string[]): Promise<string[]> =>
  (await employeesOfUsers(tx, org, userIds)).flatMap(({ employeeId }) => employeeId ?? [])

async function renameMembers(
  tx: Tx,
  call: ScimCall,
  { name }: GroupRow,
  added: string,
  ids: readonly string[],
): Promise<number> {
  await touchUsers(tx, call.org, ids, call.nowMs)
  return changeGroups(tx, call, await linkedEmployees(tx, call.org, ids), { added, removed: [name] })
}

async function addMembers(
  tx: Tx,
  call: ScimCall,
  { id, name }: GroupRow,
  ids: readonly string[],
): Promise<number> {
  await insertMembers(tx, call.org, id, ids)
  await touchUsers(tx, call.org, ids, call.nowMs)
  return changeGroups(tx, call, await linkedEmployees(tx, call.org, ids), { added: name })
}

async function applyMembers(tx: Tx, call: ScimCall, group: GroupRow, plan: GroupPlan): Promise<number> {
  const { added, removed, name } = plan
  await deleteMembers(tx, call.org, group.id, removed)
  await touchUsers(tx, call.org, removed, call.nowMs)
  const employees = await linkedEmployees(tx, call.org, removed)
  const changed = await changeGroups(tx, call, employees, { removed: [group.name, name] })
  return changed + (await addMembers(tx, call, { ...group, name }, added))
}

/** Removes a group, and its name from the employees in it. */
export async function removeGroup(db: Db, call: ScimCall, id: string): Promise<void> {
  const { org } = call
  const group = await inScimTransaction(db, async (tx) =>
    requireCurrent(call, id, await findGroup(tx, org, id)),
  )
  const empty = { name: group.name, externalId: group.externalId, added: [] }
  const [, ...others] = chunksOf(await memberIds(db, org, id))
  for (const removed of others)
    await inScimTransaction(db, (tx) => applyMembers(tx, call, group, { ...empty, removed }))
  await inScimTransaction(db, async (tx) => {
    const current = requireCurrent({ ...call, ifMatch: undefined }, id, await findGroup(tx, org, id))
    await applyMembers(tx, call, current, { ...empty, removed: await memberIds(tx, org, id) })
    await deleteGroup(tx, org, id)
    await auditDirectory(tx, call, removedResource('group', id))
  })
}
