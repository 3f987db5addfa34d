import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventMaker, report } from '../../../../test/support/agent-events.ts'
import { addLicensed, enrollBrowser } from '../../../../test/support/agents.ts'
import { expectProblem, recordsOf } from '../../../../test/support/answers.ts'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { freshDatabase } from '../../../../test/support/database.ts'
import { anEmployee } from '../../../../test/support/fixtures.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/support/harness.ts'
import { smallDisks } from '../../../../test/support/small-disk.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import postgres from '../../../vendor/postgres/src/index.js'

const add = async (h: Harness, caller: Caller) => {
  const { email } = anEmployee()
  return { email, answer: await h.call(caller, 'POST', '/v1/employees', { body: { email } }) }
}
const readiness = (h: Harness) => h.call(null, 'GET', '/readyz')
const emails = async (h: Harness, caller: Caller) =>
  recordsOf(await h.call(caller, 'GET', '/v1/employees?limit=1000')).map(({ email }) => email)

describe.each(smallDisks)('a full disk of the data folder', (mount) => {
  test('is reported by /readyz, the API and the event intake; no acknowledged data is lost, and writes resume automatically', async () => {
    const disk = mount(48)
    const h = await startHarness('sqlite', { place: { dataDir: disk.folder, databaseUrl: undefined } })
    onTestFinished(async () => {
      await h.close()
      disk.remove()
    })
    const caller = await h.addCaller()
    const employee = await addLicensed(h, caller)
    const { credential } = await enrollBrowser(h, caller, employee.id)
    const make = eventMaker(h.clock)
    expect((await report(h, credential, [make.login()])).status).toBe(200)
    expect((await readiness(h)).body).toEqual({
      status: 'ok',
      checks: { store: 'ok', sharedRateLimit: 'ok' },
    })

    disk.fill()
    const acknowledged: string[] = [employee.email]
    // The write-ahead log has some space left at first.
    const refused = await until('full disk', async () => {
      const { email, answer } = await add(h, caller)
      if (answer.status !== 200) return answer
      acknowledged.push(email)
      return undefined
    })
    const text = 'The disk of the data folder is full. Nothing was changed.'
    expectProblem(refused, 'unavailable')
    expect(refused.body.detail).toBe(text)
    expect(refused.headers).toHaveProperty('retry-after')

    const login = make.login()
    const batch = await report(h, credential, [login])
    expectProblem(batch, 'unavailable')
    expect(batch.body.detail).toBe(text)
    expect(batch.headers).toHaveProperty('retry-after')

    const unready = await readiness(h)
    expect(unready.status).toBe(503)
    expect(unready.body).toEqual({
      status: 'unavailable',
      checks: { store: 'failed', sharedRateLimit: 'ok' },
      reasons: { store: 'The disk of the data folder is full.' },
    })
    expect((await emails(h, caller)).sort()).toEqual(acknowledged.sort())

    disk.free()
    expect((await readiness(h)).body.status).toBe('ok')
    expect((await add(h, caller)).answer.status).toBe(200)
    expect((await report(h, credential, [login])).body).toMatchObject({ accepted: 1 })
    expect(await emails(h, caller)).toHaveLength(acknowledged.length + 1)
  })
})

describe.each(smallDisks)('a full disk and the command line', (mount) => {
  const cli = useCommandLine('sqlite')

  test('is reported by doctor and backup, which leaves no partial file; commands that write change nothing', async () => {
    const disk = mount(48)
    onTestFinished(() => disk.remove())
    const data = ['--data', disk.folder]
    expect((await cli.run('org add Acme', ...data)).code).toBe(0)
    disk.fill()
    const many = cli.file(
      'employees.jsonl',
      Array.from({ length: 2000 }, () => anEmployee()),
    )
    const imported = await cli.run('import', many, ...data)
    expect([imported.code, imported.stderr]).toEqual([1, expect.stringContaining('The disk is full')])

    const backup = join(disk.folder, 'backup.db')
    const written = await cli.run('backup', backup, ...data)
    expect([written.code, written.stderr]).toEqual([1, expect.stringContaining('The disk is full')])
    expect([backup, `${backup}.partial`].filter((path) => existsSync(path))).toEqual([])

    expect((await cli.json('doctor', ...data)).checks).toContainEqual(
      expect.objectContaining({
        check: 'writable',
        state: 'fail',
        message: expect.stringContaining('takes no writes: the disk of the data folder is full.'),
      }),
    )
    disk.free()
    expect((await cli.run('import', many, ...data)).code).toBe(0)
    expect((await cli.run('backup', backup, ...data)).code).toBe(0)
  })
})

test('a read-only PostgreSQL is reported by /readyz and the API until it accepts writes again', async () => {
  const database = await freshDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const admin = postgres(database.url, { max: 1, onnotice: () => {} })
  const h = await startHarness('postgres', { place: { dataDir: '/nowhere', databaseUrl: database.url } })
  onTestFinished(async () => {
    await h.close()
    await admin.end()
    await database.drop()
  })
  const setReadOnly = async (value: 'on' | 'off') => {
    await admin.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
    await admin.unsafe(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'",
    )
  }
  const caller = await h.addCaller()
  const employee = await addLicensed(h, caller)
  const { credential } = await enrollBrowser(h, caller, employee.id)
  expect((await readiness(h)).status).toBe(200)

  await setReadOnly('on')
  const text = 'The database is read-only. Nothing was changed.'
  const refused = await until('refusal', async () => {
    const { answer } = await add(h, caller)
    return answer.body.detail === text && answer
  })
  expectProblem(refused, 'unavailable')
  const batch = await report(h, credential, [eventMaker(h.clock).login()])
  expectProblem(batch, 'unavailable')
  expect(batch.body.detail).toBe(text)
  const unready = await readiness(h)
  expect(unready.status).toBe(503)
  expect(unready.body).toMatchObject({
    status: 'unavailable',
    reasons: { store: 'The database is read-only.' },
  })

  await admin.unsafe('SET default_transaction_read_only = off')
  await setReadOnly('off')
  await until('readiness', async () => (await readiness(h)).status === 200)
  expect((await add(h, caller)).answer.status).toBe(200)
})

describe.each(STORES)('%s', (store) => {
  test('probes write nothing shortly after a successful write', async () => {
    let writes = 0
    const h = await startHarness(store, {
      storeSeen: (db) => ({
        ...db,
        inTransaction: (work) => {
          writes += 1
          return db.inTransaction(work)
        },
      }),
    })
    onTestFinished(() => h.close())
    expect((await readiness(h)).status).toBe(200)
    const before = writes
    for (let at = 0; at < 20; at += 1) expect((await readiness(h)).status).toBe(200)
    expect(writes).toBe(before)
  })
})
