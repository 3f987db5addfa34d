import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, migratedDatabase } from '../../../../../test/support/database.ts'
import { type RecordInsert, type SqlDb, StoreUnavailableError } from '../sql.ts'
import { openPostgres } from './postgres.ts'
import { combineWrites, type Write } from './postgres-writes.ts'

let database: FreshDatabase
let db: SqlDb

beforeEach(async () => {
  database = await migratedDatabase()
  db = openPostgres(database.url, { connections: 4 })
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const run = (writes: readonly Write[], perSecond?: number): Promise<unknown> => {
  const { sql, params } = combineWrites(writes, perSecond)
  return db.all(sql, params)
}
const firstSeq = 1000
let made = 0
const blockedUrl = (): RecordInsert => ({
  table: 'blocked_urls',
  org: 1,
  firstSeq,
  columns: ['unlisted', 'id', 'record'],
  values: [made % 2, `${++made}`, '{}'],
  sides: [],
})
const group = (value: string): Write => ({
  table: 'employees_groups',
  columns: ['org', 'value', 'seq'],
  row: [1, value, 1],
  onConflict: '',
})

test('runs writes in the given order', async () => {
  await db.inTransaction(async (tx) => {
    await tx.run('CREATE TABLE log (n bigint GENERATED ALWAYS AS IDENTITY, note text)')
    await tx.run(`CREATE FUNCTION log_row() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO log (note) VALUES (TG_TABLE_NAME || ' ' || coalesce(to_jsonb(NEW)->>'value', '')); RETURN NEW; END $$`)
    for (const table of ['employees_groups', 'blocked_urls', 'apps_labels'])
      await tx.run(`CREATE TRIGGER log BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION log_row()`)
  })
  const labels = { ...blockedUrl(), sides: [{ table: 'apps_labels', values: ['x', 'y'] }] }
  await run([group('a'), labels, group('b'), blockedUrl(), group('c')])
  const rows = await db.all<{ note: string }>('SELECT note FROM log ORDER BY n')
  expect(rows.map(({ note }) => note.trim())).toEqual([
    'employees_groups a',
    'blocked_urls',
    'apps_labels x',
    'apps_labels y',
    'employees_groups b',
    'blocked_urls',
    'employees_groups c',
  ])
})

test('a record takes the next free sequence number of its second; without one, nothing is written', async () => {
  const seqs = async () =>
    (await db.all<{ seq: number }>('SELECT seq FROM blocked_urls ORDER BY seq')).map(({ seq }) => seq)
  await db.all("SELECT setval('record_numbers', 5)")
  for (let count = 0; count < 6; count += 1) await run([blockedUrl()], 8)
  await db.all("SELECT setval('record_numbers', 5)")
  await Promise.all([run([blockedUrl()], 8), run([blockedUrl()], 8)])
  expect(await seqs()).toEqual(Array.from({ length: 8 }, (_, at) => firstSeq + at))
  const outcome = run([group('a'), blockedUrl()], 8)
  await expect(outcome).rejects.toThrow(StoreUnavailableError)
  await expect(outcome).rejects.toThrow('All sequence numbers')
  expect(await seqs()).toHaveLength(8)
  expect(await db.all('SELECT * FROM employees_groups')).toEqual([])
})

test('a free number is found by its key, also in an organization that the statistics do not know yet', async () => {
  await db.all(
    `INSERT INTO blocked_urls (org, unlisted, seq, id, record) SELECT 1, 0, n, n::text, '{}' FROM generate_series(1, 5000) AS n`,
  )
  await db.all('ANALYZE blocked_urls')
  const { sql, params } = combineWrites([{ ...blockedUrl(), org: 2 }])
  const plan = JSON.stringify(await db.all(`EXPLAIN (FORMAT JSON) ${sql}`, params))
  const conditions = [...plan.matchAll(/"Index Cond": ?"([^"]*)"/g)].map(([, condition]) => condition)
  expect(conditions).toEqual([expect.stringContaining('seq = candidate')])
})
