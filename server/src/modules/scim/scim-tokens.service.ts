import { randomBytes } from 'node:crypto'
import type { Directory } from '@muster/contract/console/directory/console-directory'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** Bearer token of a directory. Only its hash is stored. */
export interface ScimToken {
  readonly org: number
  readonly id: string
  readonly name: string
  /** Email address of an administrator, or the user of the command line. */
  readonly createdBy: string
  /** True if users get a license when they become active. */
  readonly assignsLicenses: boolean
  readonly creationTimestamp: number
  readonly lastUsedTimestamp: number | null
  readonly revokedTimestamp: number | null
}

/** Creates a token: `msct_` and 256 random bits in base64url (43 characters). */
export const newScimToken = (): string => `msct_${randomBytes(32).toString('base64url')}`

/** Returns true if a text has the form of a token. */
export const isScimToken = (text: string): boolean => /^msct_[\w-]{43}$/.test(text)

const columns = `org, id, name, created_by AS "createdBy", assigns_licenses AS "assignsLicenses",
  creation_timestamp AS "creationTimestamp", last_used_timestamp AS "lastUsedTimestamp",
  revoked_timestamp AS "revokedTimestamp"`

type TokenRow = Omit<ScimToken, 'assignsLicenses'> & { readonly assignsLicenses: number }

const tokenOf = (row: TokenRow): ScimToken => ({
  ...row,
  org: Number(row.org),
  assignsLicenses: Number(row.assignsLicenses) === 1,
})

/** Returns the token with a hash, in any state. */
export async function findScimToken(db: Reader, tokenHash: string): Promise<ScimToken | undefined> {
  const row = await db.get<TokenRow>(`SELECT ${columns} FROM scim_tokens WHERE hash = ?`, [tokenHash])
  return row && tokenOf(row)
}

/** Lists the tokens of an organization, oldest first. */
export async function listScimTokens(db: Reader, org: number): Promise<ScimToken[]> {
  const sql = `SELECT ${columns} FROM scim_tokens WHERE org = ? ORDER BY creation_timestamp, id`
  return (await db.all<TokenRow>(sql, [org])).map(tokenOf)
}

export type NewScimToken = Omit<ScimToken, 'lastUsedTimestamp' | 'revokedTimestamp'>

export async function insertScimToken(tx: Tx, token: NewScimToken, tokenHash: string): Promise<void> {
  const { org, id, name, createdBy, assignsLicenses, creationTimestamp } = token
  await tx.insert(
    'scim_tokens',
    ['org', 'id', 'name', 'hash', 'created_by', 'assigns_licenses', 'creation_timestamp'],
    [[org, id, name, tokenHash, createdBy, assignsLicenses ? 1 : 0, creationTimestamp]],
  )
}

/** Revokes a token; false if unknown or already revoked. */
export async function revokeScimToken(tx: Tx, org: number, id: string, nowSeconds: number): Promise<boolean> {
  const sql =
    'UPDATE scim_tokens SET revoked_timestamp = ? WHERE org = ? AND id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, id])) > 0
}

/** Writes the last use of a token. */
export const recordScimUse = (db: Db, { org, id }: ScimToken, nowSeconds: number): Promise<number> =>
  db.inTransaction((tx) =>
    tx.run('UPDATE scim_tokens SET last_used_timestamp = ? WHERE org = ? AND id = ?', [nowSeconds, org, id]),
  )

/** Returns the numbers of users and groups of an organization's directory. */
export async function directoryCounts(
  db: Reader,
  org: number,
): Promise<Pick<Directory, 'users' | 'activeUsers' | 'groups' | 'problems'>> {
  const counts = await db.get<Record<'users' | 'active' | 'groups' | 'problems', number>>(
    `SELECT (SELECT count(*) FROM scim_users WHERE org = ?) AS users,
     (SELECT count(*) FROM scim_users WHERE org = ? AND active = 1) AS active,
     (SELECT count(*) FROM scim_groups WHERE org = ?) AS groups,
     (SELECT count(*) FROM scim_users WHERE org = ? AND problem IS NOT NULL) AS problems`,
    [org, org, org, org],
  )
  return {
    users: Number(counts?.users ?? 0),
    activeUsers: Number(counts?.active ?? 0),
    groups: Number(counts?.groups ?? 0),
    problems: Number(counts?.problems ?? 0),
  }
}

/** Returns the first users with a problem, by name. */
export async function problemUsers(
  db: Reader,
  org: number,
  limit: number,
): Promise<Directory['problemUsers']> {
  const rows = await db.all<{ record: string } & Omit<Directory['problemUsers'][number], 'userName'>>(
    `SELECT record, problem, employee_id AS "employeeId" FROM scim_users
     WHERE org = ? AND problem IS NOT NULL ORDER BY user_name_key LIMIT ?`,
    [org, limit],
  )
  return rows.map(({ record, problem, employeeId }) => {
    const { userName } = JSON.parse(record) as { userName: string }
    return { userName, problem, employeeId }
  })
}
