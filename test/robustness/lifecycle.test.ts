import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, Agent as PlainAgent, get as plainGet, request } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { connect as tlsConnect } from 'node:tls'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import {
  createKey,
  type MusterProcess,
  runMuster,
  type Settings,
  startMuster,
} from '../support/muster-process.ts'
import { freePort } from '../support/private-server.ts'
import { until } from '../support/until.ts'

let folder = ''
let running: MusterProcess[] = []
let settings: Settings = {}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-lifecycle-'))
  settings = { MUSTER_DATA: join(folder, 'data') }
})
afterEach(async () => {
  for (const server of running) await server.kill()
  running = []
  rmSync(folder, { recursive: true, force: true })
})

const start = async (more: Settings = {}, output?: number): Promise<MusterProcess> => {
  const server = await startMuster({ ...settings, ...more }, output)
  running.push(server)
  return server
}

const withTls: Settings = { MUSTER_PLAIN_HTTP: 'false' }
const portOf = (server: MusterProcess): number => Number(new URL(server.address).port)

/**
 * Requests a path over TLS as a client that trusts one certificate and verifies the name. @returns the status
 */
const statusOverTls = (server: MusterProcess, ca: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: portOf(server),
      servername: 'localhost',
      path,
      ca,
      agent: false,
    }
    get(options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })

test('the first start on an empty folder prints the next steps; a later one with a key does not', async () => {
  const first = await start()
  await until('text of a first start', () => first.stderr().includes('Guide:'))
  expect(first.stderr().match(/There is no API key yet/g)).toHaveLength(1)
  expect(first.stderr()).toContain('npx muster keys create')
  expect(first.stderr()).toContain(`${first.address}/docs`)
  await createKey(settings, 'ada@example.com')
  expect(await first.stop()).toBe(0)
  const second = await start()
  expect(second.stderr()).toContain('Muster serves at')
  expect(second.stderr()).not.toContain('There is no API key yet')
})

test('the self-signed certificate is created once, kept, and accepted by a client that trusts it', async () => {
  const first = await start(withTls)
  expect(first.address).toMatch(/^https:/)
  const cert = readFileSync(join(folder, 'data', 'tls', 'cert.pem'), 'utf8')
  expect(await statusOverTls(first, cert, '/healthz')).toBe(200)
  await first.stop()
  const second = await start(withTls)
  expect(readFileSync(join(folder, 'data', 'tls', 'cert.pem'), 'utf8')).toBe(cert)
  expect(await statusOverTls(second, cert, '/healthz')).toBe(200)
})

test("the operator's own certificate is served, with TLS 1.2 or later only", async () => {
  const { cert, key } = await makeSelfSigned(['localhost'], Date.now())
  writeFileSync(join(folder, 'own.pem'), cert)
  writeFileSync(join(folder, 'own.key'), key)
  const own = { MUSTER_TLS_CERT: join(folder, 'own.pem'), MUSTER_TLS_KEY: join(folder, 'own.key') }
  const server = await start({ ...withTls, ...own })
  const options = { host: '127.0.0.1', port: portOf(server), rejectUnauthorized: false }
  const socket = tlsConnect(options)
  await once(socket, 'secureConnect')
  expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(new X509Certificate(cert).fingerprint256)
  socket.destroy()
  const old = tlsConnect({
    ...options,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  })
  const [error] = (await once(old, 'error')) as [Error & { code: string }]
  expect(error.code).toMatch(/PROTOCOL|ALERT|UNSUPPORTED/)
})

test('refuses plain HTTP where others could listen in, with advice', async () => {
  const { code, stderr } = await runMuster(['serve'], { ...settings, MUSTER_HOST: '0.0.0.0' })
  expect(code).not.toBe(0)
  expect(stderr).toContain('Plain HTTP on 0.0.0.0')
  expect(stderr).toContain('MUSTER_TRUST_PROXY')
})

test('a port in use ends the start with advice, also with Redis', async () => {
  const first = await start()
  const redis = { MUSTER_REDIS_URL: inject('redisUrl') }
  for (const taken of [{ MUSTER_PORT: `${portOf(first)}` }, { MUSTER_METRICS_PORT: `${portOf(first)}` }]) {
    const own = { MUSTER_DATA: join(folder, 'other') }
    const { code, stderr } = await runMuster(['serve'], { ...own, ...redis, ...taken })
    expect(code).toBe(1)
    expect(stderr).toContain('A port is already in use')
  }
})

test.each([
  ['', () => undefined],
  [', even if nobody reads its output', (server: MusterProcess) => server.hangUp()],
])('SIGTERM lets running requests finish, closes idle connections and exits with 0%s', async (_, before) => {
  const server = await start()
  const { key } = await createKey(settings, 'ada@example.com')
  const agent = new PlainAgent({ keepAlive: true })
  const [idle] = await once(plainGet(`${server.address}/healthz`, { agent }), 'response')
  idle.resume()
  await once(idle, 'end')
  // Each request takes tens of milliseconds of hashing.
  const credentials = Array.from({ length: 12 }, (_, at) => ({ email: `${at}@example.com`, password: 'x' }))
  const body = JSON.stringify({ credentials })
  const slow = request(`${server.address}/v1/controls/stolenCredentials`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
      // Signals that the request has started.
      expect: '100-continue',
    },
  })
  const answered = once(slow, 'response')
  slow.flushHeaders()
  await once(slow, 'continue')
  before(server)
  const ended = server.stop()
  await until('end of listening', () =>
    fetch(`${server.address}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  slow.end(body)
  const [answer] = (await answered) as [IncomingMessage]
  expect([answer.statusCode, await json(answer)]).toEqual([200, { count: 12, duplicates: 0 }])
  expect(await ended).toBe(0)
  agent.destroy()
})

test('a log that cannot be written, for example on a full disk, is reported once and the server continues', async () => {
  const full = openSync('/dev/full', 'w')
  const server = await start({ MUSTER_LOG_REQUESTS: 'true' }, full)
  closeSync(full)
  const words = () => server.stderr().match(/The log cannot be written; .*/g)
  for (let round = 0; round < 5; round++) expect((await fetch(`${server.address}/healthz`)).status).toBe(200)
  await until('word', words)
  expect(words()).toEqual([expect.stringContaining('The disk is full (standard output)')])
  expect(await server.stop()).toBe(0)
})

test('metrics have their own port of this machine and count responses by route', async () => {
  const port = await freePort()
  const server = await start({ MUSTER_METRICS_PORT: String(port) })
  const { key } = await createKey(settings, 'ada@example.com')
  for (let round = 0; round < 3; round++)
    await (await fetch(`${server.address}/v1/apps`, { headers: { 'x-api-key': key } })).text()
  await (await fetch(`${server.address}/v1/apps/secret-id`)).text()
  const text = await until('count', async () => {
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const [answered, refused] = ['/v1/apps",status="200"} 3', '/v1/apps/:id",status="401"} 1']
    const all = [answered, refused].map((count) => `muster_http_requests_total{method="GET",route="${count}`)
    return all.every((line) => page.includes(line)) && page
  })
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('secret-id')
  expect((await fetch(`${server.address}/metrics`)).status).toBe(404)
})

test('neither the log nor messages to the operator contain a key, a password, a token or a body', async () => {
  const server = await start({ MUSTER_LOG_LEVEL: 'trace', MUSTER_LOG_REQUESTS: 'true' })
  const { id, key } = await createKey(settings, 'ada@example.com')
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return JSON.parse(await response.text())
  }
  const password = 'correct-horse-battery'
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  await ask('/v1/controls/stolenCredentials', { credentials: [{ email: 'eve@example.com', password }] })
  await ask('/v1/controls/stolenCredentials', {
    credentials: [{ email: 'eve@example.com', password, other: 1 }],
  })
  await ask('/v1/apps', undefined, { 'x-api-key': wrongKey })
  const employee = await ask(
    '/v1/employees',
    { email: 'bob@example.com' },
    { 'idempotency-key': 'idem-secret' },
  )
  await ask('/v1/employees', { email: 'second@example.com' })
  const { enrollmentLink } = await ask(`/v1/employees/${employee.id}/enrollmentLink`, {})
  const { nextToken } = (await ask('/v1/employees?limit=1&email=example')).paging
  await ask(`/v1/employees?limit=1&email=example&nextToken=${nextToken}`)
  await until('line of every request', () => (server.stdout().match(/"msg":"request"/g) ?? []).length >= 8)
  expect(await server.stop()).toBe(0)
  const written = server.stdout() + server.stderr()
  expect(written).toContain(id)
  for (const secret of [key, wrongKey, key.slice(9), password, enrollmentLink.split('/').at(-1), nextToken])
    expect(written).not.toContain(secret)
  expect(written).not.toMatch(/eve@example|bob@example|idem-secret/)
})

test('a flood of refused requests does not leak memory', async () => {
  const server = await start({ MUSTER_RATE_LIMIT_SUSTAINED: '1000000' })
  const { key } = await createKey(settings, 'ada@example.com')
  const flood = async (): Promise<number> => {
    const body = Buffer.alloc(900_000, '[')
    for (let round = 0; round < 6; round++) {
      const sent = Array.from({ length: 20 }, async (_, at) => {
        const headers = {
          'content-type': 'application/json',
          'x-api-key': at % 2 === 0 ? key : `${round}-${at}`,
        }
        const path = `/v1/employees?email=${round}-${at}`
        const response = await fetch(`${server.address}${path}`, { method: 'POST', headers, body })
        await response.arrayBuffer()
      })
      await Promise.allSettled(sent)
    }
    return residentMiB(server.pid)
  }
  const first = await flood()
  // Garbage collection frees memory at unknown times, so the minimum of several measurements counts.
  const later = [await flood(), await flood(), await flood(), await flood()]
  expect(Math.min(...later)).toBeLessThan(first + 64)
  expect(Math.max(first, ...later)).toBeLessThan(512)
}, 300_000)

const residentMiB = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
