import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import postgres from '../../server/vendor/postgres/src/index.js'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import {
  createKey,
  type MusterProcess,
  runMuster,
  type Settings,
  startMuster,
} from '../support/muster-process.ts'
import { freePort, type PrivateServer, startPrivateServer } from '../support/private-server.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

/** Generous timeout for repeated measurements; only processes that never count together reach it. */
const countedWithinMs = 240_000
vi.setConfig({ testTimeout: countedWithinMs + 60_000 })

const processes = 3
const folder = mkdtempSync(join(tmpdir(), 'muster-several-'))
let database: FreshDatabase
let relay: Relay
let redisPort = 0
let redis: PrivateServer | undefined
let servers: MusterProcess[] = []
/** Settings of all processes, except the folder of each. The command line uses the connection that is never cut. */
let settings: Settings = {}

const startRedis = async (): Promise<void> => {
  redis = await startPrivateServer({
    command: ['redis-server', '--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', ''],
    folder: mkdtempSync(join(tmpdir(), 'muster-redis-')),
    readyText: 'Ready to accept connections',
  })
}

beforeAll(async () => {
  database = await freshDatabase()
  relay = await startRelay(Number(new URL(inject('postgresUrl')).port))
  redisPort = await freePort()
  await startRedis()
  const url = new URL(database.url)
  url.port = String(relay.port)
  settings = {
    MUSTER_DATA: folder,
    MUSTER_DATABASE_URL: url.href,
    MUSTER_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    MUSTER_SECRET_KEY: randomBytes(32).toString('base64url'),
    MUSTER_WEBHOOKS_ALLOW_PRIVATE: '1',
  }
  // All at once, on an empty database.
  const starts = Array.from({ length: processes }, (_, at) =>
    startMuster({ ...settings, MUSTER_DATA: join(folder, String(at)) }),
  )
  servers = await Promise.all(starts)
})
afterAll(async () => {
  for (const server of servers) await server.kill()
  await relay.close()
  await redis?.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const newKey = async (holder = `${randomUUID()}@example.com`): Promise<string> =>
  (await createKey(settings, holder)).key

async function ask(
  server: MusterProcess,
  path: string,
  key?: string,
  more: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${server.address}${path}`, {
    method: more.method ?? 'GET',
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

const onAll = <T>(work: (server: MusterProcess, at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(servers.map(work))

const statuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status)

test('a key, a record and a nextToken of one process work in all', async () => {
  const key = await newKey()
  const email = `${randomUUID()}@example.com`
  const made = await onAll((server, at) =>
    ask(server, '/v1/employees', key, { method: 'POST', body: { email: `${at}${email}` } }),
  )
  expect(statuses(made)).toEqual([200, 200, 200])
  for (const { body } of made)
    expect(statuses(await onAll((server) => ask(server, `/v1/employees/${body.id}`, key)))).toEqual([
      200, 200, 200,
    ])
  const other = await newKey()
  const [first] = await onAll((server) => ask(server, `/v1/employees?email=${email}&limit=1`, other))
  const { nextToken } = first?.body.paging ?? {}
  const pages = await onAll((server) =>
    ask(server, `/v1/employees?email=${email}&limit=5&nextToken=${nextToken}`, other),
  )
  for (const { body } of pages) expect(body['the service']).toHaveLength(2)
})

const readiness = (status: string) =>
  onAll((server) =>
    until(`readiness ${status}`, async () => (await ask(server, '/readyz')).body.status === status),
  )

/**
 * Measures while Redis counts for all processes. Repeats the measurement if a process counted on its own meanwhile because
 * Redis was late.
 */
async function counted<T extends object>(measure: () => Promise<T>): Promise<T> {
  const losses = () => servers.map(({ stdout }) => stdout().split('Redis is unavailable').length)
  const attempt = async () => {
    await readiness('ok')
    const before = losses()
    const measured = await measure()
    await readiness('ok')
    return losses().join() === before.join() && measured
  }
  return until('count over all processes', attempt, countedWithinMs)
}

test('the rate limit of a holder with three keys is exact across all processes', async () => {
  const { granted, least, most } = await counted(async () => {
    const holder = `${randomUUID()}@example.com`
    const keys = await Promise.all([newKey(holder), newKey(holder), newKey(holder.toUpperCase())])
    let granted = 0
    let [firstRefusedMs, lastRefusedMs] = [Number.POSITIVE_INFINITY, 0]
    const startMs = performance.now()
    const work = servers.flatMap((server) =>
      keys.map(async (key) => {
        while (performance.now() - startMs < 2000) {
          const sentMs = performance.now()
          const { status } = await ask(server, '/v1/apps', key)
          expect([200, 429]).toContain(status)
          if (status === 200) granted += 1
          else {
            firstRefusedMs = Math.min(firstRefusedMs, performance.now())
            lastRefusedMs = Math.max(lastRefusedMs, sentMs)
          }
        }
      }),
    )
    await Promise.all(work)
    const most = 20 + Math.floor((performance.now() - startMs) / 100)
    // Without any refusal, a slow machine has not sent more requests.
    const least = 20 + Math.floor((lastRefusedMs - firstRefusedMs) / 100) - 1
    return { granted, least, most }
  })
  expect(granted).toBeLessThanOrEqual(most)
  expect(granted).toBeGreaterThanOrEqual(least)
})

test('one Idempotency-Key sent to all processes at once creates one record, which all return afterwards', async () => {
  const key = await newKey()
  for (let round = 0; round < 3; round++) {
    const email = `${randomUUID()}@example.com`
    const post = (server: MusterProcess) =>
      ask(server, '/v1/employees', key, {
        method: 'POST',
        body: { email },
        headers: { 'idempotency-key': email },
      })
    const answers = await onAll(post)
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual(status === 200 ? [200, undefined] : [409, 'conflict'])
    expect(statuses(answers)).toContain(200)
    const reader = await newKey()
    const again = await onAll((server) =>
      ask(server, '/v1/employees', key, {
        method: 'POST',
        body: { email },
        headers: { 'idempotency-key': email },
      }),
    )
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(['true', 'true', 'true'])
    expect(new Set(again.map(({ text }) => text)).size).toBe(1)
    const found = await ask(servers[0] as MusterProcess, `/v1/employees?email=${email}`, reader)
    expect(found.body['the service']).toHaveLength(1)
  }
})

test('a revoked key soon stops working in all processes', async () => {
  const { id, key } = await createKey(settings, `${randomUUID()}@example.com`)
  expect(statuses(await onAll((server) => ask(server, '/v1/apps', key)))).toEqual([200, 200, 200])
  expect((await runMuster(['keys', 'revoke', id], settings)).code).toBe(0)
  const stopped = await onAll((server) =>
    until('401', async () => (await ask(server, '/v1/apps', key)).status === 401),
  )
  expect(stopped).toEqual([true, true, true])
})

test('each event is sent once, by any process, and every process creates some', async () => {
  const receiver = await startReceiver()
  const { code, stdout } = await runMuster(
    ['webhooks', 'add', '--url', receiver.url, '--objects', 'EMPLOYEE', '--json'],
    settings,
  )
  expect(code).toBe(0)
  const { id } = JSON.parse(stdout) as { id: string }
  const emails = Array.from({ length: 45 }, () => `${randomUUID()}@example.com`)
  const makers = await Promise.all(servers.map(() => newKey()))
  for (let at = 0; at < emails.length; at += processes)
    await onAll((server, each) =>
      ask(server, '/v1/employees', makers[each], { method: 'POST', body: { email: emails[at + each] } }),
    )
  const receivedEmails = () => receiver.requests.map(({ body }) => JSON.parse(body).new.email)
  await until('events', () => receiver.requests.length >= emails.length)
  const log = ['webhooks', 'log', id, '--limit', '100', '--state', 'delivered', '--json']
  const noted = await until('all in the log', async () => {
    const rows = JSON.parse((await runMuster(log, settings)).stdout) as { attempts: number }[]
    return rows.length === emails.length && rows
  })
  expect(noted.map(({ attempts }) => attempts)).toEqual(emails.map(() => 1))
  expect(receivedEmails().sort()).toEqual(emails.sort())
  await runMuster(['webhooks', 'remove', id], settings)
  await receiver.close()
})

/**
 * Sends 30 requests with a key to each process. @returns the number granted by each, and the maximum of a single
 * counter in that time
 */
async function grantedOf30(key: string): Promise<{ byServer: number[]; most: number }> {
  const startMs = performance.now()
  const byServer = await onAll(async (server) => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(server, '/v1/apps', key)))
    return answers.filter(({ status }) => status === 200).length
  })
  return { byServer, most: 20 + Math.floor((performance.now() - startMs) / 100) }
}

test('without Redis every process limits on its own and says so; once it is back they count together', async () => {
  const key = await newKey()
  expect(statuses(await onAll((server) => ask(server, '/v1/apps', key)))).toEqual([200, 200, 200])
  await readiness('ok')
  await redis?.stop()
  // Nothing fails meanwhile, not even the first request without Redis.
  expect(statuses(await onAll((server) => ask(server, '/v1/apps', key)))).toEqual([200, 200, 200])
  await readiness('degraded')
  await onAll((server) => until('line of the log', () => server.stdout().includes('Redis is unavailable')))
  await onAll((server) => until('readiness', async () => (await ask(server, '/readyz')).status === 200))
  const alone = await grantedOf30(await newKey())
  for (const granted of alone.byServer) {
    expect(granted).toBeGreaterThanOrEqual(20)
    expect(granted).toBeLessThanOrEqual(alone.most)
  }
  await startRedis()
  await readiness('ok')
  await onAll((server) =>
    until('line of the log', () => server.stdout().includes('Redis is available again')),
  )
  const shared = await counted(async () => grantedOf30(await newKey()))
  expect(shared.byServer.reduce((sum, granted) => sum + granted)).toBeLessThanOrEqual(shared.most)
})

const unavailable = async (server: MusterProcess, key: string): Promise<void> => {
  for (const more of [{}, { method: 'POST', body: { url: 'example.com' } }]) {
    const answer = await ask(server, '/v1/controls/blockedUrls', key, more)
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.text).not.toMatch(/postgres|ECONN|127\.0\.0\.1|SELECT/i)
  }
  const [ready, alive] = await Promise.all([ask(server, '/readyz'), ask(server, '/healthz')])
  expect([ready.status, ready.body.status, alive.status]).toEqual([503, 'unavailable', 200])
}

const recovered = async (server: MusterProcess, key: string): Promise<void> => {
  await until('answer from the store', async () => (await ask(server, '/v1/apps', key)).status === 200)
  const isReady = async () => (await ask(server, '/readyz')).body.status === 'ok'
  expect(await until('readiness', isReady)).toBe(true)
}

test('without PostgreSQL every response is 503 with Retry-After until it is back', async () => {
  const key = await newKey()
  await onAll((server) => ask(server, '/v1/apps', key))
  await relay.cut()
  await onAll((server) => unavailable(server, key))
  await relay.restore()
  await onAll((server) => recovered(server, key))
})

test('a restarted PostgreSQL closes its connections; the next requests get new ones', async () => {
  const key = await newKey()
  await onAll((server) => ask(server, '/v1/apps', key))
  const sql = postgres(database.url, { max: 1 })
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await sql.end()
  await onAll((server) => recovered(server, key))
})

test('an unresponsive PostgreSQL makes the processes unready until it responds', async () => {
  const key = await newKey()
  await onAll((server) => ask(server, '/v1/apps', key))
  relay.stall()
  const ready = await onAll((server) => ask(server, '/readyz'))
  expect(statuses(ready)).toEqual([503, 503, 503])
  await relay.restore()
  await onAll((server) => recovered(server, key))
})

test('no process has logged a key or the database password', () => {
  for (const server of servers) {
    const log = server.stdout() + server.stderr()
    expect(log).not.toMatch(/mstr_[0-9A-Za-z]{10}/)
    expect(log).not.toContain(settings.MUSTER_SECRET_KEY)
  }
})
