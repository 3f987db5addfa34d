import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Passkey of an administrator (public part). */
export interface PasskeyRow {
  org: number
  id: string
  administratorId: string
  /** Credential ID, base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  /** Signature counter of the authenticator; 0 if it does not count. */
  counter: number
  /** Transports of the authenticator, comma-separated. */
  transports: string
  name: string
  creationTimestamp: number
  lastUsedTimestamp: number | null
}

const selected = `org, id, administrator_id AS "administratorId", credential_id AS "credentialId", public_key AS "publicKey",
  counter, transports, name, creation_timestamp AS "creationTimestamp", last_used_timestamp AS "lastUsedTimestamp"`

/** Returns the passkeys of an administrator, oldest first. */
export const listPasskeys = (db: Reader, org: number, administratorId: string): Promise<PasskeyRow[]> =>
  db.all<PasskeyRow>(
    `SELECT ${selected} FROM passkeys WHERE org = ? AND administrator_id = ? ORDER BY creation_timestamp, id`,
    [org, administratorId],
  )

/** @throws UniqueViolationError if the credential already exists */
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

/** Records a use of a passkey and its signature counter. */
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

/** Returns false if the administrator has no passkey with this ID. */
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

export async function removePasskeys(tx: Tx, org: number, administratorId: string): Promise<void> {
  await tx.run('DELETE FROM passkeys WHERE org = ? AND administrator_id = ?', [org, administratorId])
}
