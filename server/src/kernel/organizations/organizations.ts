import { copyStreams } from '../events/stream-endpoints.ts'
import type { Reader, Tx } from '../store/sql.ts'
import { UniqueViolationError } from '../store/sql.ts'
import { bumpPolicyRevision } from './policy-revision.ts'

/** Every row belongs to one organization. `no` is its short name inside the store, `id` the one for people. */
export interface Organization {
  no: number
  id: string
  name: string
  creationTimestamp: number
}

/** The organization that exists from the first start on. */
export const defaultOrganization = 'default'

const columns = 'no, id, name, creation_timestamp AS "creationTimestamp"'

export const listOrganizations = (db: Reader): Promise<Organization[]> =>
  db.all<Organization>(`SELECT ${columns} FROM organizations ORDER BY no`)

/** The organization that rows name by this number. */
export const organizationOf = (db: Reader, no: number): Promise<Organization | undefined> =>
  db.get<Organization>(`SELECT ${columns} FROM organizations WHERE no = ?`, [no])

/** The first organization of a store: whose server it is. It is the default one also when it has got a name of its own. */
export const firstOrganization = 1

/** Finds an organization by its name or its id; {@link defaultOrganization} finds the first one whatever its name. */
export async function findOrganization(db: Reader, nameOrId: string): Promise<Organization | undefined> {
  const sql = `SELECT ${columns} FROM organizations WHERE name = ? OR id = ?`
  const named = await db.get<Organization>(sql, [nameOrId, nameOrId])
  return named ?? (nameOrId === defaultOrganization ? organizationOf(db, firstOrganization) : undefined)
}

/**
 * Gives an organization another name, and tells its browsers, who show it.
 *
 * @throws UniqueViolationError when the name is taken
 */
export async function renameOrganization(
  tx: Tx,
  no: number,
  name: string,
  nowSeconds: number,
): Promise<void> {
  // Whoever asks for the default organization must not get another one.
  if (name === defaultOrganization && no !== firstOrganization)
    throw new UniqueViolationError('organizations', undefined)
  await tx.run('UPDATE organizations SET name = ? WHERE no = ?', [name, no])
  await bumpPolicyRevision(tx, no, nowSeconds)
}

/**
 * Adds an organization.
 *
 * @throws UniqueViolationError when the name is taken; RangeError when the embedded store is full.
 */
export async function addOrganization(
  tx: Tx,
  id: string,
  name: string,
  nowSeconds: number,
): Promise<Organization> {
  const highest = (await tx.get<{ no: number | null }>('SELECT max(no) AS no FROM organizations'))?.no ?? 0
  if (highest >= tx.dialect.organizationsMaximum) {
    throw new RangeError(
      `The embedded store holds ${tx.dialect.organizationsMaximum} organizations; use PostgreSQL for more.`,
    )
  }
  const no = highest + 1
  await tx.insert('organizations', ['no', 'id', 'name', 'creation_timestamp'], [[no, id, name, nowSeconds]])
  await copyStreams(tx, firstOrganization, no)
  return { no, id, name, creationTimestamp: nowSeconds }
}

/** Makes the default organization if it is not there; processes that start together make one. */
export async function ensureDefaultOrganization(
  tx: Tx,
  id: string,
  nowSeconds: number,
): Promise<Organization> {
  const known = await findOrganization(tx, defaultOrganization)
  if (known) return known
  const columnNames = ['no', 'id', 'name', 'creation_timestamp']
  await tx.insert(
    'organizations',
    columnNames,
    [[1, id, defaultOrganization, nowSeconds]],
    'ON CONFLICT DO NOTHING',
  )
  const made = await findOrganization(tx, defaultOrganization)
  if (!made) throw new UniqueViolationError('organizations', undefined)
  return made
}

/** The name of an organization by its number. @throws Error if there is none: every row belongs to one */
export async function organizationName(db: Reader, no: number): Promise<string> {
  const row = await db.get<{ name: string }>('SELECT name FROM organizations WHERE no = ?', [no])
  if (!row) throw new Error(`there is no organization ${no}`)
  return row.name
}

/** Returns the name that an organization was given; null while it has only the name of the first start. */
export async function givenOrganizationName(db: Reader, no: number): Promise<string | null> {
  const name = await organizationName(db, no)
  return name === defaultOrganization ? null : name
}
