import type { Role } from '@muster/contract/console/console-operation'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Link that adds an administrator or sets a password. Only the token's hash is stored; a used link is deleted. */
export interface InvitationRow {
  org: number
  id: string
  kind: 'SETUP' | 'INVITATION' | 'RESET'
  /** Null for the setup link, which anyone may use. */
  email: string | null
  role: Role
  /** Administrator whose password a reset link sets. */
  administratorId: string | null
  invitedBy: string | null
  tokenHash: string
  creationTimestamp: number
  expirationTimestamp: number
}

const selected = `org, id, kind, email, role, administrator_id AS "administratorId", invited_by AS "invitedBy",
  token_hash AS "tokenHash", creation_timestamp AS "creationTimestamp", expiration_timestamp AS "expirationTimestamp"`

/** Returns the unexpired link with this hash. */
export const findInvitation = (
  db: Reader,
  tokenHash: string,
  nowSeconds: number,
): Promise<InvitationRow | undefined> =>
  db.get<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE token_hash = ? AND expiration_timestamp > ?`,
    [tokenHash, nowSeconds],
  )

/** Returns the open invitations of an organization, oldest first. */
export const listInvitations = (db: Reader, org: number, nowSeconds: number): Promise<InvitationRow[]> =>
  db.all<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE org = ? AND kind = 'INVITATION' AND expiration_timestamp > ? ORDER BY creation_timestamp, id`,
    [org, nowSeconds],
  )

/** Returns the open invitations of an address in all organizations, oldest first. */
export const findInvitationsByEmail = (
  db: Reader,
  email: string,
  nowSeconds: number,
): Promise<InvitationRow[]> =>
  db.all<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE kind = 'INVITATION' AND email_key = ? AND expiration_timestamp > ? ORDER BY creation_timestamp, id`,
    [foldCase(email), nowSeconds],
  )

/** Adds a link. Invalidates older links of the same kind for the same address. */
export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  const emailKey = row.email === null ? null : foldCase(row.email)
  await tx.run('DELETE FROM invitations WHERE org = ? AND kind = ? AND email_key = ?', [
    row.org,
    row.kind,
    emailKey ?? '',
  ])
  await tx.insert(
    'invitations',
    [
      'org',
      'id',
      'kind',
      'email',
      'email_key',
      'role',
      'administrator_id',
      'invited_by',
      'token_hash',
      'creation_timestamp',
      'expiration_timestamp',
    ],
    [
      [
        row.org,
        row.id,
        row.kind,
        row.email,
        emailKey,
        row.role,
        row.administratorId,
        row.invitedBy,
        row.tokenHash,
        row.creationTimestamp,
        row.expirationTimestamp,
      ],
    ],
  )
}

/** Consumes a link; false if another request was faster. */
export const takeInvitation = async (tx: Tx, { org, id }: InvitationRow): Promise<boolean> =>
  (await tx.run('DELETE FROM invitations WHERE org = ? AND id = ?', [org, id])) > 0

/** Revokes an open invitation; false if there is none with this ID. */
export const removeInvitation = async (tx: Tx, org: number, id: string): Promise<boolean> =>
  (await tx.run("DELETE FROM invitations WHERE org = ? AND id = ? AND kind = 'INVITATION'", [org, id])) > 0

/**
 * Removes the links that a person has created, or the links of an administrator. @returns the number of removed
 * links
 */
export const removeLinks = (
  tx: Tx,
  org: number,
  filter: { readonly invitedBy: string } | { readonly administratorId: string },
): Promise<number> =>
  'invitedBy' in filter
    ? tx.run('DELETE FROM invitations WHERE org = ? AND invited_by = ?', [org, filter.invitedBy])
    : tx.run('DELETE FROM invitations WHERE org = ? AND administrator_id = ?', [org, filter.administratorId])

/** Removes the setup links of an organization once it has an administrator. */
export async function removeSetupLinks(tx: Tx, org: number): Promise<void> {
  await tx.run("DELETE FROM invitations WHERE org = ? AND kind = 'SETUP'", [org])
}

export async function removeOldInvitations(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.run('DELETE FROM invitations WHERE expiration_timestamp <= ?', [nowSeconds])
}
