import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../../../../test/support/harness.ts'
import { plainHttpPeerFilter } from './http-server.ts'

describe('over plain HTTP', () => {
  test.each([
    [false, '127.0.0.1', true],
    [false, '127.8.9.1', true],
    [false, '::1', true],
    [false, '::ffff:127.0.0.1', true],
    [false, '10.0.0.1', false],
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '::ffff:10.0.0.1', true],
    [['::ffff:10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.1'], '::ffff:10.0.0.2', false],
    [['10.0.0.1'], '127.0.0.1', true],
    [['10.0.0.0/8', '192.0.2.0/24'], '::ffff:192.0.2.255', true],
    [['10.0.0.0/8', '192.0.2.0/24'], '192.0.3.0', false],
    [['fd00::/64'], 'fd00::7', true],
    [['fd00::/64'], 'fd00:0:0:1::7', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['10.0.0.0/8'], '', false],
    [[], '10.0.0.1', false],
    [true, '203.0.113.9', true],
  ] as const)('with trust in %j, may %s talk? %j', (trustProxy, address, may) => {
    expect(plainHttpPeerFilter(trustProxy)(address)).toBe(may)
  })
})

/** Address of this machine that is not loopback: connections to it count as remote. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  if (found === undefined)
    throw new Error('this machine needs an address that is not loopback for these tests')
  return found.address
}

describe('a plain HTTP server that trusts one proxy', () => {
  const elsewhere = ownAddress()
  let harness: Harness
  let caller: Caller
  let port = 0
  beforeAll(async () => {
    harness = await startHarness('sqlite', { app: { trustProxy: ['192.0.2.200', '198.51.100.0/24'] } })
    caller = await harness.addCaller()
    await harness.app.listen({ port: 0, host: '::' })
    port = (harness.app.server.address() as AddressInfo).port
  })
  afterAll(() => harness.close())

  const ask = (host: string, path: string, more: RequestInit = {}) =>
    fetch(`http://${host}:${port}${path}`, { ...more, headers: { 'x-api-key': caller.key, ...more.headers } })

  test.each([{}, { 'x-forwarded-proto': 'https' }, { 'x-forwarded-for': '127.0.0.1' }])(
    'refuses others with a valid key, whatever they say of themselves: %j',
    async (headers) => {
      const answer = await ask(elsewhere, '/v1/employees', { headers })
      expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close'])
      expect(await answer.json()).toMatchObject({
        code: 'https_required',
        detail: expect.stringMatching(/plain HTTP.*MUSTER_TRUST_PROXY/),
      })
    },
  )

  test.each(['/docs', '/openapi.json', '/console/', '/agent/v1/policy', '/nothing/here'])(
    'refuses them at %s, too',
    async (path) => {
      const answer = await ask(elsewhere, path)
      expect(await answer.json()).toMatchObject({ code: 'https_required' })
    },
  )

  test('rejects other peers without reading the body', async () => {
    const body = JSON.stringify({ email: 'eve@example.com' })
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(elsewhere, '/v1/employees', { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    const list = await ask('127.0.0.1', '/v1/employees')
    expect(await list.json()).toMatchObject({ 'the service': [] })
    // The response arrives although the body is never sent.
    const socket = connect(port, elsewhere)
    socket.write('POST /v1/employees HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n{')
    const [first] = await once(socket.setEncoding('latin1'), 'data')
    expect(first).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
  })

  test('serves this machine, and probes from anywhere', async () => {
    expect((await ask('127.0.0.1', '/v1/employees')).status).toBe(200)
    expect((await ask('[::1]', '/v1/employees')).status).toBe(200)
    for (const path of ['/healthz', '/readyz']) expect((await ask(elsewhere, path)).status).toBe(200)
  })
})

test('serves the trusted proxy, whatever it forwards', async () => {
  const harness = await startHarness('sqlite', { app: { trustProxy: [ownAddress()] } })
  const { key } = await harness.addCaller()
  await harness.app.listen({ port: 0, host: '0.0.0.0' })
  const { port } = harness.app.server.address() as AddressInfo
  const statusOf = async (headers: Record<string, string>) =>
    (
      await fetch(`http://${ownAddress()}:${port}/v1/employees`, {
        headers: { 'x-api-key': key, ...headers },
      })
    ).status
  expect(await statusOf({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' })).toBe(200)
  expect(await statusOf({ 'x-forwarded-proto': 'http' })).toBe(400)
  await harness.close()
})
