import type { AppSignIns } from '@muster/contract/console/console-apps'
import { type ConsoleLoginMethod, consoleLoginMethods } from '@muster/contract/console/login-methods'
import type { LoginMethods } from '@muster/contract/records/account'
import { firstSequenceOf } from '../../kernel/store/sequence.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import type { Tools } from './ai-tools.store.ts'

const lastLogin: Readonly<Record<ConsoleLoginMethod, (methods: LoginMethods) => number | null>> = {
  PASSWORD: ({ lastPasswordLoginTimestamp }) => lastPasswordLoginTimestamp,
  OIDC: ({ lastOidcLoginTimestamp }) => lastOidcLoginTimestamp,
  SAML: ({ lastSamlLoginTimestamp }) => lastSamlLoginTimestamp,
  OKTA_SWA: ({ lastOktaSwaLoginTimestamp }) => lastOktaSwaLoginTimestamp,
  VENDOR_SSO: ({ lastVendorSsoLoginTimestamp }) => lastVendorSsoLoginTimestamp,
  FEDCM: ({ lastFedCmLoginTimestamp }) => lastFedCmLoginTimestamp,
}

/** Rows per statement, to let other reads of the thread run in between. */
const rowsPerRead = 2000

/**
 * Counts the accounts of an app by the week of their last sign-in by each method. Methods without any are left out.
 *
 * @param bounds UNIX seconds: each value but the last starts a week that ends before the next value
 */
export async function readSignIns(
  db: Reader,
  org: number,
  appId: string,
  bounds: readonly number[],
): Promise<AppSignIns['methods']> {
  const weeks = bounds.slice(0, -1)
  const counts = new Map(consoleLoginMethods.map((method) => [method, weeks.map(() => 0)]))
  // SQLite returns a single member itself, not an array.
  const members = db.dialect.jsonMembers('record', ['loginMethods', 'id'])
  const sql = `SELECT seq, ${members} AS members FROM accounts${db.dialect.indexedBy('accounts_by_app_id')}
    WHERE org = ? AND app_id = ? AND seq > ? ORDER BY seq LIMIT ${rowsPerRead}`
  for (let after = -1; ; ) {
    const rows = await db.all<{ seq: number; members: string }>(sql, [org, appId, after])
    for (const { members: text } of rows) {
      const [methods] = JSON.parse(text) as [LoginMethods]
      for (const [method, perWeek] of counts) {
        const week = weekOf(lastLogin[method](methods), bounds)
        if (week !== undefined) perWeek[week] = (perWeek[week] ?? 0) + 1
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerRead) break
    after = last.seq
  }
  return [...counts]
    .filter(([, accounts]) => accounts.some((count) => count > 0))
    .map(([method, accounts]) => ({ method, accounts }))
}

/** Returns the position of the week with a time; undefined if it is before the first or after the last one. */
function weekOf(seconds: number | null, bounds: readonly number[]): number | undefined {
  if (seconds === null) return undefined
  const week = bounds.findLastIndex((from) => from <= seconds)
  return week >= 0 && week < bounds.length - 1 ? week : undefined
}

/** Counts the accounts of apps that were added in each of several consecutive windows. */
export async function countNewAccounts(
  db: Reader,
  org: number,
  { source: { table, app }, appIds }: Tools,
  bounds: readonly number[],
): Promise<number[]> {
  const ids = JSON.stringify(appIds)
  const index = db.dialect.indexedBy(`${table}_by_${app}`)
  const sql = `SELECT count(*) AS count FROM ${table} u${index} WHERE u.org = ? AND ${db.dialect.textIn(`u.${app}`)} AND u.seq >= ? AND u.seq < ?`
  const counts: number[] = []
  for (const [at, from] of bounds.slice(0, -1).entries()) {
    const below = firstSequenceOf(bounds[at + 1] ?? from)
    const row = await db.get<{ count: number }>(sql, [org, ids, firstSequenceOf(from), below])
    counts.push(row?.count ?? 0)
  }
  return counts
}
