import type { OperationId } from '@muster/contract/api'
import { blockedUrls } from '@muster/contract/blocked-url'
import { methodOf } from '@muster/contract/operation'
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

    test('eight calls are a POST', () => {
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
      test('a repeat gets the first answer again, byte for byte, and changes nothing', async () => {
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

      test('the key of another request is a 422, and changes nothing', async () => {
        await addEmployee('new@example.com', 'used')
        const { url, body } = requests[name === 'addEmployee' ? 'addBlockedUrl' : name]
        const before = await stateOf(h, caller.org)
        expectProblem(await post(url, body, 'used'), 'idempotency_mismatch')
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    test('another body, or the same body at another path, is a 422', async () => {
      await addEmployee('new@example.com', 'k')
      expectProblem(await addEmployee('new.too@example.com', 'k'), 'idempotency_mismatch')
      const group = { group: 'Leads' }
      const { url, withId } = requests.addEmployeeToGroup
      await post(url, group, 'g')
      expectProblem(await post(withId('x'), group, 'g'), 'idempotency_mismatch')
      expect((await addEmployee('new@example.com', 'k')).headers['idempotency-replayed']).toBe('true')
    })

    test('that there is no such thing is remembered, whatever the id looks like', async () => {
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

    test('without a key nothing is remembered', async () => {
      const url = requests.addEmployee.url
      await h.call(caller, 'POST', url, { body: { email: 'new@example.com' } })
      const again = await h.call(caller, 'POST', url, { body: { email: 'new@example.com' } })
      expectProblem(again, 'conflict')
      expect(again.headers).not.toHaveProperty('idempotency-replayed')
    })

    test('an answer is kept for 24 hours', async () => {
      const first = await addEmployee('new@example.com', 'k')
      h.clock.advanceMs(dayMs - 2000)
      expectAnswer(await addEmployee('new@example.com', 'k'), first.body)
      h.clock.advanceMs(1000)
      const late = await addEmployee('new@example.com', 'k')
      expectProblem(late, 'conflict')
      expect(late.headers).not.toHaveProperty('idempotency-replayed')
      expect((await addEmployee('new.later@example.com', 'other')).status).toBe(200)
    })

    test('keys are those of the holder: another key of theirs shares them, another holder and organization do not', async () => {
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

    test('while the first still runs, a repeat is a 409 that says when to come again', async () => {
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

    test('of many at once one is done, and no answer but the first or 409 is given', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => post('/v1/employees', { email: 'new@example.com' }, 'k')),
      )
      const done = answers.filter(({ status }) => status === 200)
      expect(done.length).toBeGreaterThan(0)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      expect(await employeeCount()).toBe(1)
    })

    test('a refusal is given again, even when the reason is gone', async () => {
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

    test('a refusal that another process has answered otherwise meanwhile does not take that answer away', async () => {
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

    test('a 404 and a 400 of the rules are given again, with their mistakes', async () => {
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

    test('a request that is not valid takes no key: it can be corrected and sent with the same one', async () => {
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

    test('only a POST has a key: other methods are done each time', async () => {
      await put(h, caller.org, blockedUrls, [aBlockedUrl()])
      const remove = () =>
        h.call(caller, 'DELETE', '/v1/controls/blockedUrls', { headers: { 'idempotency-key': 'k' } })
      expectAnswer(await remove(), { count: 2 })
      expectAnswer(await remove(), { count: 0 })
    })

    test('nothing of a body is kept that could be read: passwords least of all', async () => {
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

      test('is kept for a repeat, but not so that it could be read in the database', async () => {
        const first = await post(requests.createEnrollmentLink.url, undefined, 'k')
        const rows = await h.db.all('SELECT * FROM idempotency_keys WHERE org = ?', [caller.org])
        expect(rows).toHaveLength(1)
        expect(tokenOf(first)).toHaveLength(43)
        for (const part of [tokenOf(first), 'enroll']) expect(JSON.stringify(rows)).not.toContain(part)
        const again = await post(requests.createEnrollmentLink.url, undefined, 'k')
        expect(again.text).toBe(first.text)
        expect(again.headers['idempotency-replayed']).toBe('true')
      })

      test('that the version before has kept in clear is given again', async () => {
        const url = requests.createEnrollmentLink.url
        const first = await post(url, undefined, 'k')
        await h.db.inTransaction((tx) =>
          tx.run('UPDATE idempotency_keys SET body = ? WHERE org = ?', [first.text, caller.org]),
        )
        expect((await post(url, undefined, 'k')).text).toBe(first.text)
      })

      test('whose kept answer can no longer be read is not made anew: the caller is asked for a new key', async () => {
        const url = requests.createEnrollmentLink.url
        await post(url, undefined, 'k')
        await post(url, undefined, 'other')
        // As if somebody had put the answer of one key in the place of another's.
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
