import { copyStreams } from '../events/stream-endpoints.ts'
import { deleteOrganizationRows } from '../store/organization-rows.ts'
import type { Reader, Tx } from '../store/sql.ts'
import { UniqueViolationError } from '../store/sql.ts'
import { bumpPolicyRevision } from './policy-revision.ts'

/** Organization. `no` identifies it in the store, `id` in the API. */
export interface Organization {
  no: number
  id: string
  name: string
  creationTimestamp: number
}

/** Name of the organization that is created at the first start. */
export const defaultOrganization = 'default'

const columns = 'no, id, name, creation_timestamp AS "creationTimestamp"'

export const listOrganizations = (db: Reader): Promise<Organization[]> =>
  db.all<Organization>(`SELECT ${columns} FROM organizations ORDER BY no`)

/** Finds an organization by its number. */
export const organizationOf = (db: Reader, no: number): Promise<Organization | undefined> =>
  db.get<Organization>(`SELECT ${columns} FROM organizations WHERE no = ?`, [no])

/** Number of the default organization. It stays the default after it is renamed. */
export const firstOrganization = 1

/** Finds an organization by name or ID. {@link defaultOrganization} finds the first one, whatever its name. */
export async function findOrganization(db: Reader, nameOrId: string): Promise<Organization | undefined> {
  const sql = `SELECT ${columns} FROM organizations WHERE name = ? OR id = ?`
  const named = await db.get<Organization>(sql, [nameOrId, nameOrId])
  return named ?? (nameOrId === defaultOrganization ? organizationOf(db, firstOrganization) : undefined)
}

/**
 * Renames an organization and updates the policy of its browsers, which show the name.
 *
 * @throws UniqueViolationError if the name is taken
 */
export async function renameOrganization(
  tx: Tx,
  no: number,
  name: string,
  nowSeconds: number,
): Promise<void> {
  // Otherwise the name `default` would find another organization.
  if (name === defaultOrganization && no !== firstOrganization)
    throw new UniqueViolationError('organizations', undefined)
  await tx.run('UPDATE organizations SET name = ? WHERE no = ?', [name, no])
  await bumpPolicyRevision(tx, no, nowSeconds)
}

/** Setting with the highest number of an organization at the time of the last removal. */
const highestSetting = 'highest_organization'

/**
 * Returns the highest number that an organization has or had. Numbers are not used again, because caches and requests of running
 * servers refer to a removed organization for a while.
 */
async function highestNumber(tx: Tx): Promise<number> {
  // One statement: an organization that is removed meanwhile is in one of the two.
  const numbers = await tx.get<{ used: number | null; kept: string | null }>(
    `SELECT (SELECT max(no) FROM organizations) AS used, (SELECT value FROM settings WHERE name = ?) AS kept`,
    [highestSetting],
  )
  return Math.max(numbers?.used ?? 0, Number(numbers?.kept ?? 0))
}

/**
 * Removes an organization and all of its rows, without events.
 *
 * @returns the number of deleted rows by table, without empty tables
 */
export async function removeOrganization(tx: Tx, no: number): Promise<Record<string, number>> {
  const highest = String(await highestNumber(tx))
  const replace = 'ON CONFLICT (name) DO UPDATE SET value = excluded.value'
  await tx.insert('settings', ['name', 'value'], [[highestSetting, highest]], replace)
  return deleteOrganizationRows(tx, no)
}

/**
 * Adds an organization.
 *
 * @throws UniqueViolationError if the name is taken, RangeError if the embedded store is full
 */
export async function addOrganization(
  tx: Tx,
  id: string,
  name: string,
  nowSeconds: number,
): Promise<Organization> {
  const no = (await highestNumber(tx)) + 1
  if (no > tx.dialect.organizationsMaximum) {
    throw new RangeError(
      `The embedded store holds ${tx.dialect.organizationsMaximum} organizations, including removed ones; use PostgreSQL for more.`,
    )
  }
  await tx.insert('organizations', ['no', 'id', 'name', 'creation_timestamp'], [[no, id, name, nowSeconds]])
  await copyStreams(tx, firstOrganization, no)
  return { no, id, name, creationTimestamp: nowSeconds }
}

/** Creates the default organization if it does not exist. Safe for processes that start concurrently. */
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
  const created = await findOrganization(tx, defaultOrganization)
  if (!created) throw new UniqueViolationError('organizations', undefined)
  return created
}

/** Returns the name of an organization. @throws Error if it does not exist */
export async function organizationName(db: Reader, no: number): Promise<string> {
  const row = await db.get<{ name: string }>('SELECT name FROM organizations WHERE no = ?', [no])
  if (!row) throw new Error(`there is no organization ${no}`)
  return row.name
}

/** Returns the name of an organization; null if it still has the default name. */
export async function givenOrganizationName(db: Reader, no: number): Promise<string | null> {
  const name = await organizationName(db, no)
  return name === defaultOrganization ? null : name
}
