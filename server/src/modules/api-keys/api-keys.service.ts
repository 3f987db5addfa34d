import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

export type Permission = 'READ_ONLY' | 'FULL_ACCESS'

/** An API key as it is kept: its hash and its first characters, never the key (REST contract, Authentication). */
export interface ApiKey {
  org: number
  id: string
  name: string
  /** The e-mail address of the administrator it was made for: the user whose requests are counted. */
  holder: string
  permission: Permission
  start: string
  hash: string
  creationTimestamp: number
  expiryTimestamp: number | null
  lastUsedTimestamp: number | null
  revokedTimestamp: number | null
  /** The id of the key that was made in its place. */
  replacedBy: string | null
}

const columns = `org, id, name, holder, permission, start, hash, creation_timestamp AS "creationTimestamp",
  expiry_timestamp AS "expiryTimestamp", last_used_timestamp AS "lastUsedTimestamp", revoked_timestamp AS "revokedTimestamp",
  replaced_by AS "replacedBy"`

/** The key with this hash, whatever its state. */
export const findApiKeyByHash = (db: Reader, hash: string): Promise<ApiKey | undefined> =>
  db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE hash = ?`, [hash])

export const findApiKey = (db: Reader, org: number, id: string): Promise<ApiKey | undefined> =>
  db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE org = ? AND id = ?`, [org, id])

/** All keys of an organization, oldest first. */
export const listApiKeys = (db: Reader, org: number): Promise<ApiKey[]> =>
  db.all<ApiKey>(`SELECT ${columns} FROM api_keys WHERE org = ? ORDER BY creation_timestamp, id`, [org])

/** The keys that work at a moment: of one organization, or of all. */
export const listActiveApiKeys = (db: Reader, nowSeconds: number, org?: number): Promise<ApiKey[]> =>
  db.all<ApiKey>(
    `SELECT ${columns} FROM api_keys WHERE revoked_timestamp IS NULL AND (expiry_timestamp IS NULL OR expiry_timestamp > ?)
     ${org === undefined ? '' : 'AND org = ?'} ORDER BY org, creation_timestamp, id`,
    org === undefined ? [nowSeconds] : [nowSeconds, org],
  )

export async function insertApiKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx.insert(
    'api_keys',
    ['org', 'id', 'name', 'holder', 'permission', 'start', 'hash', 'creation_timestamp', 'expiry_timestamp'],
    [
      [
        key.org,
        key.id,
        key.name,
        key.holder,
        key.permission,
        key.start,
        key.hash,
        key.creationTimestamp,
        key.expiryTimestamp,
      ],
    ],
  )
}

/** Revokes a key; false if there is none, or it was revoked before. */
export async function revokeApiKey(tx: Tx, org: number, id: string, nowSeconds: number): Promise<boolean> {
  const sql =
    'UPDATE api_keys SET revoked_timestamp = ? WHERE org = ? AND id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, id])) > 0
}

/**
 * Notes that another key comes in the place of one, and when that stops working; false if it does not work now, or was
 * replaced before: of several who do it at once one is told true.
 */
export async function replaceApiKey(
  tx: Tx,
  { org, id }: ApiKey,
  change: Pick<ApiKey, 'replacedBy' | 'expiryTimestamp' | 'revokedTimestamp'>,
  nowSeconds: number,
): Promise<boolean> {
  const sql = `UPDATE api_keys SET replaced_by = ?, expiry_timestamp = ?, revoked_timestamp = ? WHERE org = ? AND id = ?
    AND replaced_by IS NULL AND revoked_timestamp IS NULL AND (expiry_timestamp IS NULL OR expiry_timestamp > ?)`
  const { replacedBy, expiryTimestamp, revokedTimestamp } = change
  return (await tx.run(sql, [replacedBy, expiryTimestamp, revokedTimestamp, org, id, nowSeconds])) > 0
}

/** Keys whose time is over and of which that was not told yet, the oldest first. */
export const untoldExpiredKeys = (tx: Tx, nowSeconds: number, limit: number): Promise<ApiKey[]> =>
  tx.all<ApiKey>(
    `SELECT ${columns} FROM api_keys WHERE expiry_told = 0 AND revoked_timestamp IS NULL AND expiry_timestamp <= ?
     ORDER BY expiry_timestamp LIMIT ?`,
    [nowSeconds, limit],
  )

/** Notes that the end of a key's time was told; false if it was noted before. */
export async function markExpiryTold(tx: Tx, { org, id }: ApiKey): Promise<boolean> {
  const sql = 'UPDATE api_keys SET expiry_told = 1 WHERE org = ? AND id = ? AND expiry_told = 0'
  return (await tx.run(sql, [org, id])) > 0
}

/** Notes when keys were last used. */
export async function touchApiKeys(
  db: Db,
  uses: readonly { org: number; id: string; atSeconds: number }[],
): Promise<void> {
  await db.inTransaction(async (tx) => {
    for (const { org, id, atSeconds } of uses) {
      await tx.run('UPDATE api_keys SET last_used_timestamp = ? WHERE org = ? AND id = ?', [
        atSeconds,
        org,
        id,
      ])
    }
  })
}
