import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../../test/support/database.ts'
import { type Relay, startRelay } from '../../../../../test/support/relay.ts'
import { until } from '../../../../../test/support/until.ts'
import { type Reader, type SqlDb, StoreUnavailableError } from '../sql.ts'
import { openPostgres } from './postgres.ts'

let database: FreshDatabase
let relay: Relay
let db: SqlDb
let url: URL

beforeEach(async () => {
  database = await freshDatabase()
  url = new URL(database.url)
  relay = await startRelay(Number(url.port))
  url.port = String(relay.port)
  db = openPostgres(url.href, { connections: 2, answerWithinMs: 20_000 })
})
afterEach(async () => {
  await db.close()
  await relay.close()
  await database.drop()
})

const one = (): Promise<unknown> => db.get('SELECT 1 AS one')
const inTransaction = (): Promise<unknown> => db.inTransaction((tx) => tx.get('SELECT 1 AS one'))

test('applies the planner settings', async () => {
  const names = ['jit', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_sort']
  for (const name of names) expect(await db.get(`SHOW ${name}`)).toEqual({ [name]: 'off' })
})

test('each statement of a transaction sees what was committed before, whatever the default of the database', async () => {
  const name = url.pathname.slice(1)
  await db.all(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`)
  const other = openPostgres(database.url, { connections: 1 })
  const isolation = await other.inTransaction((tx) => tx.get('SHOW transaction_isolation'))
  expect(isolation).toEqual({ transaction_isolation: 'read committed' })
  await other.close()
})

test('transactions that wait for a shared query leave it a connection', async () => {
  await one()
  const work = () =>
    db.inTransaction(async (tx) => {
      const shared = tx.readShared('SELECT pg_sleep(0.1)::text AS slept', [])
      await tx.get('SELECT 1 AS one')
      return shared
    })
  const first = work()
  await new Promise((resolve) => setImmediate(resolve))
  const others = [work(), work(), work()]
  expect(await Promise.all([first, ...others])).toHaveLength(4)
})

test('rejects statements at once while PostgreSQL is unreachable, and recovers afterwards', async () => {
  expect(await one()).toEqual({ one: 1 })
  await relay.cut()
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.allSettled([one(), inTransaction(), one(), inTransaction()])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  }
  await relay.restore()
  expect(await until('answer', one)).toEqual({ one: 1 })
  expect(await inTransaction()).toEqual({ one: 1 })
})

test('uses every connection again after outages during statements', async () => {
  const slowTransaction = () =>
    db.inTransaction(async (tx) => {
      await tx.get('SELECT pg_sleep(0.05)')
      return tx.get('SELECT 1 AS one')
    })
  for (let round = 0; round < 4; round++) {
    const work = Promise.allSettled([one(), slowTransaction(), one(), slowTransaction()])
    await one()
    await relay.cut()
    await work
    await Promise.allSettled([one(), slowTransaction(), one()])
    await relay.restore()
    await until('answer', one)
  }
  // Each waits for the other, which takes both connections.
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const meeting = (mine: PromiseWithResolvers<void>, other: PromiseWithResolvers<void>) =>
    db.inTransaction(async (tx) => {
      await tx.get('SELECT 1 AS one')
      mine.resolve()
      await other.promise
      return tx.get('SELECT 2 AS two')
    })
  expect(await Promise.all([meeting(first, second), meeting(second, first)])).toEqual([
    { two: 2 },
    { two: 2 },
  ])
})

test.each([1, 2, 3, 4, 5])(
  'a connection closed after %i packets fails only its own statements',
  async (parts) => {
    await relay.endAfter(parts)
    for (let round = 0; round < 2; round++) {
      for (const outcome of await Promise.allSettled([one(), inTransaction(), one()]))
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailableError)
    }
    await relay.restore()
    expect(await until('answer', one)).toEqual({ one: 1 })
    expect(await inTransaction()).toEqual({ one: 1 })
  },
)

test('reconnects when a server disappears silently', async () => {
  const hasty = openPostgres(url.href, { connections: 2, answerWithinMs: 500 })
  const select = (reader: Reader): Promise<unknown> => reader.get('SELECT 1 AS one')
  const meeting = () => Promise.allSettled([select(hasty), hasty.inTransaction(select), select(hasty)])
  // Concurrently, which opens both connections.
  await Promise.all([1, 2].map(() => hasty.get('SELECT pg_sleep(0.1)')))
  relay.lose()
  for (const outcome of await meeting())
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  expect(await until('answer', () => select(hasty))).toEqual({ one: 1 })
  expect(await until('answer', () => hasty.inTransaction(select))).toEqual({ one: 1 })
  await hasty.close()
})

/** Enqueues one row, which becomes a single statement. */
const enqueueAddress = (store: SqlDb, address: string): Promise<void> =>
  store.inTransaction(async (tx) => tx.enqueueInsert('addresses', ['address'], [address]))

test('an abandoned group commit that waits for a connection is never executed', async () => {
  await db.inTransaction((tx) => tx.run('CREATE TABLE addresses (address text)'))
  const hasty = openPostgres(url.href, { connections: 1, answerWithinMs: 500 })
  await hasty.get('SELECT 1 AS one')
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = openPostgres(url.href, { connections: 1 })
  const holding = holder.inTransaction(async (tx) => {
    await tx.run('LOCK TABLE addresses IN SHARE MODE')
    held.resolve()
    await free.promise
  })
  await held.promise
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, at) => enqueueAddress(hasty, `${at}@example.com`)),
  )
  // The first was sent and may run once it gets its lock; the others were not sent.
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.mayBeDone)).toEqual([
    true,
    ...Array(5).fill(false),
  ])
  free.resolve()
  await holding
  expect(await until('answer', () => hasty.get('SELECT 1 AS one'))).toEqual({ one: 1 })
  const { count } = (await db.get<{ count: number }>('SELECT count(*) AS count FROM addresses')) ?? {}
  expect(count).toBeLessThanOrEqual(1)
  for (const store of [hasty, holder]) await store.close()
})

test('reports mayBeDone if the commit is not answered', async () => {
  const hasty = openPostgres(url.href, { connections: 1, answerWithinMs: 1000 })
  await hasty.get('SELECT 1 AS one')
  const work = hasty.inTransaction(async (tx) => {
    await tx.get('SELECT 1 AS one')
    relay.stall()
  })
  await expect(work).rejects.toMatchObject({ name: 'StoreUnavailableError', mayBeDone: true })
  await relay.restore()
  const early = hasty.inTransaction(async (tx) => {
    await tx.get('SELECT 1 AS one')
    relay.stall()
    await tx.get('SELECT 2 AS two')
  })
  await expect(early).rejects.toMatchObject({ name: 'StoreUnavailableError', mayBeDone: false })
  await relay.restore()
  expect(await until('answer', () => hasty.get('SELECT 1 AS one'))).toEqual({ one: 1 })
  await hasty.close()
})

test.each(['40001', '40P01'])('retries contention (%s), then reports it as unavailable', async (code) => {
  await db.inTransaction(async (tx) => {
    await tx.run('CREATE SEQUENCE tries')
    await tx.run(`CREATE FUNCTION stand_in_the_way() RETURNS integer LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('tries'); RAISE 'in the way' USING ERRCODE = '${code}'; END $$`)
  })
  const blocked = (reader: Reader): Promise<unknown> => reader.get('SELECT stand_in_the_way()')
  const triesOf = async () =>
    (await db.get<{ tries: number }>('SELECT last_value AS tries FROM tries'))?.tries
  await expect(blocked(db)).rejects.toThrow(StoreUnavailableError)
  expect(await triesOf()).toBe(1)
  await expect(db.inTransaction(blocked)).rejects.toThrow(StoreUnavailableError)
  expect(await triesOf()).toBe(5)
})

const failing = 'SELECT 1 / (4 - n) AS n FROM generate_series(1, 10) n'

test('a statement that fails after its first rows leaves nothing to the next one', async () => {
  const alone = openPostgres(url.href, { connections: 1 })
  await expect(alone.all(failing)).rejects.toThrow('division by zero')
  expect(await alone.get('SELECT 1 AS one')).toEqual({ one: 1 })
  const lost = alone.all('SELECT n, CASE WHEN n > 2000 THEN pg_sleep(60) END FROM generate_series(1, 2001) n')
  const refused = expect(lost).rejects.toThrow(StoreUnavailableError)
  const running = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
  await until('halt', async () => (await db.all(running)).length === 1)
  await db.all(`SELECT pg_terminate_backend(pid) FROM (${running}) AS halted`)
  await refused
  // Also on the connection that was lost.
  expect(await alone.all('SELECT 1 AS one')).toEqual([{ one: 1 }])
  await alone.close()
})

test('lets PostgreSQL end a transaction that is idle for a minute', async () => {
  expect(await db.get('SHOW idle_in_transaction_session_timeout')).toMatchObject({
    idle_in_transaction_session_timeout: '1min',
  })
})

test('a statement and a transaction without a response are rejected as unavailable', async () => {
  const hasty = openPostgres(url.href, { connections: 2, answerWithinMs: 2_000 })
  const select = (reader: Reader): Promise<unknown> => reader.get('SELECT 1 AS one')
  expect(await until('answer', () => select(hasty))).toEqual({ one: 1 })
  relay.stall()
  await expect(select(hasty)).rejects.toThrow(StoreUnavailableError)
  await expect(hasty.inTransaction(select)).rejects.toThrow(StoreUnavailableError)
  await relay.restore()
  expect(await until('answer', () => select(hasty))).toEqual({ one: 1 })
  await hasty.close()
})

test('a statement that PostgreSQL cancels for its duration is rejected as unavailable', async () => {
  const long = db.inTransaction(async (tx) => {
    await tx.run('SET LOCAL statement_timeout = 1')
    await tx.get('SELECT pg_sleep(60)')
  })
  await expect(long).rejects.toThrow(StoreUnavailableError)
})

const recordsOf = 'SELECT repeat(?::text, ?::int) AS record, n AS seq FROM generate_series(1, 30) n'

test('an abandoned transaction is rolled back and runs no further statements', async () => {
  await one()
  const hasty = openPostgres(database.url, { connections: 1, answerWithinMs: 200 })
  await db.inTransaction((tx) => tx.run('CREATE TABLE notes (note text)'))
  const worked = Promise.withResolvers<unknown>()
  const work = hasty.inTransaction(async (tx) => {
    // On a busy machine this may be too late already; the outcome is the same.
    await tx.run("INSERT INTO notes VALUES ('early')").catch(worked.resolve)
    await tx.get('SELECT pg_sleep(0.5)').catch(worked.resolve)
    await tx.run("INSERT INTO notes VALUES ('late')").then(worked.resolve, worked.resolve)
  })
  await expect(work).rejects.toThrow('did not respond within 200 ms')
  expect(String(await worked.promise)).toContain('did not respond within 200 ms')
  const busy = `SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`
  await until('end of the transaction', async () => (await db.get<{ count: number }>(busy))?.count === 0)
  expect(await db.all('SELECT note FROM notes')).toEqual([])
  expect(await until('answer', () => hasty.get('SELECT 1 AS one'))).toEqual({ one: 1 })
  await hasty.close()
})

test('noTimeout disables the limits of PostgreSQL and of this process', async () => {
  const patient = openPostgres(database.url, { noTimeout: true })
  expect(await patient.all('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }])
  expect(await patient.all('SHOW idle_in_transaction_session_timeout')).toEqual([
    { idle_in_transaction_session_timeout: '0' },
  ])
  await patient.close()
})

test('concurrent pages do not mix, whatever the size of their records', async () => {
  const sizes = [0, 1, 500, 4000, 70_000, 700_000]
  const requests = Array.from({ length: 24 }, (_, at) => ({
    letter: 'abcd'.charAt(at % 4),
    size: sizes[at % 6] ?? 0,
  }))
  const pages = await Promise.all(
    requests.map(({ letter, size }) => db.page(recordsOf, [letter, size], size === 500 ? 30 : 7)),
  )
  for (const [at, { letter, size }] of requests.entries()) {
    const page = pages[at]
    const count = size === 500 ? 30 : 7
    const expected = Array.from({ length: count }, () => letter.repeat(size)).join(',')
    expect(Buffer.from(page?.bytes ?? []).equals(Buffer.from(expected))).toBe(true)
    expect(page).toMatchObject({ count, lastSeq: count, more: size !== 500 })
  }
})

test('a page ignores columns after the record and its sequence number', async () => {
  const statement = "SELECT 'r' AS record, n AS seq, 'v' AS value FROM generate_series(1, 3) AS n ORDER BY n"
  const { bytes, ...page } = await db.page(statement, [], 2)
  expect(Buffer.from(bytes).toString()).toBe('r,r')
  expect(page).toMatchObject({ count: 2, lastSeq: 2, more: true })
})

/** Returns the number of sleeping sessions, over a separate connection. */
async function waiting(): Promise<number> {
  const other = openPostgres(database.url, { connections: 1 })
  const sql = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
  const row = await other.get<{ count: number }>(sql)
  await other.close()
  return row?.count ?? 0
}

test('a connection lost in the middle of a row leaves nothing to the next one', async () => {
  // Five rows of 10,000 bytes in packets of 8 KiB, then a pause.
  const halting = `${recordsOf} CROSS JOIN LATERAL (SELECT CASE WHEN n > 5 THEN pg_sleep(1) END) AS wait`
  const halted = () => db.page(halting, ['x', 10_000], 30)
  const lost = Promise.allSettled([halted(), halted()])
  await until('halt', async () => (await waiting()) === 2)
  await relay.cut()
  for (const outcome of await lost)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) })
  await relay.restore()
  await until('answer', one)
  const pages = await Promise.all(['y', 'z'].map((letter) => db.page(recordsOf, [letter, 3], 2)))
  expect(pages.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['yyy,yyy', 'zzz,zzz'])
})
