import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { rollingRestart } from './rolling-restart.ts'

test('restarting three processes behind HAProxy one after the other loses no request', async () => {
  const database = await freshDatabase()
  const seen = await rollingRestart(database.url, 1000)
  expect(seen.lost).toEqual([])
  expect(seen.restarts).toBeGreaterThanOrEqual(3)
  expect(seen.requests).toBeGreaterThanOrEqual(1000)
  expect(seen.created).toBeGreaterThan(200)
  expect(seen.stored).toBe(seen.created)
  await database.drop()
}, 300_000)
