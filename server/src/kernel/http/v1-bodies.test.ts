import { type ActionOperation, bodyLimitBytesDefault } from '@muster/contract/api/operation'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem, inBody, inQuery } from '../../../../test/support/answers.ts'
import { allOperations, exampleRequests } from '../../../../test/support/example-requests.ts'
import { stateOf } from '../../../../test/support/fixtures.ts'
import { type Caller, type CallOptions, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const actions = allOperations.flatMap(([name, operation]) =>
  operation.kind === 'action' ? [[name, operation] as const] : [],
)
const withBody = actions.filter(([, { body }]) => body !== undefined)
const withoutBody = actions.filter(([, { body }]) => body === undefined)
const withValue = actions.filter(([, { valueInQuery }]) => valueInQuery !== undefined)
const json = { 'content-type': 'application/json' }
/** Headers of PowerShell and curl for an empty POST. */
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const memberNames = ({ body }: ActionOperation) => Object.keys(body?.properties ?? {})

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    let requests: Awaited<ReturnType<typeof exampleRequests>>
    beforeAll(async () => {
      caller = await h.addCaller()
      requests = await exampleRequests(h, caller.org)
    })

    describe.each(withBody)('%s', (name, operation) => {
      /** Sends invalid bodies and checks that they are rejected and change nothing. */
      const refuse = async (
        options: CallOptions,
        expectRefusal: Parameters<typeof expectProblem>[1],
        ...mistakes: Parameters<typeof expectProblem>[2][]
      ) => {
        const { method, url } = requests[name]
        const before = await stateOf(h, caller.org)
        expectProblem(await h.call(caller, method, url, options), expectRefusal, ...mistakes)
        expect(await stateOf(h, caller.org)).toEqual(before)
      }

      test.each([
        ['text/plain', { 'content-type': 'text/plain' }],
        ['a form', form],
        ['no content-type', {}],
        ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
        ['a compressed body', { ...json, 'content-encoding': 'gzip' }],
      ])('returns 415 for %s', async (_, headers) => {
        const payload = JSON.stringify(requests[name].body)
        await refuse({ payload, headers: headers as Record<string, string> }, 'unsupported_media_type')
      })

      test('returns 413 for a body over the limit, but not at the limit', async () => {
        const limit = operation.bodyLimitBytes ?? bodyLimitBytesDefault
        await refuse({ payload: ' '.repeat(limit + 1), headers: json }, 'payload_too_large')
        await refuse({ payload: '{'.padEnd(limit), headers: json }, 'invalid_request', [
          inBody('body', 'must be valid JSON: error after the first 100000 characters'),
        ])
      })

      test.each([
        ['{"a": 1,\n  oops}', 'must be valid JSON: error at line 2, column 3'],
        ['{"a": 1', 'must be valid JSON: error at line 1, column 8'],
        ["{'a': 1}", 'must be valid JSON: error at line 1, column 2'],
      ])('returns 400 for the invalid JSON %j, with the position', async (payload, message) => {
        await refuse({ payload, headers: json }, 'invalid_request', [inBody('body', message)])
      })

      test('returns 400 for bytes that are not UTF-8', async () => {
        const payload = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])
        await refuse({ payload, headers: json }, 'invalid_request', [inBody('body', 'must be UTF-8 text')])
      })

      test.each(['[]', 'null', '1', '"text"', 'true'])('%s is no object: a 400', async (payload) => {
        await refuse({ payload, headers: json }, 'invalid_request', [inBody('body', 'must be an object')])
      })

      test('returns 400 for undeclared members, with their names and the allowed ones', async () => {
        const message = `is not a member of this object; it takes ${memberNames(operation).join(', ')}`
        const body = { ...(requests[name].body as object), color: 'red', size: 1 }
        await refuse({ body }, 'invalid_request', [inBody('color', message), inBody('size', message)])
        const payload = `${JSON.stringify(requests[name].body).slice(0, -1)},"__proto__":{}}`
        await refuse({ payload, headers: json }, 'invalid_request', [inBody('__proto__', message)])
      })

      test('a body is required', async () => {
        const required = inBody(operation.valueInQuery ?? 'body', expect.stringMatching(/^is required/))
        await refuse({ headers: json }, 'invalid_request', [required])
        await refuse({}, 'invalid_request', [required])
      })
    })

    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON; charset=utf8',
    ])('%s is accepted', async (type) => {
      const { method, url, body } = requests.updateDetection
      const payload = JSON.stringify(body)
      const answer = await h.call(caller, method, url, { payload, headers: { 'content-type': type } })
      expect(answer.status).toBe(200)
    })

    test.each(['application/merge-patch+json', 'application/jsonp', 'text/json', 'json', ';'])(
      '%s is not JSON: 415',
      async (type) => {
        const { method, url, body } = requests.updateDetection
        const payload = JSON.stringify(body)
        const answer = await h.call(caller, method, url, { payload, headers: { 'content-type': type } })
        expectProblem(answer, 'unsupported_media_type')
      },
    )

    test('a body may start with a byte order mark and have whitespace around it', async () => {
      const { method, url, body } = requests.updateDetection
      for (const payload of [`\ufeff${JSON.stringify(body)}`, ` \n\t${JSON.stringify(body)}\r\n `])
        expect((await h.call(caller, method, url, { payload, headers: json })).status).toBe(200)
    })

    test('all mistakes in a body are reported, also in the detail', async () => {
      const { method, url } = requests.updateDetection
      const body = { archived: 1, classification: 2, color: 'red' }
      const { body: problem, status } = await h.call(caller, method, url, { body })
      expect(status).toBe(400)
      const names = problem.errors.map(({ name }: { name: string }) => name)
      expect(names.sort()).toEqual(['archived', 'classification', 'color'])
      for (const { name, message } of problem.errors) expect(problem.detail).toContain(`${name} ${message}`)
    })

    test('for any number of mistakes, at least one and at most the maximum are reported', async () => {
      const { method, url } = requests.updateDetection
      for (const count of [499, 500, 999, 1000, 1001, 20_000]) {
        const members = Array.from({ length: count }, (_, at) => [`m${at}`, at])
        const { body } = await h.call(caller, method, url, { body: Object.fromEntries(members) })
        expect(body.errors).toHaveLength(Math.min(count, 1000))
        expect(body.detail).toMatch(/^m0 is not a member of this object; it takes /)
        expect(body.detail.length).toBeLessThanOrEqual(8192)
      }
    })

    test('each invalid element of a long list is reported with its mistake', async () => {
      const credentials = Array.from({ length: 900 }, (_, at) => ({
        email: at % 3 === 0 ? 'no address' : 'lin@example.com',
        password: at % 3 === 1 ? '' : 'p',
        ...(at % 3 === 2 ? { color: 'red' } : {}),
      }))
      const { method, url } = requests.addStolenCredentials
      const { body } = await h.call(caller, method, url, { body: { credentials } })
      const names = body.errors.map(({ name }: { name: string }) => name)
      const wrong = ['.email', '.password', '']
      expect(names).toEqual(credentials.map((_, at) => `credentials[${at}]${wrong[at % 3]}`))
    })

    test('mistakes in query, body and headers are reported at once', async () => {
      const { url } = requests.addEmployee
      const headers = { 'idempotency-key': 'ü' }
      const answer = await h.call(caller, 'POST', `${url}?color=red`, { body: { licensed: 1 }, headers })
      expectProblem(answer, 'invalid_request', [
        inQuery('color', 'is not a parameter of this call, which takes none'),
        inBody('email', 'is required'),
        inBody('licensed', 'must be true or false'),
        {
          in: 'header',
          name: 'Idempotency-Key',
          message: 'must be given once, with 1 to 255 printable ASCII characters',
        },
      ])
      for (const { name, message } of answer.body.errors)
        expect(answer.body.detail).toContain(`${name} ${message}`)
    })

    describe.each(withoutBody)('%s', (name) => {
      test('takes no body: an empty object is accepted, anything else is rejected and changes nothing', async () => {
        const { method, url } = requests[name]
        const before = await stateOf(h, caller.org)
        for (const payload of ['{"a":1}', '[]', 'null']) {
          expectProblem(await h.call(caller, method, url, { payload, headers: json }), 'invalid_request', [
            inBody('body', 'must be empty: this call takes none'),
          ])
        }
        expectProblem(await h.call(caller, method, url, { payload: '{', headers: json }), 'invalid_request', [
          inBody('body', 'must be valid JSON: error at line 1, column 2'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
        const fresh = await h.addCaller()
        const request = (await exampleRequests(h, fresh.org))[name]
        expect((await h.call(fresh, request.method, request.url, { body: {} })).status).toBe(200)
      })

      test('accepts any content type with an empty body', async () => {
        for (const headers of [json, form, { ...form, 'content-length': '0' }]) {
          const fresh = await h.addCaller()
          const { method, url } = (await exampleRequests(h, fresh.org))[name]
          expect((await h.call(fresh, method, url, { headers })).status).toBe(200)
        }
      })
    })

    describe.each(withValue)('%s', (name, { valueInQuery = '' }) => {
      const givenValue = (body: unknown) => (body as Record<string, string>)[valueInQuery] ?? ''

      const nothing: [string, CallOptions][] = [
        ['no body', { headers: json }],
        ['an empty form', { headers: form }],
        ['an empty object', { body: {} }],
      ]
      test.each(nothing)(
        'takes its value in the query, beside %s, as well as in the body',
        async (_, sent) => {
          const [inTheBody, inTheQuery] = [await h.addCaller(), await h.addCaller()]
          const one = (await exampleRequests(h, inTheBody.org))[name]
          const two = (await exampleRequests(h, inTheQuery.org))[name]
          const first = await h.call(inTheBody, 'DELETE', one.url, { body: one.body })
          const query = `${valueInQuery}=${givenValue(two.body)}`
          const second = await h.call(inTheQuery, 'DELETE', `${two.url}?${query}`, sent)
          expect(first.status).toBe(200)
          const { id: _one, email: _mail, secondaryEmails: _mails, employeeId: _e, ...shown } = first.body
          expect(second.body).toMatchObject(shown)
          expect(second.status).toBe(200)
        },
      )

      test.each(nothing)(
        'says what is required and where when the value is nowhere, beside %s',
        async (_, sent) => {
          const { url } = requests[name]
          const before = await stateOf(h, caller.org)
          expectProblem(await h.call(caller, 'DELETE', url, sent), 'invalid_request', [
            inBody(valueInQuery, 'is required, in the body or in the query'),
          ])
          expect(await stateOf(h, caller.org)).toEqual(before)
        },
      )

      test('rejects a value in both places, naming both, and changes nothing', async () => {
        const { url, body } = requests[name]
        const before = await stateOf(h, caller.org)
        const answer = await h.call(caller, 'DELETE', `${url}?${valueInQuery}=${givenValue(body)}`, { body })
        const message = 'must be in the query or in the body, not in both'
        expectProblem(answer, 'invalid_request', [
          inQuery(valueInQuery, message),
          inBody(valueInQuery, message),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('does not report a missing body if the query is invalid', async () => {
        const { url } = requests[name]
        const answer = await h.call(caller, 'DELETE', `${url}?${valueInQuery}=a&${valueInQuery}=b`)
        expectProblem(answer, 'invalid_request', [inQuery(valueInQuery, 'must be given only once')])
        const empty = await h.call(caller, 'DELETE', `${url}?${valueInQuery}=`)
        const form = expect.stringMatching(/^must be one of|^must have 1 to (64|128) characters$/)
        expectProblem(empty, 'invalid_request', [inQuery(valueInQuery, form)])
      })
    })
  })
}
