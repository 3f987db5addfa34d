import { copyStreams } from '../events/stream-endpoints.ts'
import type { Reader, Tx } from '../store/sql.ts'
import { UniqueViolationError } from '../store/sql.ts'
import { bumpPolicyRevision } from './policy-revision.ts'

/** Every row belongs to one organisation. `no` is its short name inside the store, `id` the one for people. */
export interface Organisation {
  no: number
  id: string
  name: string
  creationTimestamp: number
}

/** The organisation that exists from the first start on. */
export const defaultOrganisation = 'default'

/** The highest number of an organisation of the embedded store: its substring index has ten bits for it. */
export const organisationsMaximum = 1023

const columns = 'no, id, name, creation_timestamp AS "creationTimestamp"'

export const listOrganisations = (db: Reader): Promise<Organisation[]> =>
  db.all<Organisation>(`SELECT ${columns} FROM organisations ORDER BY no`)

/** The organisation that rows name by this number. */
export const organisationOf = (db: Reader, no: number): Promise<Organisation | undefined> =>
  db.get<Organisation>(`SELECT ${columns} FROM organisations WHERE no = ?`, [no])

/** The first organisation of a store: whose server it is. It is the default one also when it has got a name of its own. */
export const firstOrganisation = 1

/** Finds an organisation by its name or its id; {@link defaultOrganisation} finds the first one whatever its name. */
export async function findOrganisation(db: Reader, nameOrId: string): Promise<Organisation | undefined> {
  const sql = `SELECT ${columns} FROM organisations WHERE name = ? OR id = ?`
  const named = await db.get<Organisation>(sql, [nameOrId, nameOrId])
  return named ?? (nameOrId === defaultOrganisation ? organisationOf(db, firstOrganisation) : undefined)
}

/**
 * Gives an organisation another name, and tells its browsers, who show it.
 *
 * @throws UniqueViolationError when the name is taken
 */
export async function renameOrganisation(
  tx: Tx,
  no: number,
  name: string,
  nowSeconds: number,
): Promise<void> {
  // Whoever asks for the default organisation must not get another one.
  if (name === defaultOrganisation && no !== firstOrganisation)
    throw new UniqueViolationError('organisations', undefined)
  await tx.run('UPDATE organisations SET name = ? WHERE no = ?', [name, no])
  await bumpPolicyRevision(tx, no, nowSeconds)
}

/**
 * Adds an organisation.
 *
 * @throws UniqueViolationError when the name is taken; RangeError when the embedded store is full.
 */
export async function addOrganisation(
  tx: Tx,
  id: string,
  name: string,
  nowSeconds: number,
): Promise<Organisation> {
  const highest = (await tx.get<{ no: number | null }>('SELECT max(no) AS no FROM organisations'))?.no ?? 0
  if (highest >= organisationsMaximum && tx.dialect.name === 'sqlite') {
    throw new RangeError(
      `The embedded store holds ${organisationsMaximum} organisations; use PostgreSQL for more.`,
    )
  }
  const no = highest + 1
  await tx.insert('organisations', ['no', 'id', 'name', 'creation_timestamp'], [[no, id, name, nowSeconds]])
  await copyStreams(tx, firstOrganisation, no)
  return { no, id, name, creationTimestamp: nowSeconds }
}

/** Makes the default organisation if it is not there; processes that start together make one. */
export async function ensureDefaultOrganisation(
  tx: Tx,
  id: string,
  nowSeconds: number,
): Promise<Organisation> {
  const known = await findOrganisation(tx, defaultOrganisation)
  if (known) return known
  const columnNames = ['no', 'id', 'name', 'creation_timestamp']
  await tx.insert(
    'organisations',
    columnNames,
    [[1, id, defaultOrganisation, nowSeconds]],
    'ON CONFLICT DO NOTHING',
  )
  const made = await findOrganisation(tx, defaultOrganisation)
  if (!made) throw new UniqueViolationError('organisations', undefined)
  return made
}

/** The name of an organisation by its number. @throws Error if there is none: every row belongs to one */
export async function organisationName(db: Reader, no: number): Promise<string> {
  const row = await db.get<{ name: string }>('SELECT name FROM organisations WHERE no = ?', [no])
  if (!row) throw new Error(`there is no organisation ${no}`)
  return row.name
}

/** Returns the name that an organization was given; null while it has only the name of the first start. */
export async function givenOrganisationName(db: Reader, no: number): Promise<string | null> {
  const name = await organisationName(db, no)
  return name === defaultOrganisation ? null : name
}
