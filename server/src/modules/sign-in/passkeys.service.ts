import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A passkey of an administrator: its public half. */
export interface PasskeyRow {
  org: number
  id: string
  administratorId: string
  /** The authenticator's own name for it, base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  /** How often the authenticator says it was used; 0 if it does not count. */
  counter: number
  /** How browsers reach the authenticator, separated by commas. */
  transports: string
  name: string
  creationTimestamp: number
  lastUsedTimestamp: number | null
}

const selected = `org, id, administrator_id AS "administratorId", credential_id AS "credentialId", public_key AS "publicKey",
  counter, transports, name, creation_timestamp AS "creationTimestamp", last_used_timestamp AS "lastUsedTimestamp"`

/** The passkeys of an administrator, oldest first. */
export const listPasskeys = (db: Reader, org: number, administratorId: string): Promise<PasskeyRow[]> =>
  db.all<PasskeyRow>(
    `SELECT ${selected} FROM passkeys WHERE org = ? AND administrator_id = ? ORDER BY creation_timestamp, id`,
    [org, administratorId],
  )

/**
 * Adds a passkey.
 *
 * @throws UniqueViolationError when it is there already
 */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await tx.insert(
    'passkeys',
    [
      'org',
      'id',
      'administrator_id',
      'credential_id',
      'public_key',
      'counter',
      'transports',
      'name',
      'creation_timestamp',
    ],
    [
      [
        row.org,
        row.id,
        row.administratorId,
        row.credentialId,
        row.publicKey,
        row.counter,
        row.transports,
        row.name,
        row.creationTimestamp,
      ],
    ],
  )
}

/** Notes that a passkey was used, and its count. */
export async function touchPasskey(
  tx: Tx,
  { org, id }: PasskeyRow,
  counter: number,
  nowSeconds: number,
): Promise<void> {
  await tx.run('UPDATE passkeys SET counter = ?, last_used_timestamp = ? WHERE org = ? AND id = ?', [
    counter,
    nowSeconds,
    org,
    id,
  ])
}

/** Removes a passkey of an administrator; false if they have none with this id. */
export const removePasskey = async (
  tx: Tx,
  org: number,
  administratorId: string,
  id: string,
): Promise<boolean> =>
  (await tx.run('DELETE FROM passkeys WHERE org = ? AND administrator_id = ? AND id = ?', [
    org,
    administratorId,
    id,
  ])) > 0

/** Removes all passkeys of an administrator. */
export async function removePasskeys(tx: Tx, org: number, administratorId: string): Promise<void> {
  await tx.run('DELETE FROM passkeys WHERE org = ? AND administrator_id = ?', [org, administratorId])
}
