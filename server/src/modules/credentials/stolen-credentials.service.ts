import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** A stolen credential as it is kept: nothing in it gives the password away (domain contract, section 3). */
export interface StolenCredentialRow {
  id: string
  source: string | null
  addressHmac: string
  addressEncrypted: string
  salt: string
  iterations: number
  hash: string
}

/** Adds those that are not there yet, and says how many that were. */
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

/** Removes all of an organization's, and says how many there were. */
export const deleteStolenCredentials = (tx: Tx, org: number): Promise<number> =>
  tx.run('DELETE FROM stolen_credentials WHERE org = ?', [org])

/** What a browser compares passwords with. */
export type StolenCredentialCheck = Pick<StolenCredentialRow, 'id' | 'salt' | 'iterations' | 'hash'>

/** So many of one employee's go into a policy, the newest first: as many as one call adds, some 1.6 MB. */
const checkedMaximum = 10_000

/** The credentials of addresses, which are given as they are kept for look-up. */
export function stolenCredentialsOf(
  db: Reader,
  org: number,
  addressHmacs: readonly string[],
): Promise<StolenCredentialCheck[]> {
  const marks = addressHmacs.map(() => '?').join(', ')
  return db.all<StolenCredentialCheck>(
    `SELECT id, salt, iterations, hash FROM stolen_credentials WHERE org = ? AND address_hmac IN (${marks})
     ORDER BY creation_timestamp DESC, id LIMIT ${checkedMaximum}`,
    [org, ...addressHmacs],
  )
}
