import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Link that enrolls one browser of an employee. Only the hash of the token is stored. */
export interface EnrollmentLinkRow {
  org: number
  id: string
  employeeId: string
  tokenHash: string
  creationTimestamp: number
  expirationTimestamp: number
}

/** Adds a link and revokes older unused links of the employee (REST contract, Employee). */
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

export interface FoundEnrollmentLink {
  readonly org: number
  readonly id: string
  readonly employeeId: string
  readonly expirationTimestamp: number
  readonly usedTimestamp: number | null
  /** Time at which a newer link replaced it. */
  readonly revokedTimestamp: number | null
}

/** Returns the link with a token hash, in any state. */
export const findEnrollmentLink = (db: Reader, tokenHash: string): Promise<FoundEnrollmentLink | undefined> =>
  db.get<FoundEnrollmentLink>(
    `SELECT org, id, employee_id AS "employeeId", expiration_timestamp AS "expirationTimestamp",
     used_timestamp AS "usedTimestamp", revoked_timestamp AS "revokedTimestamp"
     FROM enrollment_links WHERE token_hash = ?`,
    [tokenHash],
  )

/** Marks a link as used; false if it was used, replaced or expired meanwhile. */
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

const unusedOf = (ids: readonly string[]) =>
  `org = ? AND employee_id IN (${ids.map(() => '?').join(', ')})
   AND used_timestamp IS NULL AND revoked_timestamp IS NULL AND expiration_timestamp > ?`

/** Returns the number of links of employees that still work. */
export const countUnusedLinks = async (
  db: Reader,
  org: number,
  employeeIds: readonly string[],
  nowSeconds: number,
): Promise<number> => {
  const sql = `SELECT count(*) AS count FROM enrollment_links WHERE ${unusedOf(employeeIds)}`
  return Number((await db.get<{ count: number }>(sql, [org, ...employeeIds, nowSeconds]))?.count ?? 0)
}

/**
 * Revokes the unused links of employees.
 *
 * @returns the number of revoked links
 */
export const revokeUnusedLinks = (
  tx: Tx,
  org: number,
  employeeIds: readonly string[],
  nowSeconds: number,
): Promise<number> =>
  tx.run(`UPDATE enrollment_links SET revoked_timestamp = ? WHERE ${unusedOf(employeeIds)}`, [
    nowSeconds,
    org,
    ...employeeIds,
    nowSeconds,
  ])
