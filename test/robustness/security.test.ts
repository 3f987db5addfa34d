import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryRateLimiter } from '../../server/src/kernel/http/rate-limit/rate-limit.ts'
import { fakeClock } from '../../server/src/kernel/lib/clock.ts'
import { type Caller, type Harness, startHarness } from '../support/harness.ts'
import { STORES } from '../support/stores.ts'

const rateLimit = { sustained: 1_000_000, burst: 1_000_000 }
const rounds = 300

/** Returns the median of durations in milliseconds. */
const median = (durations: readonly number[]): number =>
  durations.toSorted((one, other) => one - other)[durations.length >> 1] ?? 0

for (const store of STORES) {
  describe(store, () => {
    let harness: Harness
    let caller: Caller
    let foreignId = ''

    beforeAll(async () => {
      const rateLimiter = memoryRateLimiter({ ...rateLimit, clock: fakeClock() })
      harness = await startHarness(store, { app: { rateLimiter } })
      caller = await harness.addKey(await harness.addOrganization('one'))
      const other = await harness.addKey(await harness.addOrganization('other'))
      const body = { email: 'ada@example.com' }
      foreignId = (await harness.call(other, 'POST', '/v1/employees', { body })).body.id
    })
    afterAll(() => harness.close())

    test('records of another organization and unknown ones are indistinguishable by content, size or time', async () => {
      const unknownId = foreignId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const durations = new Map<string, number[]>([
        [foreignId, []],
        [unknownId, []],
      ])
      const texts = new Set<string>()
      for (let round = 0; round < rounds; round++) {
        for (const [id, taken] of durations) {
          const startMs = performance.now()
          const answer = await harness.call(caller, 'GET', `/v1/employees/${id}`, {
            headers: { 'x-request-id': 'same' },
          })
          taken.push(performance.now() - startMs)
          const { date: _, ratelimit: __, ...headers } = answer.headers
          texts.add(JSON.stringify([answer.status, headers, answer.text]))
        }
      }
      expect([...texts]).toHaveLength(1)
      const [foreign = [], unknown = []] = durations.values()
      const ratio = median(foreign) / median(unknown)
      expect(ratio).toBeGreaterThan(0.5)
      expect(ratio).toBeLessThan(2)
    })

    test('a list, a filter and a merge reveal nothing of another organization', async () => {
      for (const path of ['/v1/employees', '/v1/employees?email=ada', '/v1/employees?limit=1&offset=0']) {
        const { body } = await harness.call(caller, 'GET', path)
        expect(body).toEqual({
          'the service': [],
          paging: { moreResults: false, nextToken: null, next: null },
        })
      }
      // The address is free in this organization, whoever has it in the other.
      const body = { email: 'ada@example.com' }
      const mine = await harness.call(caller, 'POST', '/v1/employees', { body })
      expect(mine.status).toBe(200)
      const merge = (id: string) =>
        harness.call(caller, 'POST', `/v1/employees/${mine.body.id}/merge`, {
          body: { employeeIds: [id] },
          headers: { 'x-request-id': 'same' },
        })
      const unknownId = foreignId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      const [foreign, unknown] = [await merge(foreignId), await merge(unknownId)]
      expect(foreign.status).toBe(400)
      expect(foreign.text.replaceAll(foreignId, 'ID')).toBe(unknown.text.replaceAll(unknownId, 'ID'))
    })

    test('without a trusted proxy, no client can forge its address or scheme', async () => {
      const fail = (at: number) =>
        harness.call(null, 'GET', '/v1/apps', {
          still: true,
          headers: { 'x-forwarded-for': `192.0.2.${at}`, 'x-forwarded-proto': 'http' },
        })
      const statuses: number[] = []
      for (let at = 0; at < 25; at++) statuses.push((await fail(at)).status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(5)
      const valid = await harness.call(caller, 'GET', '/v1/apps', {
        headers: { 'x-forwarded-proto': 'http' },
      })
      expect(valid.status).toBe(200)
    })
  })
}
