import { methodOf } from '@muster/contract/api/operation'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem, withoutRequestId } from '../../../../test/support/answers.ts'
import { allOperations, exampleRequests } from '../../../../test/support/example-requests.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { findApiKey, revokeApiKey } from '../../modules/api-keys/api-keys.service.ts'
import { unixSeconds } from '../lib/clock.ts'
import { newApiKey } from '../lib/secrets/api-key.ts'

const writing = allOperations.filter(([, operation]) => methodOf(operation) !== 'GET')
const reading = allOperations.filter(([, operation]) => methodOf(operation) === 'GET')

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let readOnly: Caller
    let requests: Awaited<ReturnType<typeof exampleRequests>>
    let invalidCallers: Record<string, Caller | null>

    beforeAll(async () => {
      caller = await h.addCaller()
      readOnly = await h.addKey(caller.org, 'READ_ONLY')
      requests = await exampleRequests(h, caller.org)
      const expired = await h.addKey(caller.org, 'FULL_ACCESS', { expiryTimestamp: unixSeconds(h.clock) + 1 })
      const revoked = await h.addKey(caller.org)
      // Both worked before.
      for (const ended of [expired, revoked])
        expect((await h.call(ended, 'GET', '/v1/apps', { still: true })).status).toBe(200)
      await h.db.inTransaction((tx) => revokeApiKey(tx, caller.org, revoked.keyId, unixSeconds(h.clock)))
      h.clock.advanceMs(1000)
      invalidCallers = {
        missing: null,
        malformed: { ...caller, key: 'mstr_x' },
        empty: { ...caller, key: '' },
        'wrong checksum': {
          ...caller,
          key: caller.key.slice(0, -1) + (caller.key.endsWith('0') ? '1' : '0'),
        },
        unknown: { ...caller, key: newApiKey().key },
        expired,
        revoked,
      }
    })

    describe.each(allOperations)('%s', (name) => {
      test('returns the same 401 for a missing, malformed, unknown, expired or revoked key', async () => {
        const { method, url, body } = requests[name]
        const before = await stateOf(h, caller.org)
        const texts = new Set<string>()
        for (const invalid of Object.values(invalidCallers)) {
          const answer = await h.call(invalid, method, url, { body })
          expectProblem(answer, 'unauthenticated')
          expect(answer.headers['www-authenticate']).toBe('ApiKey')
          expect(answer.headers).not.toHaveProperty('ratelimit')
          texts.add(withoutRequestId(answer))
        }
        expect(texts.size).toBe(1)
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('returns 401 without a key, whatever else is wrong', async () => {
        const { method, withId } = requests[name]
        const answer = await h.call(null, method, `${withId('x')}?color=red`, {
          payload: '{"broken',
          headers: { 'content-type': 'text/plain' },
        })
        expectProblem(answer, 'unauthenticated')
      })
    })

    describe.each(writing)('%s', (name) => {
      test('returns 403 for a read-only key, whatever else is wrong, and changes nothing', async () => {
        const { method, url, withId, body } = requests[name]
        const before = await stateOf(h, caller.org)
        const right = await h.call(readOnly, method, url, { body })
        const wrong = await h.call(readOnly, method, `${withId('x')}?color=red`, {
          payload: '{"broken',
          headers: { 'content-type': 'text/plain' },
        })
        for (const answer of [right, wrong]) {
          expectProblem(answer, 'read_only_key')
          expect(answer.headers.ratelimit).toBe('"user";r=19;t=1')
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    describe.each(reading)('%s', (name) => {
      test('accepts a read-only key', async () => {
        const { method, url } = requests[name]
        expect((await h.call(readOnly, method, url)).status).toBe(200)
      })
    })

    test('429 takes precedence over 403, 400, 404 and 405, and 401 over 429', async () => {
      const key = await h.addKey(caller.org, 'READ_ONLY')
      for (let count = 0; count < 20; count += 1)
        await h.call(key, 'GET', '/v1/apps?limit=1', { still: true })
      for (const [method, url] of [
        ['GET', '/v1/apps'],
        ['POST', '/v1/employees'],
        ['GET', '/v1/apps?limit=0'],
        ['GET', '/v1/nowhere'],
        ['PUT', '/v1/apps'],
      ] as const) {
        const answer = await h.call(key, method, url, { still: true })
        expectProblem(answer, 'rate_limited')
        expect(answer.headers).toMatchObject({
          'retry-after': '1',
          ratelimit: '"user";r=0;t=1',
          'ratelimit-policy': '"user";q=10;w=1;burst=10',
          'cache-control': 'no-store',
        })
      }
      expectProblem(await h.call(null, 'GET', '/v1/apps', { still: true }), 'unauthenticated')
    })

    test('all keys of a holder share one limit: 20 at once, then 10 per second; other holders are not affected', async () => {
      const holder = 'lin@example.com'
      const keys = await Promise.all([1, 2, 3].map(() => h.addKey(caller.org, 'FULL_ACCESS', { holder })))
      const admitted = async (requestCount: number) => {
        const answers = await Promise.all(
          Array.from({ length: requestCount }, (_, at) =>
            h.call(keys[at % keys.length] ?? null, 'GET', '/v1/apps?limit=1', { still: true }),
          ),
        )
        return answers.filter(({ status }) => status === 200).length
      }
      expect(await admitted(60)).toBe(20)
      h.clock.advanceMs(99)
      expect(await admitted(3)).toBe(0)
      h.clock.advanceMs(1)
      expect(await admitted(3)).toBe(1)
      h.clock.advanceMs(1000)
      expect(await admitted(30)).toBe(10)
      const elsewhere = await h.addCaller()
      const namesake = await h.addKey(elsewhere.org, 'FULL_ACCESS', { holder })
      expect((await h.call(namesake, 'GET', '/v1/apps', { still: true })).status).toBe(200)
      expect((await h.call(caller, 'GET', '/v1/apps', { still: true })).status).toBe(200)
    })

    test.each([
      ['200', 'GET', '/v1/apps', 200],
      ['400', 'GET', '/v1/apps?limit=0', 400],
      ['404', 'GET', '/v1/nowhere', 404],
      ['405', 'PUT', '/v1/apps', 405],
    ])('the response to an authenticated %s has rate limit headers', async (_, method, url, status) => {
      const answer = await h.call(caller, method, url)
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({
        ratelimit: '"user";r=19;t=1',
        'ratelimit-policy': '"user";q=10;w=1;burst=10',
      })
      expect(answer.headers).not.toHaveProperty('retry-after')
    })

    test('returns 429 after 20 failed authentications in a second, but not for a valid key from there', async () => {
      h.clock.advanceMs(1000)
      for (let count = 0; count < 20; count += 1)
        expectProblem(await h.call(null, 'GET', '/v1/apps', { still: true }), 'unauthenticated')
      const refused = await h.call(null, 'GET', '/v1/apps', { still: true })
      expectProblem(refused, 'rate_limited')
      expect(refused.headers['retry-after']).toBe('1')
      expect((await h.call(caller, 'GET', '/v1/apps', { still: true })).status).toBe(200)
      expectProblem(await h.call(null, 'GET', '/v1/apps'), 'unauthenticated')
    })

    test('the last use of a key is stored at most once per minute', async () => {
      const key = await h.addKey(caller.org)
      const lastUse = async () => {
        await h.call(key, 'GET', '/v1/apps?limit=1')
        await h.call(caller, 'GET', '/v1/apps?limit=1')
        return (await findApiKey(h.db, key.org, key.keyId))?.lastUsedTimestamp
      }
      // It is stored asynchronously. Each check advances the clock by 2 s, less than a minute in total.
      const patience = { interval: 500, timeout: 10_000 }
      const first = unixSeconds(h.clock) + 1
      await expect.poll(lastUse, patience).toBe(first)
      h.clock.advanceMs(30_000)
      expect(await lastUse()).toBe(first)
      h.clock.advanceMs(60_000)
      const second = unixSeconds(h.clock) + 1
      await expect.poll(lastUse, patience).toBe(second)
    })
  })

  describe(`${store}, behind a proxy that ends TLS`, () => {
    const h = useHarness(store, { trustProxy: true })

    test('rejects requests that reached the proxy without TLS, before authentication', async () => {
      const caller = await h.addCaller()
      const through = (proto: string, as: Caller | null = caller) =>
        h.call(as, 'GET', '/v1/apps', { headers: { 'x-forwarded-proto': proto } })
      expectProblem(await through('http'), 'https_required')
      expectProblem(await through('http', null), 'https_required')
      expect((await through('https')).status).toBe(200)
      expectProblem(await through('https', null), 'unauthenticated')
    })

    test('counts failed authentications by the forwarded address', async () => {
      const from = (address: string) =>
        h.call(null, 'GET', '/v1/apps', {
          headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': address },
          still: true,
        })
      for (let count = 0; count < 20; count += 1) await from('192.0.2.1')
      expectProblem(await from('192.0.2.1'), 'rate_limited')
      expectProblem(await from('192.0.2.2'), 'unauthenticated')
    })
  })
}
