import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A token by which managed browsers enrol (domain contract, section 1); kept is its hash, never itself. */
export interface EnrolmentTokenRow {
  readonly org: number
  readonly id: string
  readonly name: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly creationTimestamp: number
  readonly revokedTimestamp: number | null
}

const columns = `org, id, name, hash, creation_timestamp AS "creationTimestamp", revoked_timestamp AS "revokedTimestamp"`

/** The token with this hash, whatever its state. */
export const findEnrolmentToken = (db: Reader, hash: string): Promise<EnrolmentTokenRow | undefined> =>
  db.get<EnrolmentTokenRow>(`SELECT ${columns} FROM enrolment_tokens WHERE hash = ?`, [hash])

/** All tokens of an organisation, oldest first. */
export const listEnrolmentTokens = (db: Reader, org: number): Promise<EnrolmentTokenRow[]> =>
  db.all<EnrolmentTokenRow>(
    `SELECT ${columns} FROM enrolment_tokens WHERE org = ? ORDER BY creation_timestamp, id`,
    [org],
  )

/** Adds a token. */
export async function insertEnrolmentToken(
  tx: Tx,
  { org, id, name, hash, creationTimestamp }: Omit<EnrolmentTokenRow, 'revokedTimestamp'>,
): Promise<void> {
  await tx.insert(
    'enrolment_tokens',
    ['org', 'id', 'name', 'hash', 'creation_timestamp'],
    [[org, id, name, hash, creationTimestamp]],
  )
}

/** Revokes a token; false if there is none, or it was revoked before. */
export async function revokeEnrolmentToken(
  tx: Tx,
  org: number,
  id: string,
  nowSeconds: number,
): Promise<boolean> {
  const sql =
    'UPDATE enrolment_tokens SET revoked_timestamp = ? WHERE org = ? AND id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, id])) > 0
}
