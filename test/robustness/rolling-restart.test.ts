import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { rollingRestart } from './rolling-restart.ts'

test('three processes behind HAProxy are restarted one after the other, and no request is lost', async () => {
  const database = await freshDatabase()
  const seen = await rollingRestart(database.url, 1000)
  expect(seen.lost).toEqual([])
  expect(seen.restarts).toBeGreaterThanOrEqual(3)
  expect(seen.requests).toBeGreaterThanOrEqual(1000)
  expect(seen.created).toBeGreaterThan(200)
  expect(seen.stored).toBe(seen.created)
  await database.drop()
}, 300_000)
