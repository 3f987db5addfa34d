import type { ApiVersion } from '@muster/contract/records/notice'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Deprecation dates of an API version, for the whole server, in UNIX seconds. */
export interface ApiDeprecationRow {
  version: ApiVersion
  /** ID of the announcement. Changes with the dates. */
  noticeId: string
  deprecationTimestamp: number
  sunsetTimestamp: number | null
  changedTimestamp: number
}

const columns = `version, notice_id AS "noticeId", deprecation_timestamp AS "deprecationTimestamp",
  sunset_timestamp AS "sunsetTimestamp", changed_timestamp AS "changedTimestamp"`

/** Lists the versions that are or will be deprecated. */
export const listApiDeprecations = (db: Reader): Promise<ApiDeprecationRow[]> =>
  db.all<ApiDeprecationRow>(`SELECT ${columns} FROM api_deprecations ORDER BY version`)

export const findApiDeprecation = (db: Reader, version: ApiVersion): Promise<ApiDeprecationRow | undefined> =>
  db.get<ApiDeprecationRow>(`SELECT ${columns} FROM api_deprecations WHERE version = ?`, [version])

/**
 * Serializes changes of keys and dates. Without it, a key created while dates are set could be missed by both
 * transactions, and its holder would not be notified.
 */
export const lockApiDeprecations = (tx: Tx): Promise<void> => tx.lock('api deprecations')

export async function putApiDeprecation(tx: Tx, row: ApiDeprecationRow): Promise<void> {
  const names = ['version', 'notice_id', 'deprecation_timestamp', 'sunset_timestamp', 'changed_timestamp']
  const updates = names.slice(1).map((name) => `${name} = excluded.${name}`)
  const values = [
    row.version,
    row.noticeId,
    row.deprecationTimestamp,
    row.sunsetTimestamp,
    row.changedTimestamp,
  ]
  await tx.insert(
    'api_deprecations',
    names,
    [values],
    `ON CONFLICT (version) DO UPDATE SET ${updates.join(', ')}`,
  )
}

export async function removeApiDeprecation(tx: Tx, version: ApiVersion): Promise<void> {
  await tx.run('DELETE FROM api_deprecations WHERE version = ?', [version])
}
