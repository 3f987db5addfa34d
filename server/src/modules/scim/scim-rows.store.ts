import type { directoryProblems } from '@muster/contract/console/directory/console-directory'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import type { Values } from './protocol/scim-schema.rules.ts'

/** Reason for which no employee has the address of a user. */
export type UserProblem = (typeof directoryProblems)[number]

/** Version and times of a stored resource. */
export interface StoredMeta {
  readonly version: number
  readonly createdMs: number
  readonly modifiedMs: number
}

/** Stored user. */
export interface UserRow extends StoredMeta {
  readonly id: string
  readonly employeeId: string | null
  readonly active: boolean
  readonly problem: UserProblem | null
  /** Attributes without `id`, `meta` and `groups`. */
  readonly values: Values
}

/** Stored group, without its members. */
export interface GroupRow extends StoredMeta {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
}

const metaColumns = 't.version AS version, t.created_ms AS "createdMs", t.modified_ms AS "modifiedMs"'
/** Columns of a user, in a table `t`. */
export const userColumns = `t.id AS id, t.employee_id AS "employeeId", t.active AS active, t.problem AS problem,
  t.record AS record, ${metaColumns}`
/** Columns of a group, in a table `t`. */
export const groupColumns = `t.id AS id, t.name AS name, t.external_id AS "externalId", ${metaColumns}`

/** Row as the store returns it: numbers may be texts. */
export type RawRow = Readonly<Record<string, unknown>>

const metaOf = ({ version, createdMs, modifiedMs }: RawRow): StoredMeta => ({
  version: Number(version),
  createdMs: Number(createdMs),
  modifiedMs: Number(modifiedMs),
})

export const userRow = (row: RawRow): UserRow => ({
  id: String(row.id),
  employeeId: row.employeeId as string | null,
  active: Number(row.active) === 1,
  problem: row.problem as UserProblem | null,
  values: JSON.parse(String(row.record)) as Values,
  ...metaOf(row),
})

export const groupRow = (row: RawRow): GroupRow => ({
  id: String(row.id),
  name: String(row.name),
  externalId: row.externalId as string | null,
  ...metaOf(row),
})

/** Reads a user; in a transaction, the row is locked. */
export async function findUser(reader: Reader | Tx, org: number, id: string): Promise<UserRow | undefined> {
  const lock = 'transaction' in reader && reader.transaction ? reader.dialect.forUpdate : ''
  const sql = `SELECT ${userColumns} FROM scim_users t WHERE t.org = ? AND t.id = ?${lock}`
  const row = await reader.get<RawRow>(sql, [org, id])
  return row && userRow(row)
}

/** Reads a group; in a transaction, the row is locked. */
export async function findGroup(reader: Reader | Tx, org: number, id: string): Promise<GroupRow | undefined> {
  const lock = 'transaction' in reader && reader.transaction ? reader.dialect.forUpdate : ''
  const sql = `SELECT ${groupColumns} FROM scim_groups t WHERE t.org = ? AND t.id = ?${lock}`
  const row = await reader.get<RawRow>(sql, [org, id])
  return row && groupRow(row)
}

/** Columns of a user that are derived from its attributes, and their values. */
const userValues = ({ employeeId, active, problem, values, version, modifiedMs }: UserRow) =>
  [
    ['employee_id', employeeId],
    ['user_name_key', foldCase(String(values.userName))],
    ['display_key', typeof values.displayName === 'string' ? foldCase(values.displayName) : null],
    ['external_id', typeof values.externalId === 'string' ? values.externalId : null],
    ['active', active ? 1 : 0],
    ['problem', problem],
    ['version', version],
    ['modified_ms', modifiedMs],
    ['record', JSON.stringify(values)],
  ] as const

/** Returns the addresses of a user in lower case, without repetition. */
export function addressKeys(values: Values): string[] {
  const emails = Array.isArray(values.emails) ? (values.emails as Values[]) : []
  return [...new Set(emails.flatMap(({ value }) => (typeof value === 'string' ? [foldCase(value)] : [])))]
}

/** @throws UniqueViolationError if another user has the name */
export async function insertUser(tx: Tx, org: number, user: UserRow): Promise<void> {
  const columns = userValues(user)
  await tx.insert(
    'scim_users',
    ['org', 'id', 'created_ms', ...columns.map(([name]) => name)],
    [[org, user.id, user.createdMs, ...columns.map(([, value]) => value)]],
  )
  await insertEmails(tx, org, user.id, addressKeys(user.values))
}

/** @throws UniqueViolationError if another user has the name */
export async function updateUser(tx: Tx, org: number, before: UserRow, after: UserRow): Promise<void> {
  const columns = userValues(after)
  await tx.run(
    `UPDATE scim_users SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE org = ? AND id = ?`,
    [...columns.map(([, value]) => value), org, after.id],
  )
  const [old, now] = [addressKeys(before.values), addressKeys(after.values)]
  for (const address of old.filter((one) => !now.includes(one)))
    await tx.run('DELETE FROM scim_emails WHERE org = ? AND address = ? AND user_id = ?', [
      org,
      address,
      after.id,
    ])
  await insertEmails(
    tx,
    org,
    after.id,
    now.filter((one) => !old.includes(one)),
  )
}

async function insertEmails(tx: Tx, org: number, id: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const rows = addresses.map((address) => [org, address, id])
  await tx.insert('scim_emails', ['org', 'address', 'user_id'], rows)
}

/** Deletes a user with its addresses and memberships. Its ID is not used again. */
export async function deleteUser(tx: Tx, org: number, id: string): Promise<void> {
  for (const [table, column] of [
    ['scim_emails', 'user_id'],
    ['scim_members', 'user_id'],
    ['scim_users', 'id'],
  ])
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND ${column} = ?`, [org, id])
  await tx.insert('scim_removed_users', ['org', 'id'], [[org, id]], 'ON CONFLICT DO NOTHING')
}

/** Returns true if the ID belongs to a user or did before. */
export async function isUsedId(tx: Tx, org: number, id: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM scim_users WHERE org = ? AND id = ?
    UNION ALL SELECT 1 FROM scim_removed_users WHERE org = ? AND id = ?`
  return (await tx.get(sql, [org, id, org, id])) !== undefined
}

/** @throws UniqueViolationError if another group has the name */
export async function insertGroup(tx: Tx, org: number, group: GroupRow): Promise<void> {
  const { id, name, externalId, version, createdMs, modifiedMs } = group
  await tx.insert(
    'scim_groups',
    ['org', 'id', 'name', 'name_key', 'external_id', 'version', 'created_ms', 'modified_ms'],
    [[org, id, name, foldCase(name), externalId, version, createdMs, modifiedMs]],
  )
}

/** @throws UniqueViolationError if another group has the name */
export async function updateGroup(tx: Tx, org: number, group: GroupRow): Promise<void> {
  const { id, name, externalId, version, modifiedMs } = group
  await tx.run(
    'UPDATE scim_groups SET name = ?, name_key = ?, external_id = ?, version = ?, modified_ms = ? WHERE org = ? AND id = ?',
    [name, foldCase(name), externalId, version, modifiedMs, org, id],
  )
}

export async function deleteGroup(tx: Tx, org: number, id: string): Promise<void> {
  await tx.run('DELETE FROM scim_groups WHERE org = ? AND id = ?', [org, id])
}

/** A group of a user. */
export interface UserGroupRow {
  readonly groupId: string
  readonly groupName: string
  readonly userId: string
}

/** A member of a group. */
export interface MemberRow {
  readonly userId: string
  /** `displayName` and `userName` of the user, as a JSON array. */
  readonly names: string
}

/**
 * Returns the SQL that finds rows `t` by many values, one index lookup each; the parameters are a JSON array of distinct values,
 * and org.
 */
const membersByUser = ({ dialect }: Reader): string =>
  dialect.seekByValues('scim_members', 'user_id', 'scim_members_user')
const usersById = ({ dialect }: Reader): string => dialect.seekByValues('scim_users', 'id', 'scim_users_id')

/** Returns the groups of users, by user and name of the group. */
export const groupsOfUsers = (
  reader: Reader,
  org: number,
  userIds: readonly string[],
): Promise<UserGroupRow[]> =>
  reader.all(
    `SELECT t.group_id AS "groupId", g.name AS "groupName", t.user_id AS "userId"
     FROM ${membersByUser(reader)} JOIN scim_groups g ON g.org = t.org AND g.id = t.group_id
     ORDER BY t.user_id, g.name_key`,
    [JSON.stringify(userIds), org],
  )

/** Reads users by ID, in no particular order. */
export async function usersWithIds(reader: Reader, org: number, ids: readonly string[]): Promise<UserRow[]> {
  const sql = `SELECT ${userColumns} FROM ${usersById(reader)}`
  return (await reader.all<RawRow>(sql, [JSON.stringify([...new Set(ids)]), org])).map(userRow)
}

/** Reads groups by ID, in no particular order. */
export async function groupsWithIds(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<GroupRow[]> {
  const sql = `SELECT ${groupColumns} FROM scim_groups t WHERE t.org = ? AND ${reader.dialect.textIn('t.id')}`
  return (await reader.all<RawRow>(sql, [org, JSON.stringify(ids)])).map(groupRow)
}

/** Returns the members of a group after a user ID, in the order of their IDs. */
export const membersAfter = (
  reader: Reader,
  org: number,
  groupId: string,
  after: string,
  limit: number,
): Promise<MemberRow[]> =>
  reader.all(
    `SELECT m.user_id AS "userId", ${reader.dialect.jsonMembers('u.record', ['displayName', 'userName'])} AS names
     FROM scim_members m
     JOIN scim_users u ON u.org = m.org AND u.id = m.user_id
     WHERE m.org = ? AND m.group_id = ? AND m.user_id > ? ORDER BY m.user_id LIMIT ?`,
    [org, groupId, after, limit],
  )

/** Returns true if a group has more members than the limit. */
export async function hasMoreMembers(
  reader: Reader,
  org: number,
  groupId: string,
  limit: number,
): Promise<boolean> {
  const sql = 'SELECT 1 AS found FROM scim_members WHERE org = ? AND group_id = ? LIMIT 1 OFFSET ?'
  return (await reader.get(sql, [org, groupId, limit])) !== undefined
}

/** Returns the IDs of all members of a group. */
export async function memberIds(reader: Reader, org: number, groupId: string): Promise<string[]> {
  const sql = 'SELECT user_id AS id FROM scim_members WHERE org = ? AND group_id = ? ORDER BY user_id'
  return (await reader.all<{ id: string }>(sql, [org, groupId])).map(({ id }) => id)
}

/** Returns those of the given users that are members of a group. */
export async function membersAmong(
  reader: Reader,
  org: number,
  groupId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const sql = `SELECT t.user_id AS id FROM ${membersByUser(reader)} WHERE t.group_id = ?`
  const rows = await reader.all<{ id: string }>(sql, [JSON.stringify([...new Set(userIds)]), org, groupId])
  return new Set(rows.map(({ id }) => id))
}

/** Returns the users with the given IDs and their employees. */
export const employeesOfUsers = (
  reader: Reader,
  org: number,
  userIds: readonly string[],
): Promise<{ id: string; employeeId: string | null }[]> =>
  reader.all(`SELECT t.id AS id, t.employee_id AS "employeeId" FROM ${usersById(reader)} ORDER BY t.id`, [
    JSON.stringify([...new Set(userIds)]),
    org,
  ])

export async function insertMembers(
  tx: Tx,
  org: number,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  const rows = userIds.map((id) => [org, groupId, id])
  await tx.insert('scim_members', ['org', 'group_id', 'user_id'], rows, 'ON CONFLICT DO NOTHING')
}

export async function deleteMembers(
  tx: Tx,
  org: number,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  if (userIds.length === 0) return
  await tx.run(
    `DELETE FROM scim_members WHERE org = ? AND group_id = ? AND ${tx.dialect.textIn('user_id')}`,
    [org, groupId, JSON.stringify(userIds)],
  )
}

const touch =
  (table: 'scim_users' | 'scim_groups') =>
  async (tx: Tx, org: number, ids: readonly string[], nowMs: number): Promise<void> => {
    if (ids.length === 0) return
    await tx.run(
      `UPDATE ${table} SET version = version + 1, modified_ms = ? WHERE org = ? AND ${tx.dialect.textIn('id')}`,
      [nowMs, org, JSON.stringify(ids)],
    )
  }

/** Marks users as changed, because their groups are. */
export const touchUsers = touch('scim_users')
/** Marks groups as changed, because their members are. */
export const touchGroups = touch('scim_groups')
