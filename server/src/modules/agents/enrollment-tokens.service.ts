import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Token with which managed browsers enroll (domain contract, section 1). Only its hash is stored. */
export interface EnrollmentTokenRow {
  readonly org: number
  readonly id: string
  readonly name: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly creationTimestamp: number
  readonly revokedTimestamp: number | null
  /** Time when a browser last enrolled with it; null if never. */
  readonly lastUsedTimestamp: number | null
  /** Number of browsers that enrolled with it. */
  readonly uses: number
}

const columns = `org, id, name, hash, creation_timestamp AS "creationTimestamp", revoked_timestamp AS "revokedTimestamp",
  last_used_timestamp AS "lastUsedTimestamp", uses`

/** Returns the token with a hash, in any state. */
export const findEnrollmentToken = (db: Reader, hash: string): Promise<EnrollmentTokenRow | undefined> =>
  db.get<EnrollmentTokenRow>(`SELECT ${columns} FROM enrollment_tokens WHERE hash = ?`, [hash])

/** Lists the tokens of an organization, oldest first. */
export const listEnrollmentTokens = (db: Reader, org: number): Promise<EnrollmentTokenRow[]> =>
  db.all<EnrollmentTokenRow>(
    `SELECT ${columns} FROM enrollment_tokens WHERE org = ? ORDER BY creation_timestamp, id`,
    [org],
  )

export async function insertEnrollmentToken(
  tx: Tx,
  {
    org,
    id,
    name,
    hash,
    creationTimestamp,
  }: Omit<EnrollmentTokenRow, 'revokedTimestamp' | 'lastUsedTimestamp' | 'uses'>,
): Promise<void> {
  await tx.insert(
    'enrollment_tokens',
    ['org', 'id', 'name', 'hash', 'creation_timestamp'],
    [[org, id, name, hash, creationTimestamp]],
  )
}

/** Revokes a token; false if unknown or already revoked. */
export async function revokeEnrollmentToken(
  tx: Tx,
  org: number,
  id: string,
  nowSeconds: number,
): Promise<boolean> {
  const sql =
    'UPDATE enrollment_tokens SET revoked_timestamp = ? WHERE org = ? AND id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, id])) > 0
}

/** Counts the enrollment of a browser. Call it last in the transaction: it locks the row of the token. */
export async function recordTokenUse(tx: Tx, org: number, id: string, nowSeconds: number): Promise<void> {
  const sql = 'UPDATE enrollment_tokens SET uses = uses + 1, last_used_timestamp = ? WHERE org = ? AND id = ?'
  await tx.run(sql, [nowSeconds, org, id])
}
