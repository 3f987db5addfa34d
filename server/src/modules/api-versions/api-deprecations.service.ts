import type { ApiVersion } from '@muster/contract/notice'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** The dates of a version of the API, for the whole server. Times in UNIX seconds. */
export interface ApiDeprecationRow {
  version: ApiVersion
  /** Names this announcement; another date is another one. */
  noticeId: string
  deprecationTimestamp: number
  sunsetTimestamp: number | null
  changedTimestamp: number
}

const columns = `version, notice_id AS "noticeId", deprecation_timestamp AS "deprecationTimestamp",
  sunset_timestamp AS "sunsetTimestamp", changed_timestamp AS "changedTimestamp"`

/** The versions that are deprecated, or will be. */
export const listApiDeprecations = (db: Reader): Promise<ApiDeprecationRow[]> =>
  db.all<ApiDeprecationRow>(`SELECT ${columns} FROM api_deprecations ORDER BY version`)

export const findApiDeprecation = (db: Reader, version: ApiVersion): Promise<ApiDeprecationRow | undefined> =>
  db.get<ApiDeprecationRow>(`SELECT ${columns} FROM api_deprecations WHERE version = ?`, [version])

/**
 * Lets keys and dates be changed one after the other, so that no holder falls between them: whoever makes a key sees the
 * dates, or whoever sets the dates sees the key.
 */
export const lockApiDeprecations = (tx: Tx): Promise<void> => tx.lock('api deprecations')

/** Sets the dates of a version. */
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

/** Takes the dates of a version back. */
export async function removeApiDeprecation(tx: Tx, version: ApiVersion): Promise<void> {
  await tx.run('DELETE FROM api_deprecations WHERE version = ?', [version])
}
