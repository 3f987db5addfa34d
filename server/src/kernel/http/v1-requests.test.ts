import { pageOf, recordsMemberDefault } from '@muster/contract/api/api'
import { queryParameters } from '@muster/contract/api/filter-schema'
import { methodOf, type Operation } from '@muster/contract/api/operation'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem, inQuery, recordsOf, withoutRequestId } from '../../../../test/support/answers.ts'
import { allOperations, exampleRequests } from '../../../../test/support/example-requests.ts'
import { stateOf, unknownId } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const reading = allOperations.filter(([, operation]) => methodOf(operation) === 'GET')
const withId = allOperations.filter(([, { path }]) => path.includes(':id'))
const parametersOf = (operation: Operation) => queryParameters(operation)

function responseOf(operation: Operation): TSchema {
  if (operation.kind === 'action') return operation.response
  const { record } = operation.collection
  return operation.kind === 'get' ? record : pageOf(record, recordsMemberDefault)
}

/** All paths with their methods in the REST API document. */
const paths: Readonly<Record<string, string>> = {
  '/v1/accounts': 'GET, HEAD',
  '/v1/accounts/x': 'DELETE, GET, HEAD',
  '/v1/accounts/x/loginMethods': 'DELETE',
  '/v1/accounts/x/usedBy': 'GET, HEAD',
  '/v1/accountsOther': 'GET, HEAD',
  '/v1/accountsOther/x': 'GET, HEAD',
  '/v1/apps': 'GET, HEAD',
  '/v1/apps/x': 'GET, HEAD, PATCH',
  '/v1/apps/x/labels': 'DELETE, POST',
  '/v1/appsOther': 'GET, HEAD',
  '/v1/appsOther/x': 'GET, HEAD',
  '/v1/browsers': 'GET, HEAD',
  '/v1/browsers/x': 'GET, HEAD',
  '/v1/browserExtensions': 'GET, HEAD',
  '/v1/detections': 'GET, HEAD',
  '/v1/detections/x': 'GET, HEAD, PATCH',
  '/v1/employees': 'GET, HEAD, POST',
  '/v1/employees/x': 'GET, HEAD, PATCH',
  '/v1/employees/x/enrollmentLink': 'POST',
  '/v1/employees/x/groups': 'DELETE, POST',
  '/v1/employees/x/merge': 'POST',
  '/v1/employees/x/unmerge': 'POST',
  '/v1/findings': 'GET, HEAD',
  '/v1/findings/x': 'GET, HEAD',
  '/v1/controls/blockedUrls': 'DELETE, GET, HEAD, POST',
  '/v1/controls/stolenCredentials': 'DELETE, POST',
}

test('the API has exactly the 36 endpoints of the REST API document', () => {
  const documented = Object.entries(paths).flatMap(([path, allow]) =>
    allow
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${path.replace('/x', '/:id')}`),
  )
  expect(documented).toHaveLength(36)
  const declared = allOperations.map(([, operation]) => `${methodOf(operation)} ${operation.path}`)
  expect(declared.sort()).toEqual(documented.sort())
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let other: Caller
    let requests: Awaited<ReturnType<typeof exampleRequests>>
    beforeAll(async () => {
      caller = await h.addCaller()
      other = await h.addCaller()
      requests = await exampleRequests(h, caller.org)
      await exampleRequests(h, other.org)
    })

    describe.each(allOperations)('%s', (name, operation) => {
      test('returns 200 and JSON with exactly the declared members, and affects no other organization', async () => {
        const fresh = await h.addCaller()
        const { method, url, body } = (await exampleRequests(h, fresh.org))[name]
        const before = await stateOf(h, other.org)
        const answer = await h.call(fresh, method, url, { body })
        expect(Compile(responseOf(operation)).Errors(answer.body)).toEqual([true, []])
        expect(answer.status).toBe(200)
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(await stateOf(h, other.org)).toEqual(before)
      })

      test('returns 400 for an unknown parameter by name, and changes nothing', async () => {
        const { method, url, body } = requests[name]
        const before = await stateOf(h, caller.org)
        const answer = await h.call(caller, method, `${url}?color=red`, { body })
        const names = parametersOf(operation).map((parameter) => parameter.name)
        const none = 'is not a parameter of this call, which takes none'
        const some = `is not a parameter of this call; it takes ${names.join(', ')}`
        const message = names.length === 0 ? none : some
        expectProblem(answer, 'invalid_request', [{ in: 'query', name: 'color', message }])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })

    const single = allOperations.flatMap(([name, operation]) =>
      parametersOf(operation)
        .filter(({ maxValues }) => maxValues === 1)
        .map((parameter) => [name, parameter.name, parameter.example] as const),
    )
    test.each(single)('%s takes %s only once', async (name, parameter, example) => {
      const { method, url } = requests[name]
      const pair = `${parameter}=${encodeURIComponent(String(example))}`
      const answer = await h.call(caller, method, `${url}?${pair}&${pair}`)
      expectProblem(answer, 'invalid_request', [
        { in: 'query', name: parameter, message: 'must be given only once' },
      ])
    })

    test('all mistakes of a query are reported at once', async () => {
      const url = '/v1/accounts?limit=0&offset=-1&color=red&creationTimestampAfter=x&email=%ff'
      const { body, status } = await h.call(caller, 'GET', url)
      expect(status).toBe(400)
      const places = body.errors.map(
        (mistake: { in: string; name: string }) => `${mistake.in} ${mistake.name}`,
      )
      expect(places.sort()).toEqual([
        'query color',
        'query creationTimestampAfter',
        'query email',
        'query limit',
        'query offset',
      ])
    })

    test('nextToken and offset are reported if both are set, also if one of them is invalid', async () => {
      for (const query of ['nextToken=x&offset=0', 'nextToken=x&offset=-1', 'offset=zz&nextToken=x']) {
        const { body, status } = await h.call(caller, 'GET', `/v1/accounts?${query}`)
        expect(status).toBe(400)
        const names = new Set(body.errors.map(({ name }: { name: string }) => name))
        expect(names).toEqual(new Set(['nextToken', 'offset']))
      }
      expect((await h.call(caller, 'GET', '/v1/accounts?nextToken=&offset=0')).status).toBe(200)
    })

    test('characters in a query are counted like those in a body', async () => {
      const { url } = requests.addAppLabel
      const label = '😂'.repeat(64)
      expect((await h.call(caller, 'POST', url, { body: { label } })).status).toBe(200)
      const asked = await h.call(caller, 'GET', `/v1/apps?labels=${encodeURIComponent(label)}`)
      expect(recordsOf(asked)).toHaveLength(1)
      const tooLong = await h.call(caller, 'GET', `/v1/apps?labels=${encodeURIComponent(`${label}😂`)}`)
      expectProblem(tooLong, 'invalid_request', [inQuery('labels', expect.stringMatching(/64 characters/))])
    })

    test('says so if there are more mistakes than the maximum', async () => {
      const query = Array.from({ length: 2000 }, (_, at) => `p${at}=1`).join('&')
      const { body, status } = await h.call(caller, 'GET', `/v1/apps?${query}`)
      expect(status).toBe(400)
      expect(body.errors).toHaveLength(1000)
      expect(body.detail.length).toBeLessThanOrEqual(8192)
      expect(body.detail).toMatch(/; and more$/)
    })

    describe.each(withId)('%s', (name) => {
      test('returns the same 404 for a malformed ID, an unknown ID and that of another organization, and changes nothing', async () => {
        const { method, url, body, withId: at } = requests[name]
        const before = [await stateOf(h, caller.org), await stateOf(h, other.org)]
        const unknown = await h.call(other, method, at(unknownId()), { body })
        expectProblem(unknown, 'not_found')
        expect(withoutRequestId(await h.call(other, method, url, { body }))).toBe(withoutRequestId(unknown))
        for (const id of ['x', '%00', '%zz', '..%2f', 'A'.repeat(36), 'a'.repeat(3000)]) {
          const answer = await h.call(other, method, at(id), { body })
          expect(withoutRequestId(answer)).toBe(withoutRequestId(unknown))
        }
        expect([await stateOf(h, caller.org), await stateOf(h, other.org)]).toEqual(before)
      })
    })

    describe.each(reading)('%s', (name) => {
      test('HEAD responds like GET without the body', async () => {
        const { url, withId: at } = requests[name]
        for (const asked of [url, `${url}?color=red`, at('x')]) {
          const got = await h.call(caller, 'GET', asked)
          const head = await h.call(caller, 'HEAD', asked)
          expect(head.text).toBe('')
          expect(head.status).toBe(got.status)
          const { 'x-request-id': _, date: _date, ...headers } = got.headers
          const length = String(Buffer.byteLength(got.text))
          expect(head.headers).toMatchObject({ ...headers, 'content-length': expect.any(String) })
          expect(got.headers['content-length']).toBe(length)
        }
      })
    })

    const refused = Object.entries(paths).flatMap(([path, allow]) =>
      methods.filter((method) => !allow.split(', ').includes(method)).map((method) => [method, path, allow]),
    )
    test.each(refused as [string, string, string][])(
      '%s %s is 405 with Allow: %s',
      async (method, path, allow) => {
        const answer = await h.call(caller, method, path)
        expect(answer.status).toBe(405)
        expect(answer.headers.allow).toBe(allow)
        expectProblem(await h.call(null, method === 'HEAD' ? 'GET' : method, path), 'unauthenticated')
      },
    )

    test.each([
      ['PUT', '/v1/%61pps', 'GET, HEAD'],
      ['DELETE', 'http://muster.example/v1/apps?limit=1', 'GET, HEAD'],
      ['GET', '/v1/employees/x%2Fy/merge', 'POST'],
    ])('returns 405 for %s %s, however the path is encoded', async (method, path, allow) => {
      const answer = await h.call(caller, method, path)
      expectProblem(answer, 'method_not_allowed')
      expect(answer.headers.allow).toBe(allow)
    })

    const nowhere = [
      '/v1',
      '/v1/',
      '/v1/nowhere',
      '/v1/accounts/x/y',
      '/v1/Accounts',
      '/v1//accounts',
      '/v1/%zz',
      '/v1/apps/',
      '/v1/apps/?limit=1',
      '/v1/employees//merge',
      '/v1/employees//merge?limit=1',
    ]
    test.each(nowhere)('%s is 404 with every method, and only after authentication', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        expectProblem(await h.call(caller, method, path), 'not_found')
        expectProblem(await h.call(null, method, path), 'unauthenticated')
      }
    })

    test.each(['a', 'A-b_c.1', 'x'.repeat(64)])('the x-request-id %s is kept', async (id) => {
      for (const url of ['/v1/apps', '/v1/nowhere', '/v1/apps?limit=0']) {
        const answer = await h.call(caller, 'GET', url, { headers: { 'x-request-id': id } })
        expect(answer.headers['x-request-id']).toBe(id)
      }
      const refusal = await h.call(null, 'GET', '/v1/apps', { headers: { 'x-request-id': id } })
      expect(refusal.headers['x-request-id']).toBe(id)
    })

    test.each(['', 'x'.repeat(65), 'a b', 'ü', 'a"b', '<script>'])(
      'the x-request-id %j is replaced by one of our own',
      async (id) => {
        const answers = [
          await h.call(caller, 'GET', '/v1/apps', { headers: { 'x-request-id': id } }),
          await h.call(caller, 'GET', '/v1/nowhere', { headers: { 'x-request-id': id } }),
        ]
        const given = answers.map(({ headers }) => headers['x-request-id'])
        expect(new Set([...given, id]).size).toBe(3)
        for (const own of given) expect(own).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
      },
    )
  })
}
