import type { Role } from '@muster/contract/console/console-operation'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Param, Reader, Tx } from '../../kernel/store/sql.ts'

/** Console administrator as stored. Secrets are hashed or encrypted. */
export interface AdministratorRow {
  org: number
  id: string
  email: string
  name: string
  role: Role
  passwordHash: string | null
  /** Encrypted with the deployment's key. */
  totpSecret: string | null
  /** Time step of the last accepted code, to prevent replay. */
  totpLastStep: number | null
  oidcIssuer: string | null
  oidcSubject: string | null
  creationTimestamp: number
  lastSignInTimestamp: number | null
}

/** Column of each member. */
const columns = {
  org: 'org',
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  passwordHash: 'password_hash',
  totpSecret: 'totp_secret',
  totpLastStep: 'totp_last_step',
  oidcIssuer: 'oidc_issuer',
  oidcSubject: 'oidc_subject',
  creationTimestamp: 'creation_timestamp',
  lastSignInTimestamp: 'last_sign_in_timestamp',
} as const satisfies Record<keyof AdministratorRow, string>

const selected = Object.entries(columns)
  .map(([member, column]) => `${column} AS "${member}"`)
  .join(', ')

export const findAdministrator = (
  db: Reader,
  org: number,
  id: string,
): Promise<AdministratorRow | undefined> =>
  db.get<AdministratorRow>(`SELECT ${selected} FROM administrators WHERE org = ? AND id = ?`, [org, id])

/**
 * Reads an administrator and locks the row until the transaction ends. Must be called before sessions are created or
 * removed; otherwise a session that is being created could survive a "sign out everywhere".
 */
export const lockAdministrator = (tx: Tx, org: number, id: string): Promise<AdministratorRow | undefined> =>
  tx.get<AdministratorRow>(
    `SELECT ${selected} FROM administrators WHERE org = ? AND id = ?${tx.dialect.forUpdate}`,
    [org, id],
  )

export const findAdministratorByEmail = (
  db: Reader,
  org: number,
  email: string,
): Promise<AdministratorRow | undefined> =>
  db.get<AdministratorRow>(`SELECT ${selected} FROM administrators WHERE org = ? AND email_key = ?`, [
    org,
    foldCase(email),
  ])

/** Returns the administrators with this address in all organizations, ordered by organization. */
export const administratorsWithEmail = (db: Reader, email: string): Promise<AdministratorRow[]> =>
  db.all<AdministratorRow>(`SELECT ${selected} FROM administrators WHERE email_key = ? ORDER BY org`, [
    foldCase(email),
  ])

/** Returns the maximum number of passwords that a single address has across its organizations. */
export const maximumPasswordsPerEmail = async (db: Reader): Promise<number> =>
  (
    await db.get<{ passwords: number }>(
      'SELECT count(*) AS passwords FROM administrators WHERE password_hash IS NOT NULL GROUP BY email_key ORDER BY 1 DESC LIMIT 1',
    )
  )?.passwords ?? 0

/** Returns the administrators with this subject in all organizations, ordered by organization. */
export const administratorsWithSubject = (
  db: Reader,
  issuer: string,
  subject: string,
): Promise<AdministratorRow[]> =>
  db.all<AdministratorRow>(
    `SELECT ${selected} FROM administrators WHERE oidc_issuer = ? AND oidc_subject = ? ORDER BY org`,
    [issuer, subject],
  )

/** Returns the administrators of an organization, oldest first. */
export const listAdministratorRows = (db: Reader, org: number): Promise<AdministratorRow[]> =>
  db.all<AdministratorRow>(
    `SELECT ${selected} FROM administrators WHERE org = ? ORDER BY creation_timestamp, id`,
    [org],
  )

/** True if an organization has an owner. Until then it is set up with a link. */
export const hasOwner = async (db: Reader, org: number): Promise<boolean> => (await countOwners(db, org)) > 0

export const countOwners = async (db: Reader, org: number): Promise<number> =>
  (
    await db.get<{ owners: number }>(
      "SELECT count(*) AS owners FROM administrators WHERE org = ? AND role = 'OWNER'",
      [org],
    )
  )?.owners ?? 0

/** @throws UniqueViolationError if the organization has an administrator with this address */
export async function insertAdministrator(tx: Tx, row: AdministratorRow): Promise<void> {
  const members = Object.keys(columns) as (keyof AdministratorRow)[]
  await tx.insert(
    'administrators',
    [...members.map((member) => columns[member]), 'email_key'],
    [[...members.map((member) => row[member]), foldCase(row.email)]],
  )
}

type Changeable = Omit<AdministratorRow, 'org' | 'id' | 'email' | 'creationTimestamp'>

/** Changes the given members of an administrator; false if there is none. */
export async function updateAdministrator(
  tx: Tx,
  org: number,
  id: string,
  change: Partial<Changeable>,
): Promise<boolean> {
  const entries = Object.entries(change) as [keyof Changeable, Param][]
  const assignments = entries.map(([member]) => `${columns[member]} = ?`).join(', ')
  const sql = `UPDATE administrators SET ${assignments} WHERE org = ? AND id = ?`
  return (await tx.run(sql, [...entries.map(([, value]) => value), org, id])) > 0
}

/** Consumes a TOTP step; false if it or a later one was used before. */
export async function takeTotpStep(tx: Tx, org: number, id: string, step: number): Promise<boolean> {
  const sql =
    'UPDATE administrators SET totp_last_step = ? WHERE org = ? AND id = ? AND (totp_last_step IS NULL OR totp_last_step < ?)'
  return (await tx.run(sql, [step, org, id, step])) > 0
}

const administratorTables = [
  'passkeys',
  'recovery_codes',
  'console_sessions',
  'invitations',
  'report_subscriptions',
] as const

/** Removes an administrator with all their data except for filters that they share; false if there is none. */
export async function removeAdministratorRow(tx: Tx, org: number, id: string): Promise<boolean> {
  await lockAdministrator(tx, org, id)
  for (const table of administratorTables)
    await tx.run(`DELETE FROM ${table} WHERE org = ? AND administrator_id = ?`, [org, id])
  // Shared filters stay, without an owner.
  await tx.run('DELETE FROM saved_filters WHERE org = ? AND administrator_id = ? AND shared = 0', [org, id])
  await tx.run('UPDATE work_states SET assignee_id = NULL WHERE org = ? AND assignee_id = ?', [org, id])
  return (await tx.run('DELETE FROM administrators WHERE org = ? AND id = ?', [org, id])) > 0
}

/** Replaces the recovery codes of an administrator. */
export async function replaceRecoveryCodes(
  tx: Tx,
  org: number,
  administratorId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM recovery_codes WHERE org = ? AND administrator_id = ?', [org, administratorId])
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => [org, administratorId, hash])
  await tx.insert('recovery_codes', ['org', 'administrator_id', 'hash'], rows)
}

/** Consumes a recovery code; false if there is none with this hash. */
export const takeRecoveryCode = async (
  tx: Tx,
  org: number,
  administratorId: string,
  hash: string,
): Promise<boolean> =>
  (await tx.run('DELETE FROM recovery_codes WHERE org = ? AND administrator_id = ? AND hash = ?', [
    org,
    administratorId,
    hash,
  ])) > 0

/** Returns the number of unused recovery codes. */
export const countRecoveryCodes = async (db: Reader, org: number, administratorId: string): Promise<number> =>
  (
    await db.get<{ codes: number }>(
      'SELECT count(*) AS codes FROM recovery_codes WHERE org = ? AND administrator_id = ?',
      [org, administratorId],
    )
  )?.codes ?? 0
