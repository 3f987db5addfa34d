import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

/** The credential of a browser as it is kept: its hash, never itself (domain contract, section 1). */
export interface BrowserCredential {
  readonly org: number
  readonly browserId: string
  /** The employee that the browser was enrolled for. */
  readonly employeeId: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly creationTimestamp: number
  readonly revokedTimestamp: number | null
  /** When its browser was last noted to have called while it was dormant; null if it was not. */
  readonly dormantCallTimestamp: number | null
}

const columns = `org, browser_id AS "browserId", employee_id AS "employeeId", hash,
  creation_timestamp AS "creationTimestamp", revoked_timestamp AS "revokedTimestamp",
  dormant_call_timestamp AS "dormantCallTimestamp"`

/** The credential with this hash, whatever its state. */
export const findBrowserCredential = (db: Reader, hash: string): Promise<BrowserCredential | undefined> =>
  db.get<BrowserCredential>(`SELECT ${columns} FROM browser_credentials WHERE hash = ?`, [hash])

/** The credential of a browser, whatever its state. */
export const credentialOfBrowser = (
  db: Reader,
  org: number,
  browserId: string,
): Promise<BrowserCredential | undefined> =>
  db.get<BrowserCredential>(`SELECT ${columns} FROM browser_credentials WHERE org = ? AND browser_id = ?`, [
    org,
    browserId,
  ])

/** Adds the credential of a browser that had none. */
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

/** Revokes a browser's credential; false if there is none, or it was revoked before. */
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
 * Notes that a dormant browser has called, once a day: that keeps its credential until the license is back. Its record
 * shows nothing of it, for nothing is observed of an employee who has no license.
 */
export async function noteDormantCall(
  db: Db,
  { org, browserId }: Pick<BrowserCredential, 'org' | 'browserId'>,
  nowSeconds: number,
): Promise<void> {
  const known = await credentialOfBrowser(db, org, browserId)
  if (known === undefined || nowSeconds < (known.dormantCallTimestamp ?? 0) + daySeconds) return
  const sql = 'UPDATE browser_credentials SET dormant_call_timestamp = ? WHERE org = ? AND browser_id = ?'
  await db.inTransaction((tx) => tx.run(sql, [nowSeconds, org, browserId]))
}
