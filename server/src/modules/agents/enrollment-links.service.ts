import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A link that enrolls one browser of an employee, once. The token itself is not kept, only its hash. */
export interface EnrollmentLinkRow {
  org: number
  id: string
  employeeId: string
  tokenHash: string
  creationTimestamp: number
  expirationTimestamp: number
}

/** Adds a link; an older unused one of the same employee stops working (REST contract, Employee). */
export async function replaceEnrollmentLink(tx: Tx, link: EnrollmentLinkRow): Promise<void> {
  await tx.run(
    'UPDATE enrollment_links SET revoked_timestamp = ? WHERE org = ? AND employee_id = ? AND used_timestamp IS NULL AND revoked_timestamp IS NULL',
    [link.creationTimestamp, link.org, link.employeeId],
  )
  await tx.insert(
    'enrollment_links',
    ['org', 'id', 'employee_id', 'token_hash', 'creation_timestamp', 'expiration_timestamp'],
    [[link.org, link.id, link.employeeId, link.tokenHash, link.creationTimestamp, link.expirationTimestamp]],
  )
}

/** A link as it is found, with what became of it. */
export interface FoundEnrollmentLink {
  readonly org: number
  readonly id: string
  readonly employeeId: string
  readonly expirationTimestamp: number
  readonly usedTimestamp: number | null
  /** When a newer link took its place. */
  readonly revokedTimestamp: number | null
}

/** The link whose token has this hash, whatever its state. */
export const findEnrollmentLink = (db: Reader, tokenHash: string): Promise<FoundEnrollmentLink | undefined> =>
  db.get<FoundEnrollmentLink>(
    `SELECT org, id, employee_id AS "employeeId", expiration_timestamp AS "expirationTimestamp",
     used_timestamp AS "usedTimestamp", revoked_timestamp AS "revokedTimestamp"
     FROM enrollment_links WHERE token_hash = ?`,
    [tokenHash],
  )

/** Uses a link up; false if another was first, or it does not work any more. */
export async function useEnrollmentLink(
  tx: Tx,
  org: number,
  id: string,
  nowSeconds: number,
): Promise<boolean> {
  const sql = `UPDATE enrollment_links SET used_timestamp = ?
    WHERE org = ? AND id = ? AND used_timestamp IS NULL AND revoked_timestamp IS NULL AND expiration_timestamp > ?`
  return (await tx.run(sql, [nowSeconds, org, id, nowSeconds])) > 0
}
