import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Stored stolen credential. Contains nothing that reveals the password (domain contract, section 3). */
export interface StolenCredentialRow {
  id: string
  source: string | null
  addressHmac: string
  addressEncrypted: string
  salt: string
  iterations: number
  hash: string
}

/**
 * Adds credentials that are not stored yet.
 *
 * @returns the number of added credentials
 */
export const insertStolenCredentials = (
  tx: Tx,
  org: number,
  rows: readonly StolenCredentialRow[],
  nowSeconds: number,
): Promise<number> =>
  tx.insert(
    'stolen_credentials',
    [
      'org',
      'id',
      'source',
      'address_hmac',
      'address_encrypted',
      'salt',
      'iterations',
      'hash',
      'creation_timestamp',
    ],
    rows.map((row) => [
      org,
      row.id,
      row.source,
      row.addressHmac,
      row.addressEncrypted,
      row.salt,
      row.iterations,
      row.hash,
      nowSeconds,
    ]),
    'ON CONFLICT (org, address_hmac, hash) DO NOTHING',
  )

/**
 * Removes all credentials of an organization.
 *
 * @returns the number of removed credentials
 */
export const deleteStolenCredentials = (tx: Tx, org: number): Promise<number> =>
  tx.run('DELETE FROM stolen_credentials WHERE org = ?', [org])

/** Members that a browser needs to compare passwords. */
export type StolenCredentialCheck = Pick<StolenCredentialRow, 'id' | 'salt' | 'iterations' | 'hash'>

/**
 * Maximum number of credentials of an employee in a policy, newest first. Equals the maximum of one API call,
 * about 1.6 MB.
 */
const checkedMaximum = 10_000

/** Returns the credentials of addresses, which are given by their keys. */
export function stolenCredentialsOf(
  db: Reader,
  org: number,
  addressHmacs: readonly string[],
): Promise<StolenCredentialCheck[]> {
  const placeholders = addressHmacs.map(() => '?').join(', ')
  return db.all<StolenCredentialCheck>(
    `SELECT id, salt, iterations, hash FROM stolen_credentials WHERE org = ? AND address_hmac IN (${placeholders})
     ORDER BY creation_timestamp DESC, id LIMIT ${checkedMaximum}`,
    [org, ...addressHmacs],
  )
}
