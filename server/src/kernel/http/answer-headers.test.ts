import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHarness, useHarness } from '../../../../test/support/harness.ts'
import { rawSocket } from '../../../../test/support/raw-socket.ts'
import { makeMetrics } from '../../modules/metrics/metrics.ts'
import { serveMetrics } from '../../modules/metrics/serve-metrics.ts'

describe('every response', () => {
  const h = useHarness('sqlite', { app: { isHstsWanted: () => true } })

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/%ff'],
    ['PROPFIND', '/nowhere'],
    ['OPTIONS', '*'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/docs/'],
    ['GET', '/docs/assets/reference.js'],
    ['GET', '/docs/errors/not_found'],
    ['GET', '/docs/versions/v1'],
    ['GET', '/docs/guide/'],
    ['POST', '/mcp'],
    ['GET', '/v1/employees'],
    ['PUT', '/v1/employees'],
    ['GET', '/v1/nowhere'],
    ['GET', '/agent'],
    ['GET', '/agent/'],
    ['GET', '/agent/none.zip'],
    ['GET', '/agent/v1/policy'],
    ['POST', '/agent/v1/enrol'],
    ['GET', '/enroll/none'],
    ['GET', '/console/'],
    ['GET', '/console/assets/none.js'],
    ['GET', '/console/api/session'],
    ['GET', '/console/api/overview'],
    ['GET', '/.well-known/security.txt'],
  ])('%s %s has X-Content-Type-Options and Strict-Transport-Security', async (method, url) => {
    const { headers } = await h.call(null, method, url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  test.each([
    ['GET', '/v1/employees'],
    ['GET', '/v1/nowhere'],
    ['POST', '/v1/employees'],
    ['GET', '/agent/v1/policy'],
    ['GET', '/console/api/overview'],
    ['POST', '/mcp'],
    ['GET', '/nowhere'],
  ])('the error of %s %s is not cached', async (method, url) => {
    const { status, headers } = await h.call(null, method, url)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['cache-control']).toBe('no-store')
  })
})

test('Strict-Transport-Security is absent by default', async () => {
  const h = await startHarness('sqlite')
  expect((await h.call(null, 'GET', '/healthz')).headers).not.toHaveProperty('strict-transport-security')
  await h.close()
})

describe('over a socket', () => {
  const h = useHarness('sqlite')
  let port = 0
  beforeAll(async () => {
    await h.app.listen({ port: 0, host: '127.0.0.1' })
    port = (h.app.server.address() as AddressInfo).port
  })
  const converse = async (text: string): Promise<string> => {
    const { socket, closed } = await rawSocket(port)
    socket.write(text)
    return closed()
  }

  test.each([
    ['the same', 'host: localhost\r\nhost: localhost'],
    ['different', 'Host: localhost\r\nX: y\r\nhOST: example.com'],
  ])('returns 400 for a request with two Host headers that are %s', async (_, lines) => {
    const text = await converse(`GET /healthz HTTP/1.1\r\n${lines}\r\nconnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('application/problem+json')
    expect(text).toContain('Host must be given once')
  })

  test('the response to an invalid request has the same headers', async () => {
    const text = await converse('hello\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('\r\nx-content-type-options: nosniff\r\n')
    expect(text).toContain('\r\ncache-control: no-store\r\n')
  })
})

describe('metrics', () => {
  const metrics = makeMetrics()
  let server: Awaited<ReturnType<typeof serveMetrics>>
  beforeAll(async () => {
    server = await serveMetrics(metrics.registry, 0, '127.0.0.1')
  })
  afterAll(async () => {
    server.close()
    await once(server, 'close')
  })

  test.each(['/metrics', '/none'])('%s has X-Content-Type-Options', async (path) => {
    const { port } = server.address() as AddressInfo
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('security.txt', () => {
  const securityContact = 'mailto:security@example.com'
  const h = useHarness('sqlite', { app: { securityContact } })

  test('names a contact and never expires', async () => {
    h.clock.advanceMs(400 * 86_400_000)
    const { status, headers, text } = await h.call(null, 'GET', '/.well-known/security.txt')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const fields = Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/)),
    )
    expect(fields).toMatchObject({
      Contact: securityContact,
      Canonical: 'https://muster.test/.well-known/security.txt',
    })
    const leftMs = Date.parse(fields.Expires) - h.clock.nowMs()
    expect(leftMs).toBeGreaterThan(90 * 86_400_000)
    expect(leftMs).toBeLessThan(365 * 86_400_000)
  })
})

test('without a contact, security.txt names the conventional mailbox of the domain', async () => {
  const h = await startHarness('sqlite')
  const { status, text } = await h.call(null, 'GET', '/.well-known/security.txt')
  expect([status, text]).toEqual([200, expect.stringContaining('Contact: mailto:security@muster.test\n')])
  await h.close()
})
