import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addLicensed, asBrowser, enrollBrowser } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { type Harness, startHarness } from '../../../../test/support/harness.ts'
import { leakedRangeFile } from './leaked-range.service.ts'
import { loadLeakedRange } from './leaked-range-load.store.ts'

const sha1 = createHash('sha1').update('password').digest('hex').toUpperCase()
const suffix = sha1.slice(5)
const prefix = sha1.slice(0, 5)

async function* linesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** Service of the public protocol that records its requests. */
async function rangeServer(answer: () => { status: number; body: string }) {
  const requests: { url: string; padding: unknown; authorization: unknown }[] = []
  const server: Server = createServer((request, response) => {
    const { authorization } = request.headers
    requests.push({ url: request.url ?? '', padding: request.headers['add-padding'], authorization })
    const { status, body } = answer()
    response.writeHead(status, { location: '/elsewhere' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { requests, host: `127.0.0.1:${port}`, close: () => server.close() }
}

describe('looking up leaked passwords', () => {
  let harness: Harness | undefined
  let opened: { close(): void }[] = []
  beforeEach(() => {
    opened = []
  })
  afterEach(async () => {
    await harness?.close()
    for (const server of opened) server.close()
  })

  async function browserOf(rangeUrl?: string) {
    harness = await startHarness('sqlite', { app: { rangeUrl } })
    const h = harness
    const caller = await h.addCaller()
    const { credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
    return {
      h,
      look: (text: string) => asBrowser(h, credential, 'GET', `/range/${text}`),
      leakedLookup: async () => (await asBrowser(h, credential, 'GET', '/policy')).body.leakedLookup,
    }
  }
  const server = async (answer: () => { status: number; body: string }) => {
    const service = await rangeServer(answer)
    opened.push(service)
    return service
  }
  const real = (text: string) => text.split('\r\n').filter((line) => !line.endsWith(':0'))

  test('is disabled without a file and a service', async () => {
    const { look, leakedLookup } = await browserOf()
    expect(await leakedLookup()).toBe(false)
    expectProblem(await look(prefix), 'not_found')
  })

  test('answers from a loaded file, padded like the public service', async () => {
    const { h, look, leakedLookup } = await browserOf()
    await loadLeakedRange(leakedRangeFile(h.dataDir), linesOf(`${sha1}:37\n${prefix}${'0'.repeat(35)}:2\n`))
    expect(await leakedLookup()).toBe(true)
    const { status, headers, text } = await look(prefix.toLowerCase())
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    })
    expect(real(text)).toEqual([`${'0'.repeat(35)}:2`, `${suffix}:37`])
    const lines = text.split('\r\n')
    expect(lines.length).toBeGreaterThanOrEqual(800)
    expect(lines.length).toBeLessThanOrEqual(1000)
    for (const line of lines) expect(line).toMatch(/^[0-9A-F]{35}:\d+$/)
    expect(new Set(lines).size).toBe(lines.length)
    expect(real((await look('00000')).text)).toEqual([])
  })

  test.each(['5BAA', '5BAA61', '5BAAG', '5BAA%2F', '..%2F..'])('rejects %s as a prefix', async (wrong) => {
    const { look } = await browserOf()
    const message = 'must be the first five hexadecimal digits of a SHA-1 hash'
    expectProblem(await look(wrong), 'invalid_request', [{ in: 'path', name: 'prefix', message }])
  })

  test('queries the service for browsers, once a day per prefix', async () => {
    const body = `${suffix}:37\r\n${'A'.repeat(35)}:0\r\nnonsense\r\n`
    const { requests, host } = await server(() => ({ status: 200, body }))
    const { h, look, leakedLookup } = await browserOf(`http://user:pass%20word@${host}/range/`)
    expect(await leakedLookup()).toBe(true)
    const { text } = await look(prefix)
    expect(real(text)).toEqual([`${suffix}:37`])
    expect(text).not.toContain('nonsense')
    await look(prefix)
    const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`
    expect(requests).toEqual([{ url: `/range/${prefix}`, padding: 'true', authorization }])
    h.clock.advanceMs(24 * 60 * 60 * 1000)
    await look(prefix)
    expect(requests).toHaveLength(2)
  })

  test('does not query the service if a file is loaded', async () => {
    const { requests, host } = await server(() => ({ status: 200, body: '' }))
    const { h, look } = await browserOf(`http://${host}`)
    await loadLeakedRange(leakedRangeFile(h.dataDir), linesOf(`${sha1}:37\n`))
    expect(real((await look(prefix)).text)).toEqual([`${suffix}:37`])
    expect(requests).toEqual([])
  })

  test.each([
    ['fails', { status: 500, body: '' }],
    ['sends elsewhere', { status: 302, body: '' }],
    ['answers without end', { status: 200, body: 'x'.repeat(2 * 1024 * 1024) }],
  ])('returns 503 when the service %s, and queries it again after 10 seconds', async (_, answer) => {
    const { requests, host } = await server(() => answer)
    const { h, look } = await browserOf(`http://${host}`)
    for (const times of [1, 2]) {
      for (const other of [prefix, 'ABCDE']) {
        const refused = await look(other)
        expectProblem(refused, 'unavailable')
        expect(refused.headers['retry-after']).toBe('60')
      }
      expect(requests).toHaveLength(times)
      h.clock.advanceMs(10_000)
    }
  })
})
