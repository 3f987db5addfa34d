import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** Credential of a browser. Only its hash is stored (domain contract, section 1). */
export interface BrowserCredential {
  readonly org: number
  readonly browserId: string
  /** Employee that the browser was enrolled for. */
  readonly employeeId: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly creationTimestamp: number
  readonly revokedTimestamp: number | null
  /** Time of the last recorded call while dormant; null if there was none. */
  readonly dormantCallTimestamp: number | null
}

const columns = `org, browser_id AS "browserId", employee_id AS "employeeId", hash,
  creation_timestamp AS "creationTimestamp", revoked_timestamp AS "revokedTimestamp",
  dormant_call_timestamp AS "dormantCallTimestamp"`

/** Returns the credential with a hash, in any state. */
export const findBrowserCredential = (db: Reader, hash: string): Promise<BrowserCredential | undefined> =>
  db.get<BrowserCredential>(`SELECT ${columns} FROM browser_credentials WHERE hash = ?`, [hash])

/** Returns the credential of a browser, in any state. */
export const credentialOfBrowser = (
  db: Reader,
  org: number,
  browserId: string,
): Promise<BrowserCredential | undefined> =>
  db.get<BrowserCredential>(`SELECT ${columns} FROM browser_credentials WHERE org = ? AND browser_id = ?`, [
    org,
    browserId,
  ])

/** Returns the browsers among the given ones whose credential is not revoked. */
export async function browsersWithCredential(
  db: Reader,
  org: number,
  browserIds: readonly string[],
): Promise<string[]> {
  const sql = `SELECT browser_id AS id FROM browser_credentials
    WHERE org = ? AND revoked_timestamp IS NULL AND ${db.dialect.textIn('browser_id')} ORDER BY browser_id`
  return (await db.all<{ id: string }>(sql, [org, JSON.stringify(browserIds)])).map(({ id }) => id)
}

/** Adds the credential of a browser that has none. */
export async function insertBrowserCredential(
  tx: Tx,
  credential: Omit<BrowserCredential, 'revokedTimestamp' | 'dormantCallTimestamp'>,
): Promise<void> {
  const { org, browserId, employeeId, hash, creationTimestamp } = credential
  await tx.insert(
    'browser_credentials',
    ['org', 'browser_id', 'employee_id', 'hash', 'creation_timestamp'],
    [[org, browserId, employeeId, hash, creationTimestamp]],
  )
}

/** Revokes a browser's credential; false if unknown or already revoked. */
export async function revokeBrowserCredential(
  tx: Tx,
  org: number,
  browserId: string,
  nowSeconds: number,
): Promise<boolean> {
  const sql =
    'UPDATE browser_credentials SET revoked_timestamp = ? WHERE org = ? AND browser_id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, browserId])) > 0
}

const daySeconds = 24 * 60 * 60

/**
 * Records a call of a dormant browser, at most once a day. The call keeps the credential from expiring until
 * the employee is licensed again. The browser record does not show it, because nothing is observed of an
 * employee without a license.
 */
export async function recordDormantCall(
  db: Db,
  { org, browserId }: Pick<BrowserCredential, 'org' | 'browserId'>,
  nowSeconds: number,
): Promise<void> {
  const known = await credentialOfBrowser(db, org, browserId)
  if (known === undefined || nowSeconds < (known.dormantCallTimestamp ?? 0) + daySeconds) return
  const sql = 'UPDATE browser_credentials SET dormant_call_timestamp = ? WHERE org = ? AND browser_id = ?'
  await db.inTransaction((tx) => tx.run(sql, [nowSeconds, org, browserId]))
}
