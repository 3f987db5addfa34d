import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'

export type Permission = 'READ_ONLY' | 'FULL_ACCESS'

/** A stored API key: its hash and first characters, never the key itself (REST contract, Authentication). */
export interface ApiKey {
  org: number
  id: string
  name: string
  /** E-mail address of the administrator who holds it. Rate limits are per holder. */
  holder: string
  permission: Permission
  start: string
  hash: string
  creationTimestamp: number
  expiryTimestamp: number | null
  lastUsedTimestamp: number | null
  revokedTimestamp: number | null
  /** ID of its successor. */
  replacedBy: string | null
}

const columns = `org, id, name, holder, permission, start, hash, creation_timestamp AS "creationTimestamp",
  expiry_timestamp AS "expiryTimestamp", last_used_timestamp AS "lastUsedTimestamp", revoked_timestamp AS "revokedTimestamp",
  replaced_by AS "replacedBy"`

/** Finds a key by hash in any state. */
export const findApiKeyByHash = (db: Reader, hash: string): Promise<ApiKey | undefined> =>
  db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE hash = ?`, [hash])

export const findApiKey = (db: Reader, org: number, id: string): Promise<ApiKey | undefined> =>
  db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE org = ? AND id = ?`, [org, id])

/** Lists all keys of an organization, oldest first. */
export const listApiKeys = (db: Reader, org: number): Promise<ApiKey[]> =>
  db.all<ApiKey>(`SELECT ${columns} FROM api_keys WHERE org = ? ORDER BY creation_timestamp, id`, [org])

/** Lists the active keys of one or all organizations. */
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

/** Revokes a key. @returns false if it does not exist or is revoked already */
export async function revokeApiKey(tx: Tx, org: number, id: string, nowSeconds: number): Promise<boolean> {
  const sql =
    'UPDATE api_keys SET revoked_timestamp = ? WHERE org = ? AND id = ? AND revoked_timestamp IS NULL'
  return (await tx.run(sql, [nowSeconds, org, id])) > 0
}

/**
 * Records the successor of a key and when the key stops working.
 *
 * @returns false if the key is not active or already has a successor; only one of several concurrent calls succeeds
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

/** Lists expired keys whose expiry was not audited yet, oldest first. */
export const listUnauditedExpiredKeys = (tx: Tx, nowSeconds: number, limit: number): Promise<ApiKey[]> =>
  tx.all<ApiKey>(
    `SELECT ${columns} FROM api_keys WHERE expiry_told = 0 AND revoked_timestamp IS NULL AND expiry_timestamp <= ?
     ORDER BY expiry_timestamp LIMIT ?`,
    [nowSeconds, limit],
  )

/** Marks the expiry of a key as audited. @returns false if it was marked already */
export async function markExpiryAudited(tx: Tx, { org, id }: ApiKey): Promise<boolean> {
  const sql = 'UPDATE api_keys SET expiry_told = 1 WHERE org = ? AND id = ? AND expiry_told = 0'
  return (await tx.run(sql, [org, id])) > 0
}

/** Writes the last use of keys. */
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
