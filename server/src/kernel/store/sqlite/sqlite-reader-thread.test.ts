import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SqlDb } from '../sql.ts'
import { StoreUnavailableError } from '../sql.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: SqlDb
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-slow-'))
  db = openSqlite(join(folder, 'store.db'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const slowQuery =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT count(*) AS one FROM n'

test('close rejects pending reads of the reader thread without waiting for them', async () => {
  expect(await db.slow.get('SELECT 1 AS one')).toEqual({ one: 1 })
  const pending = Promise.allSettled(Array.from({ length: 20 }, () => db.slow.get(slowQuery)))
  await db.close()
  const last = (await pending).at(-1)
  expect(last).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
})

test('a closed store does not start the reader thread', async () => {
  await db.close()
  await expect(db.slow.all('SELECT 1 AS one')).rejects.toThrow('the store is closed')
})
