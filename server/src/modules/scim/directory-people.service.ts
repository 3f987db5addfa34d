import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { deleteUser, findUser, groupsOfUsers } from './scim-rows.store.ts'

/** IDs and addresses of a person. */
interface DirectoryPerson {
  readonly ids: readonly string[]
  readonly addresses: readonly string[]
}

/** Returns the IDs of the users of a person: by the employee, by the addresses, and by the user name. */
async function usersOfPerson(reader: Reader, org: number, person: DirectoryPerson): Promise<string[]> {
  const { textIn } = reader.dialect
  const addresses = JSON.stringify(person.addresses.map(foldCase))
  const rows = await reader.all<{ id: string }>(
    `SELECT id FROM scim_users WHERE org = ? AND (${textIn('employee_id')} OR ${textIn('user_name_key')})
     UNION SELECT user_id FROM scim_emails WHERE org = ? AND ${textIn('address')}`,
    [org, JSON.stringify(person.ids), addresses, org, addresses],
  )
  return rows.map(({ id }) => id)
}

/** Deletes everything that directories sent about a person. @returns the number of users */
export async function eraseDirectoryUsers(tx: Tx, org: number, person: DirectoryPerson): Promise<number> {
  const ids = await usersOfPerson(tx, org, person)
  for (const id of ids) await deleteUser(tx, org, id)
  return ids.length
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
