import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import type { Values } from './protocol/scim-schema.rules.ts'
import { deleteUser, findUser, groupsOfUsers, updateUser } from './scim-rows.store.ts'

/** IDs and addresses of a person. */
interface DirectoryPerson {
  readonly ids: readonly string[]
  readonly addresses: readonly string[]
}

/**
 * Returns the IDs of the users of a person: by the employee, by the user name, and by the addresses. A user of another employee
 * may list an address of the person, too, but stays the user of the other.
 */
async function usersOfPerson(reader: Reader, org: number, person: DirectoryPerson): Promise<string[]> {
  const { textIn } = reader.dialect
  const addresses = JSON.stringify(person.addresses.map(foldCase))
  const rows = await reader.all<{ id: string }>(
    `SELECT id FROM scim_users WHERE org = ? AND (${textIn('employee_id')} OR ${textIn('user_name_key')})
     UNION SELECT u.id FROM scim_emails e JOIN scim_users u ON u.org = e.org AND u.id = e.user_id
     WHERE e.org = ? AND ${textIn('e.address')} AND u.employee_id IS NULL`,
    [org, JSON.stringify(person.ids), addresses, org, addresses],
  )
  return rows.map(({ id }) => id)
}

/** Deletes everything that directories sent about a person. @returns the number of users */
export async function eraseDirectoryUsers(tx: Tx, org: number, person: DirectoryPerson): Promise<number> {
  const ids = await usersOfPerson(tx, org, person)
  for (const id of ids) await deleteUser(tx, org, id)
  await removeAddresses(tx, org, person.addresses.map(foldCase))
  return ids.length
}

/** Removes addresses from the users of others. */
async function removeAddresses(tx: Tx, org: number, addresses: readonly string[]): Promise<void> {
  const rows = await tx.all<{ id: string }>(
    `SELECT DISTINCT user_id AS id FROM scim_emails WHERE org = ? AND ${tx.dialect.textIn('address')}`,
    [org, JSON.stringify(addresses)],
  )
  for (const { id } of rows) {
    const user = await findUser(tx, org, id)
    if (!user) continue
    const kept = (user.values.emails as Values[]).filter(
      ({ value }) => !addresses.includes(foldCase(String(value))),
    )
    const values = { ...user.values, emails: kept.length > 0 ? kept : undefined }
    await updateUser(tx, org, user, { ...user, values, version: user.version + 1 })
  }
}

/** Returns what directories sent about a person. */
export async function directoryUsersOf(
  reader: Reader,
  org: number,
  person: DirectoryPerson,
): Promise<object[]> {
  const found: object[] = []
  for (const id of await usersOfPerson(reader, org, person)) {
    const user = await findUser(reader, org, id)
    if (!user) continue
    const groups = await groupsOfUsers(reader, org, [id])
    found.push({
      id,
      ...user.values,
      groups: groups.map(({ groupName }) => groupName),
      created: new Date(user.createdMs).toISOString(),
      lastModified: new Date(user.modifiedMs).toISOString(),
    })
  }
  return found
}
