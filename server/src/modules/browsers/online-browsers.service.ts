import type { Reader } from '../../kernel/store/sql.ts'

/** Counts the browsers of an organization that reported since a time, in UNIX seconds. */
export async function countOnlineBrowsers(reader: Reader, org: number, since: number): Promise<number> {
  const index = reader.dialect.indexedBy('browsers_by_last_online_timestamp')
  const sql = `SELECT count(*) AS browsers FROM browsers${index} WHERE org = ? AND last_online_timestamp >= ?`
  return (await reader.get<{ browsers: number }>(sql, [org, since]))?.browsers ?? 0
}
