import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, Agent as PlainAgent, get as plainGet, request } from 'node:http'
import { get as secureGet } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { shellWord } from '@muster/contract/text/shell-word'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { issuedCertificate } from '../support/issued-certificate.ts'
import {
  createKey,
  type MusterProcess,
  musterProgram,
  type Settings,
  startMuster,
} from '../support/muster-process.ts'
import { until } from '../support/until.ts'

let folder = ''
const running: MusterProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-signals-'))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const start = async (more: Settings = {}): Promise<MusterProcess> => {
  const server = await startMuster({ MUSTER_DATA: join(folder, 'data'), ...more })
  running.push(server)
  return server
}

describe('SIGHUP', () => {
  const [certFile, keyFile] = ['own.pem', 'own.key']
  const put = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(join(folder, certFile), cert)
    writeFileSync(join(folder, keyFile), key)
  }
  const startWithOwn = () =>
    start({
      MUSTER_PLAIN_HTTP: 'false',
      MUSTER_TLS_CERT: join(folder, certFile),
      MUSTER_TLS_KEY: join(folder, keyFile),
    })
  const fingerprintOf = (cert: string) => new X509Certificate(cert).fingerprint256

  /**
   * Opens a connection. @returns the certificate and headers it gets
   */
  async function greeted(server: MusterProcess) {
    const options = { rejectUnauthorized: false, agent: false }
    const [answer] = (await once(secureGet(`${server.address}/healthz`, options), 'response')) as [
      IncomingMessage,
    ]
    const fingerprint = (answer.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
    answer.resume()
    return { fingerprint, hsts: answer.headers['strict-transport-security'] }
  }

  test('loads certificate and key for new connections and keeps existing ones', async () => {
    const first = await makeSelfSigned(['localhost'], Date.now())
    put(first)
    const server = await startWithOwn()
    expect(await greeted(server)).toEqual({ fingerprint: fingerprintOf(first.cert), hsts: undefined })
    const second = await issuedCertificate()
    put(second)
    server.signal('SIGHUP')
    await until('new certificate', async () => {
      const { fingerprint } = await greeted(server)
      return fingerprint === fingerprintOf(second.cert)
    })
    expect((await greeted(server)).hsts).toBe('max-age=31536000')
    const port = Number(new URL(server.address).port)
    const old = connect({
      port,
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA',
    })
    expect((await once(old, 'error'))[0].code).toContain('HANDSHAKE_FAILURE')
    expect(await server.stop()).toBe(0)
  })

  test('logs an unusable certificate and keeps the previous one', async () => {
    const first = await makeSelfSigned(['localhost'], Date.now())
    put(first)
    const server = await startWithOwn()
    put({ cert: (await makeSelfSigned(['localhost'], Date.now())).cert, key: first.key })
    server.signal('SIGHUP')
    const line = await until('line of the log', () => /^.*SIGHUP: .*$/m.exec(server.stdout())?.[0])
    expect(JSON.parse(line)).toMatchObject({
      level: 50,
      msg: expect.stringContaining('the previous ones stay in use'),
      reason: expect.stringContaining('does not match the certificate'),
    })
    expect((await greeted(server)).fingerprint).toBe(fingerprintOf(first.cert))
  })

  test('does not end a server with a self-signed certificate or without TLS', async () => {
    const own = await start({ MUSTER_PLAIN_HTTP: 'false' })
    const plain = await start({ MUSTER_DATA: join(folder, 'other') })
    own.signal('SIGHUP')
    plain.signal('SIGHUP')
    await until('line of the log', () => own.stdout().includes('key reloaded') || undefined)
    expect((await greeted(own)).fingerprint).toBeDefined()
    expect((await fetch(`${plain.address}/healthz`)).status).toBe(200)
    expect([await own.stop(), await plain.stop()]).toEqual([0, 0])
  })
})

test('a server started in a terminal reloads at SIGHUP and ends when the terminal is closed', async () => {
  // From util-linux: runs a command in a new terminal.
  const words = [...musterProgram(), 'serve', '--plain-http', '--host=127.0.0.1', '--port=0']
  const terminal = spawn(
    'script',
    ['-qefc', `echo pid $$; exec ${words.map(shellWord).join(' ')}`, '/dev/null'],
    {
      env: { PATH: '/usr/bin:/bin', MUSTER_DATA: join(folder, 'data'), MUSTER_METRICS_PORT: '0' },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  let output = ''
  terminal.stdout.on('data', (chunk) => {
    output += chunk
  })
  const address = await until('server', () => /Muster serves at (\S+)/.exec(output)?.[1])
  const pid = Number(/pid (\d+)/.exec(output)?.[1])
  expect(pid).toBeGreaterThan(1)
  process.kill(pid, 'SIGHUP')
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  terminal.kill('SIGKILL')
  await until('end of the server', () => !existsSync(`/proc/${pid}`))
}, 120_000)

describe('draining', () => {
  const long: Settings = { MUSTER_DRAIN_SECONDS: '3600' }
  const ask = async (server: MusterProcess, path: string, agent: PlainAgent) => {
    const [answer] = (await once(plainGet(`${server.address}${path}`, { agent }), 'response')) as [
      IncomingMessage,
    ]
    return { status: answer.statusCode, connection: answer.headers.connection, body: await json(answer) }
  }

  test('SIGTERM makes the server unready and closes connections with each response; a second one ends it', async () => {
    const server = await start(long)
    const kept = new PlainAgent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(server, '/healthz', kept)).toMatchObject({ status: 200, connection: 'keep-alive' })
    server.signal('SIGTERM')
    await until('draining', () => server.stderr().includes('Draining for 3600 s') || undefined)
    expect(await ask(server, '/healthz', kept)).toMatchObject({ status: 200, connection: 'close' })
    const fresh = new PlainAgent({ keepAlive: true })
    expect(await ask(server, '/readyz', fresh)).toMatchObject({
      status: 503,
      connection: 'close',
      body: { status: 'draining', checks: { store: 'ok' } },
    })
    expect(await ask(server, '/nowhere', fresh)).toMatchObject({ status: 404, connection: 'close' })
    server.signal('SIGTERM')
    expect(await server.ended()).toBe(130)
  })

  test('the response to a request from before SIGTERM closes its connection', async () => {
    const server = await start(long)
    const { key } = await createKey({ MUSTER_DATA: join(folder, 'data') }, 'ada@example.com')
    const body = JSON.stringify({ email: 'bob@example.com' })
    const slow = request(`${server.address}/v1/employees`, {
      method: 'POST',
      agent: new PlainAgent({ keepAlive: true }),
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': body.length,
        // Signals that the request has started.
        expect: '100-continue',
      },
    })
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>
    slow.flushHeaders()
    await once(slow, 'continue')
    server.signal('SIGTERM')
    await until('draining', () => server.stderr().includes('Draining for') || undefined)
    slow.end(body)
    const [answer] = await answered
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
    answer.resume()
  })

  test('ends when the time is over', async () => {
    const server = await start({ MUSTER_DRAIN_SECONDS: '1' })
    server.signal('SIGTERM')
    expect(await server.ended()).toBe(0)
    expect(server.stderr()).toMatch(/Draining for 1 s.*\nFinishing running requests/)
  })

  test('SIGINT (Ctrl-C) ends the server without draining', async () => {
    const server = await start(long)
    server.signal('SIGINT')
    expect(await server.ended()).toBe(0)
    expect(server.stderr()).not.toContain('Draining')
  })
})
