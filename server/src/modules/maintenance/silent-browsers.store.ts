import { browsers } from '@muster/contract/records/browser'
import type { Reader } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'

/** Counts the browsers without contact since a time, in UNIX seconds: neither reports nor calls while dormant. */
export async function countSilentBrowsers(reader: Reader, org: number, before: number): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${tableOf(browsers).name} AS b
    WHERE b.org = ? AND b.last_online_timestamp < ? AND NOT EXISTS (SELECT 1 FROM browser_credentials AS c
      WHERE c.org = b.org AND c.browser_id = b.id AND c.dormant_call_timestamp >= ?)`
  return Number((await reader.get<{ count: number }>(sql, [org, before, before]))?.count ?? 0)
}
