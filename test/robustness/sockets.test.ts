import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryRateLimiter } from '../../server/src/kernel/http/rate-limit/rate-limit.ts'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { fakeClock } from '../../server/src/kernel/lib/clock.ts'
import { type Caller, type Harness, startHarness } from '../support/harness.ts'
import { rawSocket } from '../support/raw-socket.ts'
import { until } from '../support/until.ts'

/** Limits for tests that do not depend on time, generous for a busy machine. */
const patient = { headersMs: 60_000, requestMs: 120_000, checkEveryMs: 50 }
const hasty = { headersMs: 300, requestMs: 600, checkEveryMs: 50 }
const many = { sustained: 1_000_000, burst: 1_000_000 }
let harness: Harness
let secure: Harness
let hurried: Harness
let caller: Caller
let port = 0
let securePort = 0
/** Log of the server. */
const logged: string[] = []

beforeAll(async () => {
  const rateLimiter = memoryRateLimiter({ ...many, clock: fakeClock() })
  const tls = await makeSelfSigned(['localhost'], Date.now())
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
  harness = await startHarness('sqlite', { app: { timeouts: patient, rateLimiter, log } })
  secure = await startHarness('sqlite', { app: { timeouts: hasty, tls } })
  hurried = await startHarness('sqlite', { app: { timeouts: hasty } })
  caller = await harness.addKey(await harness.addOrganization('one'))
  port = await portOf(harness)
  securePort = await portOf(secure)
})
afterAll(async () => {
  await harness.close()
  await secure.close()
  await hurried.close()
})

async function portOf({ app }: Harness): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

const head = (line: string, headers: Record<string, string | number> = {}): string =>
  `${[line, 'host: localhost', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`

type Part = string | Buffer

/**
 * Sends bytes and waits until the server closes. @returns its output
 */
async function converseAt(at: number, ...parts: Part[]): Promise<string> {
  const { socket, closed } = await rawSocket(at)
  for (const part of parts) socket.write(part)
  return closed()
}

const converse = (...parts: Part[]) => converseAt(port, ...parts)

const connectionless = (): Promise<boolean> =>
  new Promise((resolve) => harness.app.server.getConnections((_, count) => resolve(count === 0)))

const ofKey = () => ({ 'x-api-key': caller.key })
const closing = { connection: 'close' }
const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]))

const problemIn = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))

describe('too much', () => {
  test.each([
    ['10,000 headers', () => Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, 'y']))],
    ['a header of 1 MB', () => ({ 'x-large': 'y'.repeat(1_000_000) })],
  ])('%s get 431 and the connection is closed', async (_, headers) => {
    const text = await converse(head('GET /v1/apps HTTP/1.1', { ...ofKey(), ...headers() }))
    expect(statusesIn(text)).toEqual([431])
    expect(problemIn(text)).toMatchObject({ status: 431, code: 'headers_too_large' })
  })

  test('a request line of 1 MB gets 431', async () => {
    expect(statusesIn(await converse(`GET /${'y'.repeat(1_000_000)} HTTP/1.1\r\n\r\n`))).toEqual([431])
  })

  const chunk = (size: number) => [`${size.toString(16)}\r\n`, Buffer.alloc(size, ' '), '\r\n']
  const json = { 'content-type': 'application/json' }
  test.each([
    ['/v1/employees', 1024 * 1024],
    ['/v1/controls/stolenCredentials', 8 * 1024 * 1024],
  ])('POST %s accepts exactly %i bytes, with or without a declared length', async (path, most) => {
    const line = `POST ${path} HTTP/1.1`
    const announced = (length: number) =>
      converse(
        head(line, { ...ofKey(), ...json, ...closing, 'content-length': length }),
        Buffer.alloc(length, ' '),
      )
    expect(statusesIn(await announced(most))).toEqual([400])
    const refused = await announced(most + 1)
    expect(statusesIn(refused)).toEqual([413])
    const chunked = head(line, { ...ofKey(), ...json, ...closing, 'transfer-encoding': 'chunked' })
    expect(statusesIn(await converse(chunked, ...chunk(most), '0\r\n\r\n'))).toEqual([400])
    expect(statusesIn(await converse(chunked, ...chunk(most), ...chunk(1), '0\r\n\r\n'))).toEqual([413])
  })

  // A client that reads only after sending everything would otherwise get a reset instead of the response.
  const size = 24 * 1024 * 1024
  test.each([
    ['too large', 413, {}],
    ['too large, and the last of its connection', 413, closing],
    ['too large, in chunks', 413, { 'transfer-encoding': 'chunked' }],
    ['without a key, and the last of its connection', 401, { ...closing, 'x-api-key': 'x' }],
  ])('a request that is %s can be sent completely and then gets %i', async (_, status, more) => {
    const { socket, received } = await rawSocket(port)
    const chunked = 'transfer-encoding' in more
    const length = chunked ? {} : { 'content-length': size }
    socket.write(head('POST /v1/employees HTTP/1.1', { ...ofKey(), ...json, ...length, ...more }))
    const parts = chunked ? [...chunk(size), '0\r\n\r\n'] : [Buffer.alloc(size, ' ')]
    const faults = await Promise.all(
      parts.map(
        (part) => new Promise((resolve) => socket.write(part, (error) => resolve(error ?? undefined))),
      ),
    )
    expect(faults).toEqual(parts.map(() => undefined))
    await until('the answer', () => received().endsWith('}'))
    expect(statusesIn(received())).toEqual([status])
    socket.destroy()
  })
})

describe('too slow', () => {
  let port = 0
  let key = ''
  beforeAll(async () => {
    port = await portOf(hurried)
    key = (await hurried.addCaller()).key
  })
  const converse = (...parts: Part[]) => converseAt(port, ...parts)
  const begun = (length: number) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': length }
    return converse(head('POST /v1/employees HTTP/1.1', headers), '{"email":')
  }

  test('endless headers get 408 and the connection is closed', async () => {
    expect(statusesIn(await converse('GET /v1/apps HTTP/1.1\r\nhost: loc'))).toEqual([408])
  })

  test('headers that trickle in get 408, too', async () => {
    const { socket, closed } = await rawSocket(port)
    socket.write('GET /v1/apps HTTP/1.1\r\n')
    const trickle = setInterval(() => socket.write('x: y\r\n'), 20)
    const text = await closed()
    clearInterval(trickle)
    expect(statusesIn(text)).toEqual([408])
  })

  test('an endless body gets 408 and the connection is closed', async () => {
    const text = await begun(100)
    expect(statusesIn(text)).toEqual([408])
    expect(problemIn(text)).toMatchObject({ code: 'request_timeout' })
  })

  test('an endless body over the size limit gets 408 and the connection is closed', async () => {
    expect(statusesIn(await begun(2 * 1024 * 1024))).toEqual([408])
  })

  test('an unfinished TLS handshake is aborted', async () => {
    const { closed } = await rawSocket(securePort)
    expect(await closed()).toBe('')
  })
})

describe('unusual but valid', () => {
  test('a client that has closed its side gets its response', async () => {
    const { socket, closed } = await rawSocket(port)
    socket.end(head('GET /v1/apps HTTP/1.1', ofKey()))
    expect(statusesIn(await closed())).toEqual([200])
  })

  test('pipelined requests are answered in order', async () => {
    const requests = ['/v1/apps', '/v1/apps?limit=0', '/v1/nothing'].map((path) =>
      head(`GET ${path} HTTP/1.1`, ofKey()),
    )
    const text = await converse(requests.join('') + head('GET /healthz HTTP/1.1', closing))
    expect(statusesIn(text)).toEqual([200, 400, 404, 200])
  })

  test('HTTP/1.0 gets a response and the connection is closed', async () => {
    expect(statusesIn(await converse(head('GET /v1/apps HTTP/1.0', ofKey())))).toEqual([200])
  })

  test('Expect: 100-continue gets 100', async () => {
    const { socket, received, closed } = await rawSocket(port)
    const body = '{"url":"continue.example.com"}'
    const headers = {
      ...ofKey(),
      ...closing,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    socket.write(head('POST /v1/controls/blockedUrls HTTP/1.1', { ...headers, expect: '100-continue' }))
    await until('leave to go on', () => received().includes('HTTP/1.1 100 Continue'))
    socket.write(body)
    expect(statusesIn(await closed())).toEqual([100, 200])
  })

  test.each([
    ['OPTIONS * HTTP/1.1', 404],
    ['GET http://localhost/v1/apps HTTP/1.1', 200],
    ['PROPFIND /v1/apps HTTP/1.1', 405],
    ['TRACE /v1/apps HTTP/1.1', 405],
    ['QUERY /v1/apps HTTP/1.1', 405],
    ['QUERY /nothing HTTP/1.1', 404],
  ])('%s gets %i', async (line, status) => {
    expect(statusesIn(await converse(head(line, { ...ofKey(), ...closing })))).toEqual([status])
  })

  test('other expectations are ignored', async () => {
    const text = await converse(head('GET /v1/apps HTTP/1.1', { ...ofKey(), ...closing, expect: 'miracles' }))
    expect(statusesIn(text)).toEqual([200])
  })

  test('an upgrade to another protocol is ignored and the request is answered', async () => {
    const headers = { ...ofKey(), connection: 'upgrade, close', upgrade: 'websocket' }
    expect(statusesIn(await converse(head('GET /v1/apps HTTP/1.1', headers)))).toEqual([200])
  })
})

describe('not HTTP', () => {
  const post = 'POST /v1/employees HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  test.each([
    ['no words at all', '\u0000\u0001\u0002\u0003\u00ff\u00fe\r\n\r\n'],
    ['words', 'hello, is anybody there?\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100050100000103030000000000', 'hex')],
    ['a space before a colon', 'GET / HTTP/1.1\r\nhost : localhost\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: local\u0000host\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n'],
    ['two lengths', `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a negative length', `${post}content-length: -1\r\n\r\n{}`],
    ['a length and chunks', `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk of more than any size', `${post}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n`],
    ['an unknown encoding', `${post}transfer-encoding: rot13\r\n\r\n{}`],
  ])('%s gets 400 and the connection is closed', async (_, bytes) => {
    const text = await converse(bytes)
    // Valid headers have been answered by authentication before.
    expect(statusesIn(text).filter((status) => status !== 401)).toEqual([400])
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain('application/problem+json')
    expect(text).toMatch(/x-request-id: [\w.-]+/)
  })

  test('data after the declared length is not part of the body', async () => {
    const headers = { ...ofKey(), 'content-type': 'application/json', 'content-length': 2 }
    const text = await converse(
      head('POST /v1/employees HTTP/1.1', headers),
      '{}{"email":"a@example.com"}\r\n\r\n',
    )
    expect(new Set(statusesIn(text))).toEqual(new Set([400]))
  })

  test.each([
    ['plain HTTP', Buffer.from(head('GET /v1/apps HTTP/1.1'))],
    ['garbage', Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 37) % 256))],
  ])('%s on the TLS port closes the connection', async (_, bytes) => {
    const { socket, closed } = await rawSocket(securePort)
    socket.write(bytes)
    expect(await closed()).not.toContain('HTTP/1.1 200')
  })

  test('after all this the server is ready and has no open connections', async () => {
    const answer = await harness.call(caller, 'GET', '/v1/employees')
    expect(answer.body['the service']).toEqual([])
    await until('end of all connections', connectionless)
  })
})

test('a client that disconnects during its request causes no server error', async () => {
  const { socket, received } = await rawSocket(port)
  const headers = { ...ofKey(), 'content-type': 'application/json', 'content-length': 100 }
  socket.write(head('POST /v1/employees HTTP/1.1', { ...headers, expect: '100-continue' }))
  await until('leave to go on', () => received().includes('HTTP/1.1 100 Continue'))
  socket.resetAndDestroy()
  await until('the end of its connection', connectionless)
  expect(logged).toEqual([])
})

test('a client that disconnects during the response affects nothing else', async () => {
  for (let round = 0; round < 20; round++) {
    const { socket } = await rawSocket(port)
    socket.write(head('GET /docs/assets/reference.js HTTP/1.1'))
    if (round % 2 === 0) await once(socket, 'data')
    socket.resetAndDestroy()
  }
  expect(statusesIn(await converse(head('GET /healthz HTTP/1.1', closing)))).toEqual([200])
})
