import type { Reader } from '../../kernel/store/sql.ts'
import { isAiDomain } from './ai-domain.rules.ts'
import type { ToolUse } from './ai-usage.rules.ts'
import { appTypesIn } from './app-categories.service.ts'
import { readIdentityTest } from './identity.store.ts'

/** Returns the IDs of the apps of the catalog category AI. */
export async function aiAppIds(db: Reader, org: number): Promise<string[]> {
  const types = JSON.stringify(await appTypesIn(db, org, ['AI']))
  const sql = `SELECT id FROM apps WHERE org = ? AND ${db.dialect.textIn('type')}`
  return (await db.all<{ id: string }>(sql, [org, types])).map(({ id }) => id)
}

/** Returns the IDs of the apps outside the catalog that are probably AI tools, without hidden ones. */
export async function aiOtherAppIds(db: Reader, org: number): Promise<string[]> {
  const sql = `SELECT id FROM apps_other WHERE org = ? AND hidden = 0 AND ${isAiDomain('domain')}`
  return (await db.all<{ id: string }>(sql, [org])).map(({ id }) => id)
}

/** Tables of accounts, with the column of their app and the index that leads from an app to its accounts. */
export const accountSources = {
  recognized: { table: 'accounts', app: 'app_id', index: 'accounts_last_use' },
  other: { table: 'accounts_other', app: 'other_app_id', index: 'accounts_other_by_other_app_id' },
} as const

/** Reads the uses of apps since a time, one for each app and employee. */
export async function readToolUses(
  db: Reader,
  org: number,
  { table, app, index }: (typeof accountSources)[keyof typeof accountSources],
  appIds: readonly string[],
  fromSeconds: number,
): Promise<ToolUse[]> {
  if (appIds.length === 0) return []
  const isOf = await readIdentityTest(db, org)
  const work = isOf('WORK', 'u.email', 'u.org')
  const userName = isOf('USER_NAME', 'u.email', 'u.org')
  const sum = (test: string) => `sum(CASE WHEN ${test} THEN 1 ELSE 0 END)`
  const sql = `SELECT u.${app} AS "appId", u.employee_id AS "employeeId", count(*) AS accounts, ${sum(work.sql)} AS work,
      ${sum(userName.sql)} AS "userNames", max(u.last_used_timestamp) AS last
    FROM ${table} u${db.dialect.indexedBy(index)}
    WHERE u.org = ? AND ${db.dialect.textIn(`u.${app}`)} AND u.last_used_timestamp >= ?
    GROUP BY u.${app}, u.employee_id`
  const ids = JSON.stringify(appIds)
  return db.all<ToolUse>(sql, [...work.params, ...userName.params, org, ids, fromSeconds])
}
