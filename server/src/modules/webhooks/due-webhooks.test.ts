import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, migratedDatabase } from '../../../../test/support/database.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'
import type { Reader, SqlDb } from '../../kernel/store/sql.ts'
import { dueWebhooks } from './webhook-deliveries.store.ts'

let database: FreshDatabase
let db: SqlDb

beforeAll(async () => {
  database = await migratedDatabase()
  db = openPostgres(database.url, { connections: 1 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('endpoints with due deliveries are found by key, also by a plan from a time with few deliveries', async () => {
  await db.all(
    `INSERT INTO webhook_deliveries (org, webhook_id, event_id, state, attempts, due_ms)
     SELECT 1, 'gone', n::text, 'PENDING', 0, n FROM generate_series(1, 20) AS n`,
  )
  await db.all('ANALYZE webhook_deliveries')
  const plans: unknown[] = []
  const explaining: Reader = {
    ...db,
    all: async (sql, params) => {
      plans.push(await db.all(`EXPLAIN (FORMAT JSON) ${sql}`, params))
      return []
    },
  }
  await dueWebhooks(explaining, 10_000)
  const conditions = [...JSON.stringify(plans).matchAll(/"Index Cond": ?"([^"]*)"/g)].map(
    ([, condition]) => condition,
  )
  expect(conditions).toEqual([expect.stringContaining('org = w.org')])
})
