import { Redis } from 'ioredis'
import { expect, inject, test } from 'vitest'
import postgres from '../../server/vendor/postgres/src/index.js'
import { countsLine } from './counts-reporter.ts'
import { freshDatabase } from './database.ts'

test('each fresh database is empty and separate', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  const sql = postgres(one.url, { max: 1 })
  await sql`CREATE TABLE mark (n integer)`
  const tables = await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
  expect(tables.map((row) => row.tablename)).toEqual(['mark'])
  await sql.end()
  const elsewhere = postgres(other.url, { max: 1 })
  expect(await elsewhere`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`).toHaveLength(0)
  await elsewhere.end()
  await Promise.all([one.drop(), other.drop()])
})

test('dropping a database closes open connections to it', async () => {
  const database = await freshDatabase()
  const sql = postgres(database.url, { max: 1, onclose: () => {} })
  await sql`SELECT 1`
  await database.drop()
  await expect(sql`SELECT 1`).rejects.toThrow(/terminat|does not exist/)
  await sql.end()
})

test('the private Redis stores nothing on disk', async () => {
  const redis = new Redis(inject('redisUrl'))
  expect(await redis.config('GET', 'save')).toEqual(['save', ''])
  expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'no'])
  await redis.quit()
})

test('the counts line names skipped tests only if there are any', () => {
  expect(countsLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
  expect(countsLine({ passed: 3, failed: 2, skipped: 1 })).toBe('3 passed, 2 failed, 1 skipped')
})
