import type { Role } from '@muster/contract/console/console-operation'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/**
 * A link that makes an administrator, or lets one set a new password. The token itself is not kept, only its hash; a
 * link that was used is gone.
 */
export interface InvitationRow {
  org: number
  id: string
  kind: 'SETUP' | 'INVITATION' | 'RESET'
  /** Null for the setup link: whoever has it is the first. */
  email: string | null
  role: Role
  /** Whose password a reset sets. */
  administratorId: string | null
  invitedBy: string | null
  tokenHash: string
  creationTimestamp: number
  expirationTimestamp: number
}

const selected = `org, id, kind, email, role, administrator_id AS "administratorId", invited_by AS "invitedBy",
  token_hash AS "tokenHash", creation_timestamp AS "creationTimestamp", expiration_timestamp AS "expirationTimestamp"`

/** The link with this hash, if it has not expired. */
export const findInvitation = (
  db: Reader,
  tokenHash: string,
  nowSeconds: number,
): Promise<InvitationRow | undefined> =>
  db.get<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE token_hash = ? AND expiration_timestamp > ?`,
    [tokenHash, nowSeconds],
  )

/** The invitations of an organization that are open, oldest first. */
export const listInvitations = (db: Reader, org: number, nowSeconds: number): Promise<InvitationRow[]> =>
  db.all<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE org = ? AND kind = 'INVITATION' AND expiration_timestamp > ? ORDER BY creation_timestamp, id`,
    [org, nowSeconds],
  )

/** The open invitations of an address in all organizations, oldest first. */
export const invitationsOf = (db: Reader, email: string, nowSeconds: number): Promise<InvitationRow[]> =>
  db.all<InvitationRow>(
    `SELECT ${selected} FROM invitations WHERE kind = 'INVITATION' AND email_key = ? AND expiration_timestamp > ? ORDER BY creation_timestamp, id`,
    [foldCase(email), nowSeconds],
  )

/** Adds a link; older ones of the same kind for the same address or administrator stop working. */
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

/** Uses a link up; false if another request was faster. */
export const takeInvitation = async (tx: Tx, { org, id }: InvitationRow): Promise<boolean> =>
  (await tx.run('DELETE FROM invitations WHERE org = ? AND id = ?', [org, id])) > 0

/** Takes an open invitation back; false if there is none with this id. */
export const removeInvitation = async (tx: Tx, org: number, id: string): Promise<boolean> =>
  (await tx.run("DELETE FROM invitations WHERE org = ? AND id = ? AND kind = 'INVITATION'", [org, id])) > 0

/** Removes the links that a person has made, or those to the sign-in of an administrator. @returns how many there were */
export const removeLinks = (
  tx: Tx,
  org: number,
  of: { readonly invitedBy: string } | { readonly administratorId: string },
): Promise<number> =>
  'invitedBy' in of
    ? tx.run('DELETE FROM invitations WHERE org = ? AND invited_by = ?', [org, of.invitedBy])
    : tx.run('DELETE FROM invitations WHERE org = ? AND administrator_id = ?', [org, of.administratorId])

/** Removes the setup links of an organization: the first administrator is there. */
export async function removeSetupLinks(tx: Tx, org: number): Promise<void> {
  await tx.run("DELETE FROM invitations WHERE org = ? AND kind = 'SETUP'", [org])
}

/** Removes links that have expired. */
export async function removeOldInvitations(tx: Tx, nowSeconds: number): Promise<void> {
  await tx.run('DELETE FROM invitations WHERE expiration_timestamp <= ?', [nowSeconds])
}
