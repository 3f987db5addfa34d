import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { describe, expect, test } from 'vitest'
import { clientOf, useClientServer } from '../../test/support/client-server.ts'
import { anApp, anEmployee, put, unknownId } from '../../test/support/fixtures.ts'
import type { Fate } from '../../test/support/unreliable-proxy.ts'
import { type ClientOptions, createClient } from './client.ts'
import { MusterAnswerError, MusterApiError, MusterConnectionError } from './muster-error.ts'
import { waitMs } from './wait.ts'

const at = useClientServer('sqlite')

/** A client that notes how long it waits. */
const noting = (more: Partial<ClientOptions> = {}) => {
  const waits: number[] = []
  const delay = async (milliseconds: number) => void waits.push(milliseconds)
  return { client: clientOf(at, { delay, ...more }), waits }
}

const unavailable: Fate = { status: 503, headers: { 'retry-after': '5' }, body: '<h1>Away</h1>' }

describe('at the rate limit', () => {
  const exhaust = async () => {
    for (let count = 0; count < 20; count += 1)
      await at.h.call(at.caller, 'GET', '/v1/apps?limit=1', { still: true })
  }

  test('a call of any method waits for Retry-After and succeeds', async () => {
    const employee = anEmployee()
    await put(at.h, at.caller.org, employees, [employee])
    await exhaust()
    const waits: number[] = []
    const delay = async (milliseconds: number) => {
      waits.push(milliseconds)
      at.h.clock.advanceMs(milliseconds)
    }
    const changed = await clientOf(at, { delay }).updateEmployee(employee.id, { location: 'Paris' })
    expect(changed.location).toBe('Paris')
    expect(waits).toEqual([1000])
  })

  test('a call fails after the maximum number of attempts', async () => {
    await exhaust()
    const { client, waits } = noting({ retry: { attemptsMaximum: 3 } })
    await expect(client.listApps()).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    expect(waits).toEqual([1000, 1000])
  })
})

describe('a read', () => {
  test.each<[string, Fate[]]>([
    ['the connection is cut', ['drop', 'lose']],
    ['a proxy cannot reach the server', [{ status: 502 }, { status: 504 }, { status: 503 }]],
    ['the server is away', [unavailable]],
  ])('is repeated when %s', async (_, fates) => {
    at.proxy.next(...fates)
    expect((await clientOf(at).listApps()).records).toEqual([])
    expect(at.proxy.seen).toHaveLength(fates.length + 1)
  })

  test('waits longer each time, and at least for Retry-After', async () => {
    at.proxy.next('drop', 'drop', 'drop', unavailable)
    const { client, waits } = noting()
    await client.listApps()
    expect(waits.map((wait, index) => wait <= 250 * 2 ** index && wait >= 125 * 2 ** index)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(waits[3]).toBe(5000)
  })

  test('fails finally with the reason', async () => {
    at.proxy.next('drop', 'drop')
    const failed = noting({ retry: { attemptsMaximum: 2 } }).client.listApps({ type: 'ZAPIER' })
    await expect(failed).rejects.toThrow(MusterConnectionError)
    await expect(failed).rejects.toMatchObject({
      message: 'GET /v1/apps: the connection failed',
      cause: expect.any(TypeError),
    })
    expect(at.proxy.seen).toHaveLength(2)
  })

  test('fails immediately if the wait would be too long', async () => {
    at.proxy.next({ status: 503, headers: { 'retry-after': '61' } })
    await expect(noting().client.listApps()).rejects.toMatchObject({ status: 503 })
    expect(at.proxy.seen).toHaveLength(1)
  })

  test('is repeated after a timeout', async () => {
    at.proxy.next('stall', 'stall')
    const failed = noting({ timeoutMs: 1000, retry: { attemptsMaximum: 2 } }).client.listApps()
    await expect(failed).rejects.toThrow('GET /v1/apps: no answer in 1000 ms')
    expect(at.proxy.seen).toHaveLength(2)
  })
})

describe('a modification other than POST', () => {
  test.each<Fate>(['drop', 'lose', unavailable])('is not repeated after %j', async (fate) => {
    const app = anApp()
    await put(at.h, at.caller.org, apps, [app])
    at.proxy.next(fate)
    await expect(noting().client.updateApp(app.id, { notes: 'New.' })).rejects.toThrow(Error)
    expect(at.proxy.seen).toHaveLength(1)
  })
})

describe('a POST whose first attempt is still running', () => {
  const running: Fate = {
    status: 409,
    headers: { 'retry-after': '1' },
    body: JSON.stringify({ status: 409, code: 'conflict', detail: 'It is still running.', requestId: 'one' }),
  }
  const times = (count: number): Fate[] => Array.from({ length: count }, () => running)

  test('is awaited longer than failed attempts and runs once', async () => {
    at.proxy.next('lose', ...times(10))
    const { client, waits } = noting({ retry: { attemptsMaximum: 2 } })
    const employee = await client.addEmployee({ email: 'ada@example.com' })
    expect((await client.listEmployees()).records).toEqual([employee])
    expect(waits.slice(1)).toEqual(Array(10).fill(1000))
    const posts = at.proxy.seen.filter(({ method }) => method === 'POST')
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('is given up after ten attempt timeouts, with the key to retrieve its response', async () => {
    at.proxy.next('lose', ...times(61))
    const { client, waits } = noting({ timeoutMs: 6000 })
    const error = await client.addEmployee({ email: 'ada@example.com' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(MusterApiError)
    expect(error).toMatchObject({ status: 409, message: expect.stringContaining('It is still running.') })
    expect(waits.slice(1)).toEqual(Array(60).fill(1000))
    const { idempotencyKey } = error
    expect(at.proxy.seen[0]?.headers['idempotency-key']).toBe(idempotencyKey)
    const employee = await client.addEmployee({ email: 'ada@example.com' }, { idempotencyKey })
    expect((await client.listEmployees()).records).toEqual([employee])
  })

  test('is not awaited by a client without retries', async () => {
    at.proxy.next(running)
    const { client, waits } = noting({ retry: { attemptsMaximum: 1 } })
    await expect(client.addEmployee({ email: 'ada@example.com' })).rejects.toMatchObject({ status: 409 })
    expect(waits).toEqual([])
  })
})

test('only the error of a failed POST contains an idempotency key', async () => {
  at.proxy.next('drop', { status: 200, body: '[]' }, { status: 400, body: 'no' }, 'drop')
  const { client } = noting({ retry: { attemptsMaximum: 1 } })
  for (const failed of [1, 2, 3]) {
    const error = await client.addEmployee({ email: `${failed}@example.com` }).catch((thrown) => thrown)
    expect(error.idempotencyKey).toBe(at.proxy.seen.at(-1)?.headers['idempotency-key'])
    expect(error.idempotencyKey).toMatch(/./)
  }
  await expect(client.listApps()).rejects.toMatchObject({ idempotencyKey: undefined })
})

test('a POST that conflicts with existing data is not repeated', async () => {
  const { client, waits } = noting()
  await client.addEmployee({ email: 'ada@example.com' })
  await expect(client.addEmployee({ email: 'ADA@example.com' })).rejects.toThrow(MusterApiError)
  expect(waits).toEqual([])
})

describe('a server other than Muster', () => {
  test.each<[string, Fate, RegExp]>([
    ['a page', { status: 200, body: '<h1>Welcome</h1>' }, /is this the address of Muster/],
    ['a list', { status: 200, body: '[]' }, /is this the address of Muster/],
    ['an error page', { status: 404, body: '<h1>Not found</h1>' }, /status 404/],
    ['another error', { status: 404, body: '{"error":"no"}' }, /status 404/],
    ['a success without a page', { status: 200, body: '{"result":[]}' }, /but "result": set recordsMember/],
    [
      'a page that does not say whether another follows',
      { status: 200, body: '{"the service":[],"paging":{"moreResults":false}}' },
      /no nextToken: is this the address of Muster/,
    ],
  ])('is detected: %s', async (_, fate, message) => {
    at.proxy.next(fate)
    const failed = noting().client.listApps()
    await expect(failed).rejects.toThrow(MusterAnswerError)
    await expect(failed).rejects.toThrow(message)
  })

  test('does not receive the key through a redirect', async () => {
    const elsewhere = `${at.proxy.address}/elsewhere`
    at.proxy.next({ status: 307, headers: { location: elsewhere } })
    await expect(noting().client.listApps()).rejects.toThrow(`redirects to ${elsewhere}`)
    expect(at.proxy.seen.map(({ url }) => url)).toEqual(['/v1/apps'])
  })
})

describe('a signal', () => {
  const reason = new Error('enough')

  test('that is already aborted prevents a call', async () => {
    const failed = clientOf(at).listApps({}, { signal: AbortSignal.abort(reason) })
    await expect(failed).rejects.toBe(reason)
    expect(at.proxy.seen).toEqual([])
  })

  test('aborts a call that waits for its response', async () => {
    at.proxy.next('stall')
    const controller = new AbortController()
    const failed = clientOf(at).getApp(unknownId(), { signal: controller.signal })
    failed.catch(() => {})
    await at.proxy.arrived(1)
    controller.abort(reason)
    await expect(failed).rejects.toBe(reason)
    expect(at.proxy.seen).toHaveLength(1)
  })

  test('aborts the wait between two attempts', async () => {
    at.proxy.next('drop')
    const controller = new AbortController()
    const delay: ClientOptions['delay'] = (_, signal) => {
      const waiting = waitMs(2 ** 30, signal)
      controller.abort(reason)
      return waiting
    }
    await expect(clientOf(at, { delay }).listApps({}, { signal: controller.signal })).rejects.toBe(reason)
    expect(at.proxy.seen).toHaveLength(1)
  })

  test('aborts an iteration', async () => {
    await put(at.h, at.caller.org, apps, [anApp({ type: 'ONE' }), anApp({ type: 'TWO' })])
    const controller = new AbortController()
    const walk = clientOf(at).iterate('listApps', { limit: 1 }, { signal: controller.signal })
    expect((await walk.next()).value).toMatchObject({ type: 'ONE' })
    controller.abort(reason)
    await expect(walk.next()).rejects.toBe(reason)
  })

  test('has no listeners left after a wait', async () => {
    const controller = new AbortController()
    await waitMs(0, controller.signal)
    controller.abort(reason)
    await expect(waitMs(0, controller.signal)).rejects.toBe(reason)
  })
})

describe('creating a client fails', () => {
  test.each([
    ['http://muster.example.com', /https:\/\//],
    ['https://user@muster.example.com', /without user/],
    ['https://muster.example.com/?x', /without user/],
    ['ftp://muster.example.com', /must be an address/],
    ['muster.example.com', /must be an address/],
    ['', /must be an address/],
  ])('for the address %j', (baseUrl, message) => {
    expect(() => createClient({ baseUrl, apiKey: 'key' })).toThrow(message)
  })

  test.each(['', 'two words', 'line\nbreak', 'schlüssel', 'x'.repeat(256)])(
    'with the key %j, and the message does not tell it',
    (apiKey) => {
      const make = () => createClient({ baseUrl: 'https://muster.example.com', apiKey })
      expect(make).toThrow(new TypeError('apiKey is not an API key of Muster'))
    },
  )

  test.each<unknown>([undefined, null, 1, ['key']])('with the key %j, which is not a string', (apiKey) => {
    const make = () => createClient({ baseUrl: 'https://muster.example.com', apiKey: apiKey as string })
    expect(make).toThrow(new TypeError('apiKey is not an API key of Muster'))
  })

  test.each<[Partial<ClientOptions>, string]>([
    [{ timeoutMs: 0 }, 'timeoutMs must be a whole number from 1 to 2147483647'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs must be'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be'],
    [{ timeoutMs: '60' as unknown as number }, 'timeoutMs must be'],
    [{ retry: { attemptsMaximum: 0 } }, 'retry.attemptsMaximum must be a whole number from 1 to'],
    [{ retry: { attemptsMaximum: Number.NaN } }, 'retry.attemptsMaximum must be'],
    [
      { retry: { waitMaximumSeconds: -1 } },
      'retry.waitMaximumSeconds must be a whole number from 0 to 2147483',
    ],
    [{ retry: { waitMaximumSeconds: 1e7 } }, 'retry.waitMaximumSeconds must be'],
  ])('with the bound %j', (more, message) => {
    const make = () => createClient({ baseUrl: 'https://muster.example.com', apiKey: 'key', ...more })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

test('an undefined option equals a missing one', async () => {
  at.proxy.next(...Array<Fate>(7).fill('drop'))
  const retry = { attemptsMaximum: undefined, waitMaximumSeconds: undefined }
  const none = { fetch: undefined, recordsMember: undefined, timeoutMs: undefined, retry }
  await expect(noting(none).client.listApps()).rejects.toThrow(MusterConnectionError)
  expect(at.proxy.seen).toHaveLength(6)
})

test.each(['', '/', '/v1', '/v1/'])('the address may end in %j', async (end) => {
  const client = clientOf(at, { baseUrl: `${at.proxy.address}${end}` })
  await client.listApps()
  expect(at.proxy.seen.map(({ url }) => url)).toEqual(['/v1/apps'])
})

test.each(['', '.', '..', undefined, 1])(
  'the ID %j is refused because it would change the path',
  async (id) => {
    await expect(clientOf(at).forgetAccount(id as string)).rejects.toThrow(TypeError)
    expect(at.proxy.seen).toEqual([])
  },
)

test.each(['../apps', 'a/b', '%2e%2e', '?x', '#'])('the ID %j is encoded as one path segment', async (id) => {
  await expect(clientOf(at).getAccount(id)).rejects.toMatchObject({ code: 'not_found' })
  expect(at.proxy.seen.map(({ url }) => url)).toEqual([`/v1/accounts/${encodeURIComponent(id)}`])
})
