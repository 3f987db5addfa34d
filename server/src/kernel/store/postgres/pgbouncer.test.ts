import { describe, expect, onTestFinished, test } from 'vitest'
import { eventMaker, report } from '../../../../../test/support/agent-events.ts'
import { addLicensed, enrollBrowser } from '../../../../../test/support/agents.ts'
import { useCommandLine } from '../../../../../test/support/command-line.ts'
import { type FreshDatabase, freshDatabase } from '../../../../../test/support/database.ts'
import { anEmployee } from '../../../../../test/support/fixtures.ts'
import { startHarness } from '../../../../../test/support/harness.ts'
import { createKey, startMuster } from '../../../../../test/support/muster-process.ts'
import {
  type PgBouncer,
  type PgBouncerSettings,
  startPgBouncer,
} from '../../../../../test/support/pgbouncer.ts'
import { until } from '../../../../../test/support/until.ts'
import postgres from '../../../../vendor/postgres/src/index.js'
import { openPostgres } from './postgres.ts'
import { keepsSessions } from './postgres-sessions.ts'

async function pooled(settings: PgBouncerSettings): Promise<{ database: FreshDatabase; bouncer: PgBouncer }> {
  const database = await freshDatabase()
  const bouncer = await startPgBouncer(database.url, settings)
  onTestFinished(async () => {
    await bouncer.stop()
    await database.drop()
  })
  return { database, bouncer }
}

const ignoresAll =
  'extra_float_digits,options,jit,enable_seqscan,enable_hashjoin,enable_mergejoin,enable_sort,statement_timeout,idle_in_transaction_session_timeout'
const refusal =
  /connection pooler.*Set pool_mode = session.*or point MUSTER_DATABASE_URL at PostgreSQL itself/

describe('PgBouncer in transaction or statement mode', () => {
  test.each<PgBouncerSettings>([
    { pool_mode: 'transaction' },
    { pool_mode: 'transaction', default_pool_size: 1 },
    { pool_mode: 'transaction', default_pool_size: 5 },
    { pool_mode: 'transaction', default_pool_size: 5, server_round_robin: 1 },
    { pool_mode: 'transaction', default_pool_size: 5, ignore_startup_parameters: ignoresAll },
    { pool_mode: 'statement', default_pool_size: 1 },
    { pool_mode: 'statement', default_pool_size: 5, ignore_startup_parameters: ignoresAll },
  ])('is refused, also while its pool is in use: %j', async (settings) => {
    const { bouncer } = await pooled(settings)
    const db = openPostgres(bouncer.url, { connections: 1 })
    await expect(db.get('SELECT 1 AS one')).rejects.toThrow(refusal)
    await expect(db.inTransaction((tx) => tx.run('CREATE TABLE t (x int)'))).rejects.toThrow(refusal)
    await db.close()
    // With several server connections in the pool, and while others use it.
    const others = Array.from({ length: 5 }, () =>
      postgres(bouncer.url, { max: 1, fetch_types: false, prepare: false }),
    )
    await Promise.all(others.map((other) => other.unsafe('SELECT pg_sleep(0.05)')))
    for (let time = 0; time < 5; time += 1) expect(await keepsSessions(bouncer.url)).toBe(false)
    const busy = Promise.all(others.map((other) => other.unsafe('SELECT pg_sleep(0.2)')))
    expect(await keepsSessions(bouncer.url)).toBe(false)
    await busy
    await Promise.all(others.map((other) => other.end()))
  })

  describe('on the command line', () => {
    const cli = useCommandLine('sqlite')

    test('every command fails; serve and doctor say what to do', async () => {
      const { database, bouncer } = await pooled({ pool_mode: 'transaction' })
      const direct = { ...cli.settings, MUSTER_DATABASE_URL: database.url }
      await createKey(direct, 'first@example.com')
      const flag = ['--database-url', bouncer.url]
      for (const words of ['org list', 'backup x.db', 'replay', 'serve --plain-http --host 127.0.0.1']) {
        const { code, stderr } = await cli.run(words, ...flag)
        expect([words, code, stderr]).toEqual([words, 1, expect.stringMatching(refusal)])
      }
      const { checks } = await cli.json('doctor', ...flag)
      expect(checks).toContainEqual(
        expect.objectContaining({
          check: 'database',
          state: 'fail',
          message: expect.stringMatching(refusal),
        }),
      )
    })
  })
})

describe('PgBouncer in session mode', () => {
  test.each<PgBouncerSettings>([
    { pool_mode: 'session' },
    { pool_mode: 'session', ignore_startup_parameters: ignoresAll },
  ])('serves the API and event intake with our session settings: %j', async (settings) => {
    const { database, bouncer } = await pooled(settings)
    const place = { dataDir: '/nowhere', databaseUrl: bouncer.url }
    const h = await startHarness('postgres', { place })
    const caller = await h.addCaller()
    const { email } = anEmployee()
    expect((await h.call(caller, 'POST', '/v1/employees', { body: { email } })).status).toBe(200)
    const employee = await addLicensed(h, caller)
    const { credential } = await enrollBrowser(h, caller, employee.id)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => report(h, credential, [eventMaker(h.clock).login()])),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await h.db.all('SHOW enable_seqscan')).toEqual([{ enable_seqscan: 'off' }])
    expect(await h.db.all('SHOW statement_timeout')).toEqual([{ statement_timeout: '1min' }])
    await h.close()
    const direct = openPostgres(database.url)
    expect(await direct.get('SELECT count(*) AS count FROM employees')).toEqual({ count: 2 })
    await direct.close()
  })

  test('serves a server process across a restart', async () => {
    const { bouncer } = await pooled({ pool_mode: 'session' })
    const settings = { MUSTER_DATABASE_URL: bouncer.url, MUSTER_SECRET_KEY: 'ab'.repeat(32) }
    for (let start = 0; start < 2; start += 1) {
      const server = await startMuster(settings)
      expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
      expect(await server.stop()).toBe(0)
    }
  })

  test('switches to transaction mode and back: the running server notices both', async () => {
    const { bouncer } = await pooled({ pool_mode: 'session' })
    const db = openPostgres(bouncer.url, { recheckSessionsMs: 20 })
    expect(await db.get('SELECT 1 AS one')).toEqual({ one: 1 })
    await bouncer.reload({ pool_mode: 'transaction' })
    await until('refusal', () =>
      db.get('SELECT 1 AS one').then(
        () => false,
        (error) => refusal.test(error.message),
      ),
    )
    await bouncer.reload({ pool_mode: 'session' })
    expect(await until('answer', () => db.get('SELECT 1 AS one'))).toEqual({ one: 1 })
    await db.close()
  })
})

test('reports a session pool that is too small', async () => {
  const { bouncer } = await pooled({ pool_mode: 'session', default_pool_size: 1 })
  const db = openPostgres(bouncer.url)
  await expect(db.get('SELECT 1 AS one')).rejects.toThrow('did not provide a second session within 5 seconds')
  await db.close()
})

describe('a transaction counts as committed only when PostgreSQL says so', () => {
  test('not when something else ended it, for example a pooler', async () => {
    const database = await freshDatabase()
    onTestFinished(database.drop)
    const db = openPostgres(database.url, { connections: 1 })
    const outcome = db.inTransaction(async (tx) => {
      await tx.run('CREATE TABLE t (x int)')
      await tx.run('COMMIT')
    })
    await expect(outcome).rejects.toMatchObject({
      message: expect.stringContaining('no transaction in progress'),
      mayBeDone: true,
    })
    expect(await db.get('SELECT 1 AS one')).toEqual({ one: 1 })
    await db.close()
  })
})
