import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addLicensed,
  asBrowser,
  askToEnroll,
  browserFacts,
  enrollBrowser,
  linkToken,
  managedToken,
} from '../../../../test/support/agents.ts'
import { expectProblem, inBody, withoutRequestId } from '../../../../test/support/answers.ts'
import { capturedStream } from '../../../../test/support/captured-stream.ts'
import { type Caller, type Harness, startHarness, useHarness } from '../../../../test/support/harness.ts'
import { newBrowserCredential } from '../../kernel/lib/secrets/agent-token.ts'
import { redactPaths } from '../../kernel/lib/secrets/redact.ts'
import { type Db, StoreUnavailableError } from '../../kernel/store/sql.ts'

const paths = [
  ['GET', '/policy'],
  ['POST', '/events'],
  ['GET', '/range/5BAA6'],
  ['GET', '/enrol'],
  ['DELETE', '/policy'],
  ['GET', '/nowhere'],
  ['GET', ''],
] as const

describe('authentication of agents', () => {
  const h = useHarness('sqlite')
  let caller: Caller
  let credential: string
  beforeAll(async () => {
    caller = await h.addCaller()
    credential = (await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)).credential
  })

  test.each(paths)(
    'returns 401 for %s %s without a credential, even for unknown paths',
    async (method, path) => {
      const wrong = [
        {},
        { authorization: '' },
        { authorization: credential },
        { authorization: 'Bearer' },
        { authorization: `Basic ${credential}` },
        { authorization: `Bearer ${credential}x` },
        { authorization: `Bearer ${credential.slice(0, -1)}` },
        { authorization: `Bearer ${newBrowserCredential()}` },
        { authorization: `Bearer ${caller.key}` },
        { 'x-api-key': caller.key },
      ]
      const answers = []
      for (const headers of wrong) {
        const answer = await h.call(null, method, `/agent/v1${path}`, { headers })
        expectProblem(answer, 'unauthenticated')
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        answers.push(withoutRequestId(answer))
      }
      expect(new Set(answers).size).toBe(1)
    },
  )

  test('names the right kind of credential for keys and for browsers', async () => {
    const asAgent = (await h.call(null, 'GET', '/agent/v1/policy')).body
    const asClient = (await h.call(null, 'GET', '/v1/employees')).body
    expect(asAgent.title).toBe('The API key or credential is missing or not valid')
    expect(asAgent.detail).toBe('Send the credential of an enrolled browser as a bearer token.')
    expect(asClient).toEqual({
      ...asAgent,
      detail: 'Send a valid API key in the x-api-key header.',
      message: 'Send a valid API key in the x-api-key header.',
      requestId: asClient.requestId,
    })
  })

  test('rejects the credential of a browser for /v1', async () => {
    for (const headers of [{ 'x-api-key': credential }, { authorization: `Bearer ${credential}` }])
      expectProblem(await h.call(null, 'GET', '/v1/employees', { headers }), 'unauthenticated')
  })

  test('returns 404 and 405 with a credential', async () => {
    for (const path of ['', '/', '/nowhere', '/range', '/range/5BAA6/more', '/Policy'])
      expectProblem(await asBrowser(h, credential, 'GET', path), 'not_found')
    for (const [method, path, allow] of [
      ['GET', '/enrol', 'POST'],
      ['GET', '/events', 'POST'],
      ['POST', '/policy', 'GET, HEAD'],
      ['DELETE', '/range/5BAA6', 'GET, HEAD'],
    ] as const) {
      const answer = await asBrowser(h, credential, method, path)
      expectProblem(answer, 'method_not_allowed')
      expect(answer.headers.allow).toBe(allow)
    }
  })

  test('accepts the authorization scheme in any case', async () => {
    const headers = { authorization: `bearer ${credential}` }
    expect((await h.call(null, 'GET', '/agent/v1/policy', { headers })).status).toBe(200)
  })

  describe('bodies', () => {
    const send = (payload: string | Buffer, headers: Record<string, string> = {}, path = '/events') =>
      asBrowser(h, credential, 'POST', path, {
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      })

    test.each([
      ['{"events":', inBody('body', 'must be valid JSON: error at line 1, column 11')],
      ['[]', inBody('body', 'must be an object')],
      ['null', inBody('body', 'must be an object')],
      ['{}', inBody('events', 'is required: a list of events')],
      ['{"events":{}}', inBody('events', 'is required: a list of events')],
      ['{"events":[]}', inBody('events', 'must have 1 to 500 elements')],
      [`{"events":[${'{},'.repeat(500)}{}]}`, inBody('events', 'must have 1 to 500 elements')],
      ['{"events":[{}],"more":1}', inBody('more', 'is not a member of this object; it takes events')],
    ])('rejects the body %.40s for events', async (payload, mistake) => {
      expectProblem(await send(payload), 'invalid_request', [mistake])
    })

    test('rejects empty bodies and invalid UTF-8', async () => {
      const required = [inBody('body', 'is required: a JSON object')]
      expectProblem(await asBrowser(h, credential, 'POST', '/events'), 'invalid_request', required)
      const broken = Buffer.from([0x7b, 0xff, 0x7d])
      expectProblem(await send(broken), 'invalid_request', [inBody('body', 'must be UTF-8 text')])
    })

    test('rejects more than 1 MiB', async () => {
      const payload = `{"events":["${'x'.repeat(1024 * 1024)}"]}`
      expectProblem(await send(payload), 'payload_too_large')
    })

    test('rejects more than 8 MiB after decompression', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 })
      expect(bomb.length).toBeLessThan(1024 * 1024)
      expectProblem(await send(bomb, { 'content-encoding': 'gzip' }), 'payload_too_large')
    })

    test('rejects invalid gzip data', async () => {
      const mistake = inBody('body', 'must be gzip data, as content-encoding says')
      const packed = gzipSync('{"events":[]}')
      for (const body of [Buffer.from('{"events":[]}'), packed.subarray(0, packed.length - 6)])
        expectProblem(await send(body, { 'content-encoding': 'gzip' }), 'invalid_request', [mistake])
    })

    test('rejects other encodings, media types and charsets', async () => {
      for (const headers of [
        { 'content-encoding': 'br' },
        { 'content-type': 'application/json; charset=latin1' },
        { 'content-type': 'text/plain' },
      ])
        expectProblem(await send('{"events":[{}]}', headers), 'unsupported_media_type')
    })

    test('accepts compressed enrollments and rejects unknown members', async () => {
      const payload = JSON.stringify({ token: 'x', browser: browserFacts() })
      const packed = await send(gzipSync(payload), { 'content-encoding': 'gzip' }, '/enrol')
      expectProblem(packed, 'not_found')
      const wrong = { token: '', browser: { ...browserFacts(), os: 'BEOS' }, more: 1 }
      expectProblem(await send(JSON.stringify(wrong), {}, '/enrol'), 'invalid_request', [
        inBody('more', 'is not a member of this object; it takes token, identity, browser'),
        inBody('token', 'must not be empty'),
        inBody('browser.os', 'must be one of WINDOWS, MACOS, LINUX, CHROMEOS, OTHER'),
      ])
      const large = JSON.stringify({ token: 'x'.repeat(70_000), browser: browserFacts() })
      expectProblem(await send(large, {}, '/enrol'), 'payload_too_large')
    })
  })
})

describe('rate limits', () => {
  const h: Harness = useHarness('sqlite')

  test('allow a browser 20 requests at once, then 5 per second, independently of other browsers', async () => {
    const caller = await h.addCaller()
    const employee = await addLicensed(h, caller)
    const one = await enrollBrowser(h, caller, employee.id)
    const other = await enrollBrowser(h, caller, employee.id)
    h.clock.advanceMs(60_000)
    const ask = async ({ credential }: { credential: string }, times: number) => {
      const answers = []
      for (let at = 0; at < times; at += 1)
        answers.push(await asBrowser(h, credential, 'GET', '/policy', { still: true }))
      return answers
    }
    const first = await ask(one, 22)
    expect(first.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429, 429])
    expectProblem(first[20] as (typeof first)[number], 'rate_limited')
    expect(first[20]?.headers['retry-after']).toBe('1')
    expect((await ask(other, 1))[0]?.status).toBe(200)
    h.clock.advanceMs(1000)
    expect((await ask(one, 7)).map(({ status }) => status)).toEqual([...Array(5).fill(200), 429, 429])
  })

  test('allow an address 20 failures per second, including enrollments, without affecting valid credentials', async () => {
    const caller = await h.addCaller()
    const { credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
    h.clock.advanceMs(60_000)
    const statuses: number[] = []
    for (let at = 0; at < 22; at += 1) {
      const answer =
        at % 2 === 0
          ? await askToEnroll(h, 'unknown', { still: true })
          : await h.call(null, 'GET', '/agent/v1/policy', { still: true })
      statuses.push(answer.status)
    }
    expect(statuses.slice(0, 20).sort()).toEqual([...Array(10).fill(401), ...Array(10).fill(404)])
    expect(statuses.slice(20)).toEqual([429, 429])
    expect((await asBrowser(h, credential, 'GET', '/policy', { still: true })).status).toBe(200)
  })

  test('allow an address 60 enrollments at once, then 20 per second', async () => {
    const caller = await h.addCaller()
    const employee = await addLicensed(h, caller)
    const tokens: string[] = []
    for (let at = 0; at < 3; at += 1) tokens.push(await linkToken(h, caller, employee.id))
    h.clock.advanceMs(60_000)
    const ask = async (times: number) => {
      const statuses: number[] = []
      for (let at = 0; at < times; at += 1) {
        const payload = '{'
        const answer = await h.call(null, 'POST', '/agent/v1/enrol', { payload, still: true })
        statuses.push(answer.status)
      }
      return statuses
    }
    expect((await ask(61)).filter((status) => status === 429)).toHaveLength(1)
    expectProblem(await askToEnroll(h, tokens[2] ?? '', { still: true }), 'rate_limited')
    h.clock.advanceMs(1000)
    expect((await askToEnroll(h, tokens[2] ?? '', { still: true })).status).toBe(200)
  })
})

test('never logs tokens or credentials', async () => {
  const stream = capturedStream()
  const log = pino({ level: 'trace', redact: [...redactPaths] }, stream)
  let fail = false
  const storeSeen = (db: Db): Db => ({
    ...db,
    get: (sql, params) =>
      fail ? Promise.reject(new StoreUnavailableError('the store is away')) : db.get(sql, params),
  })
  const h = await startHarness('sqlite', { app: { log, logRequests: true }, storeSeen })
  const caller = await h.addCaller()
  const employee = await addLicensed(h, caller)
  const used = await linkToken(h, caller, employee.id)
  const { body } = await askToEnroll(h, used)
  const link = await linkToken(h, caller, employee.id)
  const managed = (await managedToken(h, caller.org)).token
  for (fail of [false, true]) {
    await h.call(null, 'GET', `/enroll/${link}`)
    await askToEnroll(h, used)
    await askToEnroll(h, managed)
    await asBrowser(h, body.credential, 'GET', '/policy')
    await asBrowser(h, body.credential, 'POST', '/events', { body: { events: [{}] } })
    await asBrowser(h, `${body.credential}x`, 'GET', '/policy')
  }
  await h.close()
  const written = stream.taken()
  expect(written).toContain('/agent/v1/policy')
  expect(written).toContain('the store is away')
  for (const secret of [used, link, managed, body.credential]) expect(written).not.toContain(secret.slice(4))
})
