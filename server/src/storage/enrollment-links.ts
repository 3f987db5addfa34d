import type { Tx } from './sql.ts'

/** A link that enrols one browser of an employee, once. The token itself is not kept, only its hash. */
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
