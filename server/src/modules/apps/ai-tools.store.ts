import type { Fragment } from '../../kernel/query/predicates.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { isAiDomain } from './ai-domain.rules.ts'
import type { ToolUse } from './ai-usage.rules.ts'
import { appTypesIn } from './app-categories.service.ts'
import { readIdentityTest } from './identity.service.ts'

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

/** Apps whose accounts are in one table. */
export interface Tools {
  readonly source: (typeof accountSources)[keyof typeof accountSources]
  readonly appIds: readonly string[]
}

/** Reads the uses of apps since a time, one for each app that was used. */
export async function readToolUses(
  db: Reader,
  org: number,
  tools: Tools,
  fromSeconds: number,
): Promise<ToolUse[]> {
  const isOf = await readIdentityTest(db, org)
  const work = isOf('WORK', 'u.email', 'u.org')
  const userName = isOf('USER_NAME', 'u.email', 'u.org')
  const sum = (test: string) => `sum(CASE WHEN ${test} THEN 1 ELSE 0 END)`
  const { app } = tools.source
  const used = usedSince(db, org, tools, fromSeconds)
  const sql = `SELECT u.${app} AS "appId", count(DISTINCT u.employee_id) AS people, count(*) AS accounts, ${sum(work.sql)} AS work,
      ${sum(userName.sql)} AS "userNames", max(u.last_used_timestamp) AS last
    ${used.sql} GROUP BY u.${app}`
  return db.all<ToolUse>(sql, [...work.params, ...userName.params, ...used.params])
}

/** Counts the people who used any of the apps since a time, and those of them who did so with a private account. */
export async function countToolPeople(
  db: Reader,
  org: number,
  tools: readonly Tools[],
  fromSeconds: number,
): Promise<{ people: number; privatePeople: number }> {
  const isPrivate = (await readIdentityTest(db, org))('PRIVATE', 'u.email', 'u.org')
  const parts = tools.map((some) => {
    const used = usedSince(db, org, some, fromSeconds)
    return {
      sql: `SELECT u.employee_id AS person, CASE WHEN ${isPrivate.sql} THEN u.employee_id END AS private_person ${used.sql}`,
      params: [...isPrivate.params, ...used.params],
    }
  })
  const sql = `SELECT count(DISTINCT person) AS people, count(DISTINCT private_person) AS "privatePeople"
    FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS uses`
  const row = await db.get<{ people: number; privatePeople: number }>(
    sql,
    parts.flatMap(({ params }) => params),
  )
  return row ?? { people: 0, privatePeople: 0 }
}

/** Returns the rows `u` of the accounts of apps that were used since a time. */
function usedSince(
  { dialect }: Reader,
  org: number,
  { source: { table, app, index }, appIds }: Tools,
  fromSeconds: number,
): Fragment {
  return {
    sql: `FROM ${table} u${dialect.indexedBy(index)}
    WHERE u.org = ? AND ${dialect.textIn(`u.${app}`)} AND u.last_used_timestamp >= ?`,
    params: [org, JSON.stringify(appIds), fromSeconds],
  }
}
