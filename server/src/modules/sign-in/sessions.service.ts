import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { lockAdministrator } from '../administrators/administrators.service.ts'

/** Console session. The cookie's hash is stored, not the cookie. */
export interface SessionRow {
  hash: string
  org: number
  administratorId: string
  /** `SECOND_FACTOR`: the first factor was verified; nothing but the second step is allowed. */
  stage: 'SECOND_FACTOR' | 'ACTIVE'
  creationTimestamp: number
  lastSeenTimestamp: number
  /** Time of the last authentication; 0 if unknown. */
  authenticatedTimestamp: number
  /** Pending WebAuthn challenge, or the secret of an authenticator app during its setup. */
  challenge: string | null
  challengeTimestamp: number | null
  sourceIpAddress: string
  userAgent: string | null
}

const columns = {
  hash: 'hash',
  org: 'org',
  administratorId: 'administrator_id',
  stage: 'stage',
  creationTimestamp: 'creation_timestamp',
  lastSeenTimestamp: 'last_seen_timestamp',
  authenticatedTimestamp: 'authenticated_timestamp',
  challenge: 'challenge',
  challengeTimestamp: 'challenge_timestamp',
  sourceIpAddress: 'source_ip_address',
  userAgent: 'user_agent',
} as const satisfies Record<keyof SessionRow, string>

const selected = Object.entries(columns)
  .map(([member, column]) => `${column} AS "${member}"`)
  .join(', ')

export const findSession = (db: Reader, hash: string): Promise<SessionRow | undefined> =>
  db.get<SessionRow>(`SELECT ${selected} FROM console_sessions WHERE hash = ?`, [hash])

/** Returns the sessions of an administrator, newest first. */
export const listSessionRows = (db: Reader, org: number, administratorId: string): Promise<SessionRow[]> =>
  db.all<SessionRow>(
    `SELECT ${selected} FROM console_sessions WHERE org = ? AND administrator_id = ? ORDER BY creation_timestamp DESC, hash`,
    [org, administratorId],
  )

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  const members = Object.keys(columns) as (keyof SessionRow)[]
  await tx.insert(
    'console_sessions',
    members.map((member) => columns[member]),
    [members.map((member) => row[member])],
  )
}

/** Ends a session; false if it has already ended. */
export const removeSession = async (tx: Tx, hash: string): Promise<boolean> =>
  (await tx.run('DELETE FROM console_sessions WHERE hash = ?', [hash])) > 0

/** Ends all sessions of an administrator, except the one with the hash `except`. */
export async function removeSessions(
  tx: Tx,
  org: number,
  administratorId: string,
  except?: string,
): Promise<void> {
  await lockAdministrator(tx, org, administratorId)
  await tx.run('DELETE FROM console_sessions WHERE org = ? AND administrator_id = ? AND hash <> ?', [
    org,
    administratorId,
    except ?? '',
  ])
}

export async function touchSession(tx: Tx, hash: string, nowSeconds: number): Promise<void> {
  await tx.run('UPDATE console_sessions SET last_seen_timestamp = ? WHERE hash = ?', [nowSeconds, hash])
}

/** Sets the pending challenge of a session. */
export async function setChallenge(
  tx: Tx,
  hash: string,
  challenge: string,
  nowSeconds: number,
): Promise<void> {
  await tx.run('UPDATE console_sessions SET challenge = ?, challenge_timestamp = ? WHERE hash = ?', [
    challenge,
    nowSeconds,
    hash,
  ])
}

/** Consumes a challenge; false if it has already been used. */
export const takeChallenge = async (tx: Tx, hash: string, challenge: string): Promise<boolean> =>
  (await tx.run(
    'UPDATE console_sessions SET challenge = NULL, challenge_timestamp = NULL WHERE hash = ? AND challenge = ?',
    [hash, challenge],
  )) > 0

/** Removes ended sessions: started before `startedBefore`, or last seen before `seenBefore`. */
export async function removeOldSessions(tx: Tx, startedBefore: number, seenBefore: number): Promise<void> {
  await tx.run('DELETE FROM console_sessions WHERE creation_timestamp < ?', [startedBefore])
  await tx.run('DELETE FROM console_sessions WHERE last_seen_timestamp < ?', [seenBefore])
}
