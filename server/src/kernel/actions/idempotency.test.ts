import type { OperationId } from '@muster/contract/api/api'
import { methodOf } from '@muster/contract/api/operation'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  expectAnswer,
  expectProblem,
  inBody,
  recordsOf,
  withoutRequestId,
} from '../../../../test/support/answers.ts'
import {
  allOperations,
  type ExampleRequest,
  exampleRequests,
} from '../../../../test/support/example-requests.ts'
import { aBlockedUrl, put, stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, type CallOptions, startHarness, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const posts = allOperations.filter(([, operation]) => methodOf(operation) === 'POST')
const dayMs = 24 * 60 * 60 * 1000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let requests: Readonly<Record<OperationId, ExampleRequest>>
    beforeEach(async () => {
      caller = await h.addCaller()
      requests = await exampleRequests(h, caller.org)
    })
    const post = (
      url: string,
      body: unknown,
      key: string,
      { as = caller, ...more }: CallOptions & { as?: Caller } = {},
    ) => h.call(as, 'POST', url, { body, headers: { 'idempotency-key': key }, ...more })
    const addEmployee = (email: string, key: string, as = caller) =>
      post('/v1/employees', { email }, key, { as })
    const employeeCount = async () =>
      recordsOf(await h.call(caller, 'GET', '/v1/employees?email=new@')).length

    test('eight operations are a POST', () => {
      expect(posts.map(([name]) => name)).toEqual([
        'addAppLabel',
        'addEmployee',
        'createEnrollmentLink',
        'addEmployeeToGroup',
        'mergeEmployees',
        'unmergeEmployee',
        'addBlockedUrl',
        'addStolenCredentials',
      ])
    })

    describe.each(posts)('%s', (name) => {
      test('a repeated request gets the first response byte for byte and changes nothing', async () => {
        const { url, body } = requests[name]
        const first = await post(url, body, 'key 1')
        expect(first.status).toBe(200)
        expect(first.headers).not.toHaveProperty('idempotency-replayed')
        const before = await stateOf(h, caller.org)
        const second = await post(url, body, 'key 1')
        expect(second.text).toBe(first.text)
        expect(second.status).toBe(200)
        expect(second.headers['content-type']).toBe(first.headers['content-type'])
        expect(second.headers['idempotency-replayed']).toBe('true')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('returns 422 for the key of another request, and changes nothing', async () => {
        await addEmployee('new@example.com', 'used')
        const { url, body } = requests[name === 'addEmployee' ? 'addBlockedUrl' : name]
        const before = await stateOf(h, caller.org)
        expectProblem(await post(url, body, 'used'), 'idempotency_mismatch')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    test('returns 422 for another body, or the same body at another path', async () => {
      await addEmployee('new@example.com', 'k')
      expectProblem(await addEmployee('new.too@example.com', 'k'), 'idempotency_mismatch')
      const group = { group: 'Leads' }
      const { url, withId } = requests.addEmployeeToGroup
      await post(url, group, 'g')
      expectProblem(await post(withId('x'), group, 'g'), 'idempotency_mismatch')
      expect((await addEmployee('new@example.com', 'k')).headers['idempotency-replayed']).toBe('true')
    })

    test('a 404 is kept for any form of ID', async () => {
      for (const id of ['nope', 'a'.repeat(65), '%00']) {
        const { withId } = requests.addAppLabel
        const call = () => post(withId(id), { label: 'x' }, `key of ${id}`)
        expectProblem(await call(), 'not_found')
        const again = await call()
        expectProblem(again, 'not_found')
        expect(again.headers['idempotency-replayed']).toBe('true')
        expectProblem(await post(withId('other'), { label: 'x' }, `key of ${id}`), 'idempotency_mismatch')
      }
    })

    test('without a key no response is kept', async () => {
      const url = requests.addEmployee.url
      await h.call(caller, 'POST', url, { body: { email: 'new@example.com' } })
      const again = await h.call(caller, 'POST', url, { body: { email: 'new@example.com' } })
      expectProblem(again, 'conflict')
      expect(again.headers).not.toHaveProperty('idempotency-replayed')
    })

    test('a response is kept for 24 hours', async () => {
      const first = await addEmployee('new@example.com', 'k')
      h.clock.advanceMs(dayMs - 2000)
      expectAnswer(await addEmployee('new@example.com', 'k'), first.body)
      h.clock.advanceMs(1000)
      const late = await addEmployee('new@example.com', 'k')
      expectProblem(late, 'conflict')
      expect(late.headers).not.toHaveProperty('idempotency-replayed')
      expect((await addEmployee('new.later@example.com', 'other')).status).toBe(200)
    })

    test('idempotency keys belong to the holder: API keys of the same holder share them, other holders and organizations do not', async () => {
      const holder = 'lin@example.com'
      const [one, two] = [
        await h.addKey(caller.org, 'FULL_ACCESS', { holder }),
        await h.addKey(caller.org, 'FULL_ACCESS', { holder: 'Lin@Example.com' }),
      ]
      const stranger = await h.addKey(caller.org)
      const elsewhere = await h.addKey((await h.addCaller()).org, 'FULL_ACCESS', { holder })
      const first = await addEmployee('new@example.com', 'k', one)
      expectAnswer(await addEmployee('new@example.com', 'k', two), first.body)
      expectProblem(await addEmployee('new@example.com', 'k', stranger), 'conflict')
      expect((await addEmployee('new.two@example.com', 'k', elsewhere)).status).toBe(200)
      expect(await employeeCount()).toBe(1)
    })

    test('returns 409 with Retry-After while the first request is in progress', async () => {
      const { url, body } = requests.addStolenCredentials
      const answers = await Promise.all([1, 2, 3].map(() => post(url, body, 'k', { still: true })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expectProblem(answer, 'conflict')
        expect(answer.headers['retry-after']).toBe('1')
      }
      const later = await post(url, body, 'k')
      expectAnswer(later, { count: 1, duplicates: 0 })
      expect(later.headers['idempotency-replayed']).toBe('true')
    })

    test('of many concurrent requests one is executed, the others get its response or 409', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post('/v1/employees', { email: 'new@example.com' }, 'k')),
      )
      const done = answers.filter(({ status }) => status === 200)
      expect(done.length).toBeGreaterThan(0)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      expect(await employeeCount()).toBe(1)
    })

    test('an error is returned again even if its cause is gone', async () => {
      const taken = requests.addEmployee
      await h.call(caller, 'POST', taken.url, { body: { email: 'new@example.com' } })
      const conflict = await addEmployee('new@example.com', 'c')
      expectProblem(conflict, 'conflict')
      const employee = recordsOf(await h.call(caller, 'GET', '/v1/employees?email=new@'))[0]
      await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { email: 'moved@example.com' } })
      const again = await addEmployee('new@example.com', 'c')
      expect(withoutRequestId(again)).toBe(withoutRequestId(conflict))
      expect(again.status).toBe(409)
      expect(again.headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(again.headers['idempotency-replayed']).toBe('true')
      expect(await employeeCount()).toBe(0)
    })

    test('an error does not replace the response that another process stored in the meantime', async () => {
      const url = requests.addEmployee.url
      const taken = await h.call(caller, 'POST', url, { body: { email: 'new@example.com' } })
      const [refused, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let isRefused = false
      const inTransaction: typeof h.db.inTransaction = async (work) => {
        if (isRefused) await released.promise
        try {
          return await h.db.inTransaction(work)
        } catch (error) {
          isRefused = true
          refused.resolve()
          throw error
        }
      }
      const other = await startHarness('sqlite', { storeSeen: () => ({ ...h.db, inTransaction }) })
      const request = { body: { email: 'new@example.com' }, headers: { 'idempotency-key': 'c' } }
      const late = other.call(caller, 'POST', url, request)
      await refused.promise
      await h.call(caller, 'PATCH', `${url}/${taken.body.id}`, { body: { email: 'moved@example.com' } })
      const first = await h.call(caller, 'POST', url, request)
      expect(first.status).toBe(200)
      released.resolve()
      expectProblem(await late, 'conflict')
      expectAnswer(await h.call(caller, 'POST', url, request), first.body)
      await other.close()
    })

    test('a 404 and a 400 are returned again, with their mistakes', async () => {
      const { withId } = requests.addAppLabel
      const missing = await post(withId('x'), { label: 'a' }, 'm')
      expectProblem(missing, 'not_found')
      const { url } = requests.unmergeEmployee
      await post(url, undefined, 'first')
      const alone = await post(url, undefined, 'second')
      for (const [first, again] of [
        [missing, await post(withId('x'), { label: 'a' }, 'm')],
        [alone, await post(url, undefined, 'second')],
      ] as const) {
        expect(withoutRequestId(again)).toBe(withoutRequestId(first))
        expect(again.headers['idempotency-replayed']).toBe('true')
      }
      expect(alone.body.errors).toHaveLength(1)
    })

    test('an invalid request does not use up its key: it can be corrected and sent with the same key', async () => {
      expectProblem(await addEmployee('no address', 'k'), 'invalid_request', [
        inBody('email', 'must be an e-mail address'),
      ])
      expect((await addEmployee('new@example.com', 'k')).status).toBe(200)
    })

    test('a key has 1 to 255 printable characters', async () => {
      const before = await stateOf(h, caller.org)
      for (const key of ['', 'x'.repeat(256), 'tab\there', 'ü']) {
        expectProblem(await addEmployee('new@example.com', key), 'invalid_request', [
          {
            in: 'header',
            name: 'Idempotency-Key',
            message: 'must be given once, with 1 to 255 printable ASCII characters',
          },
        ])
      }
      expect(await stateOf(h, caller.org)).toEqual(before)
      expect((await addEmployee('new@example.com', '~ !'.repeat(85))).status).toBe(200)
    })

    test('only POST uses the key: other methods are executed each time', async () => {
      await put(h, caller.org, blockedUrls, [aBlockedUrl()])
      const remove = () =>
        h.call(caller, 'DELETE', '/v1/controls/blockedUrls', { headers: { 'idempotency-key': 'k' } })
      expectAnswer(await remove(), { count: 2 })
      expectAnswer(await remove(), { count: 0 })
    })

    test('no readable part of a body is kept, such as a password', async () => {
      const { url, body } = requests.addStolenCredentials
      await post(url, body, 'k')
      const rows = await h.db.all('SELECT * FROM idempotency_keys WHERE org = ?', [caller.org])
      expect(rows).toHaveLength(1)
      const text = JSON.stringify(rows)
      for (const secret of ['correct horse', 'ada@example.com']) expect(text).not.toContain(secret)
    })

    describe('an enrollment link', () => {
      const tokenOf = (answer: { body: { enrollmentLink: string } }) =>
        answer.body.enrollmentLink.split('/').at(-1) ?? ''

      test('is kept for repeats, but unreadable in the database', async () => {
        const first = await post(requests.createEnrollmentLink.url, undefined, 'k')
        const rows = await h.db.all('SELECT * FROM idempotency_keys WHERE org = ?', [caller.org])
        expect(rows).toHaveLength(1)
        expect(tokenOf(first)).toHaveLength(43)
        for (const part of [tokenOf(first), 'enroll']) expect(JSON.stringify(rows)).not.toContain(part)
        const again = await post(requests.createEnrollmentLink.url, undefined, 'k')
        expect(again.text).toBe(first.text)
        expect(again.headers['idempotency-replayed']).toBe('true')
      })

      test('is not created again if the kept response cannot be decrypted: the caller gets an error', async () => {
        const url = requests.createEnrollmentLink.url
        await post(url, undefined, 'k')
        await post(url, undefined, 'other')
        // Swaps the response of one key for that of another.
        await h.db.inTransaction((tx) =>
          tx.run(
            `UPDATE idempotency_keys SET body = (SELECT body FROM idempotency_keys WHERE org = ? AND key = 'other')
             WHERE org = ? AND key = 'k'`,
            [caller.org, caller.org],
          ),
        )
        const before = await stateOf(h, caller.org)
        expectProblem(await post(url, undefined, 'k'), 'idempotency_mismatch')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })
  })
}
