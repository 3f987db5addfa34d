import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { consoleOperations } from '@muster/contract/console/console-api'
import type { ConsoleOperation } from '@muster/contract/console/console-operation'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import {
  consoleBrowser,
  goodPassword,
  type SignedIn,
  setupToken,
  signedIn,
} from '../../../../test/support/console-browser.ts'
import { unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { bindConsole } from './console-bind.ts'

const sessionCookie = '__Host-muster_session'
const declared = Object.entries(consoleOperations) as [string, ConsoleOperation][]
const pathOf = ({ path }: ConsoleOperation) => path.replace(':id', unknownId())
const bodyOf = ({ body }: ConsoleOperation) => (body ? exampleOf(body as JsonSchema) : undefined)
const tables = ['administrators', 'invitations', 'api_keys', 'passkeys', 'recovery_codes']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let other: number

    beforeAll(async () => {
      org = await h.addOrganization('default')
      other = await h.addOrganization('other')
      // Add the first administrator, so the setup is not open.
      const token = await setupToken(h, org)
      const body = { token, email: 'first@example.com', password: goodPassword }
      await consoleBrowser(h).call('POST', 'links/accept', body)
    })

    const stateOfConsole = async () =>
      Promise.all(tables.map((table) => h.db.all(`SELECT * FROM ${table} ORDER BY org, 2, 3`)))

    test('every response forbids frames, foreign scripts, sniffing and caching', async () => {
      const ada = await signedIn(h, org)
      for (const path of ['session', 'keys', 'no-such-path', '/console/api/oidc/start']) {
        const { headers } = await ada.call('GET', path)
        expect(headers).toMatchObject({
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
          ),
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        })
        expect(headers['content-security-policy']).not.toContain('unsafe')
      }
    })

    test('a session ID planted before the sign-in is worthless after it', async () => {
      const { email } = await signedIn(h, org)
      const planted = 'A'.repeat(43)
      const victim = consoleBrowser(h)
      victim.cookies.set(sessionCookie, planted)
      await victim.call('POST', 'sign-in', { email, password: goodPassword })
      expect(victim.cookies.get(sessionCookie)).not.toBe(planted)
      const attacker = consoleBrowser(h)
      attacker.cookies.set(sessionCookie, planted)
      expectProblem(await attacker.call('GET', 'keys'), 'signed_out')
    })

    test('every increase in privilege replaces the session ID and ends the old session', async () => {
      const ada = await signedIn(h, org)
      const attacker = consoleBrowser(h)
      attacker.cookies.set(sessionCookie, ada.cookies.get(sessionCookie) ?? '')
      expect((await attacker.call('GET', 'keys')).status).toBe(200)
      await ada.call('POST', 'reauthenticate', { password: goodPassword })
      expectProblem(await attacker.call('GET', 'keys'), 'signed_out')
      attacker.cookies.set(sessionCookie, ada.cookies.get(sessionCookie) ?? '')
      await ada.call('POST', 'sign-in', { email: ada.email, password: goodPassword })
      expectProblem(await attacker.call('GET', 'keys'), 'signed_out')
    })

    test('the store contains no session ID', async () => {
      const ada = await signedIn(h, org)
      const kept = JSON.stringify(await h.db.all('SELECT * FROM console_sessions'))
      expect(kept).not.toContain(ada.cookies.get(sessionCookie))
    })

    const crossSite: [string, Record<string, string | undefined>][] = [
      ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['from a sister host', { 'sec-fetch-site': 'same-site', origin: 'https://evil.muster.test' }],
      ['from another port', { 'sec-fetch-site': undefined, origin: 'https://muster.test:8443' }],
      ['from nowhere', { origin: 'null', 'sec-fetch-site': undefined }],
      ['that says not where from', { origin: undefined, 'sec-fetch-site': undefined }],
      ['without the header of the page', { 'x-muster-console': undefined }],
      ['that was typed into the address bar', { 'sec-fetch-site': 'none' }],
    ]
    test.each(crossSite)('a request %s changes nothing', async (_, headers) => {
      const ada = await signedIn(h, org)
      const before = await stateOfConsole()
      for (const [, operation] of declared.filter(([, { method }]) => method !== 'GET')) {
        const answer = await ada.call(operation.method, pathOf(operation), bodyOf(operation), headers)
        expectProblem(answer, 'cross_site_request')
      }
      expect(await stateOfConsole()).toEqual(before)
      expect((await ada.call('GET', 'session')).body.state).toBe('SIGNED_IN')
    })

    test('refuses a form of another site, which needs no CORS preflight', async () => {
      const ada = await signedIn(h, org)
      const answer = await h.app.inject({
        method: 'POST',
        url: '/console/api/sign-out-everywhere',
        headers: {
          cookie: `${sessionCookie}=${ada.cookies.get(sessionCookie)}`,
          'content-type': 'text/plain',
          origin: 'https://evil.example',
        },
        payload: '{}',
      })
      expect(answer.statusCode).toBe(403)
      expect((await ada.call('GET', 'session')).body.state).toBe('SIGNED_IN')
    })

    test('another site cannot read either', async () => {
      const ada = await signedIn(h, org)
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const answer = await ada.call('GET', 'administrators', undefined, headers)
      expectProblem(answer, 'cross_site_request')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    })

    const notOperations: [string, string][] = [
      ['GET', 'lists/employees'],
      ['GET', 'lists/employees/count'],
      ['GET', 'lists/employees/export'],
      ['GET', `people?id=${unknownId()}`],
      ['GET', 'records/employees'],
      ['POST', 'records/employees'],
      ['GET', 'audit'],
      ['GET', 'audit/export'],
    ]
    test('a page of another administrator neither reads nor changes anything', async () => {
      const ada = await signedIn(h, org)
      const eve = await signedIn(h, other)
      const pageOf = ({ id }: SignedIn) => ({ 'x-muster-administrator': id })
      const before = await stateOfConsole()
      const sessionOnly = ['PUBLIC', 'SECOND_FACTOR']
      for (const [, operation] of declared.filter(([, { access }]) => !sessionOnly.includes(access))) {
        const answer = await eve.call(operation.method, pathOf(operation), bodyOf(operation), pageOf(ada))
        expectProblem(answer, 'signed_out')
      }
      for (const [method, path] of notOperations) {
        const body = method === 'GET' ? undefined : { email: 'of-another@example.com' }
        expectProblem(await eve.call(method, path, body, pageOf(ada)), 'signed_out')
        expect((await eve.call(method, path, body, pageOf(eve))).status).toBeLessThan(300)
      }
      expect(await stateOfConsole()).toEqual(before)
      expect((await eve.call('GET', 'session', undefined, pageOf(ada))).body.administrator.id).toBe(eve.id)
    })

    const guarded = declared.filter(([, { access }]) => access !== 'PUBLIC')
    test.each(guarded)('%s requires a session', async (_, operation) => {
      const answer = await consoleBrowser(h).call(operation.method, pathOf(operation), bodyOf(operation))
      expectProblem(answer, 'signed_out')
    })

    const forOwners = declared.filter(([, { access }]) => access === 'OWNER')
    const forWriters = declared.filter(([, { access }]) => access === 'FULL_ACCESS')
    test.each([...forOwners, ...forWriters])('%s is refused for lower roles', async (_, operation) => {
      const lower =
        operation.access === 'OWNER' ? (['READ_ONLY', 'FULL_ACCESS'] as const) : (['READ_ONLY'] as const)
      for (const role of lower) {
        const person = await signedIn(h, org, role)
        const before = await stateOfConsole()
        expectProblem(
          await person.call(operation.method, pathOf(operation), bodyOf(operation)),
          'role_too_low',
        )
        expect(await stateOfConsole()).toEqual(before)
      }
    })

    const sensitive = declared.filter(([, operation]) => operation.sensitive)
    test.each(sensitive)('%s requires recent re-authentication', async (_, operation) => {
      const owner = await signedIn(h, org)
      h.clock.advanceMs(11 * 60_000)
      const answer = await owner.call(operation.method, pathOf(operation), bodyOf(operation))
      expectProblem(answer, 'reauthentication_required')
    })

    test('nobody can raise a role, neither their own nor through a key or an invitation', async () => {
      const writer = await signedIn(h, org, 'FULL_ACCESS')
      const reader = await signedIn(h, org, 'READ_ONLY')
      const self = await writer.call('PATCH', `administrators/${writer.id}`, { role: 'OWNER' })
      expectProblem(self, 'role_too_low')
      const invited = await writer.call('POST', 'invitations', { email: 'x@example.com', role: 'OWNER' })
      expectProblem(invited, 'role_too_low')
      const key = await writer.call('POST', 'keys', {
        name: 'raised',
        permission: 'FULL_ACCESS',
        holder: reader.email,
      })
      expectProblem(key, 'invalid_request', [
        {
          in: 'body',
          name: 'holder',
          message: 'must be an administrator whose role allows a Full access key',
        },
      ])
    })

    test('a lowered role applies at once to running sessions', async () => {
      const owner = await signedIn(h, org)
      const writer = await signedIn(h, org, 'FULL_ACCESS')
      await owner.call('PATCH', `administrators/${writer.id}`, { role: 'READ_ONLY' })
      const answer = await writer.call('POST', 'keys', { name: 'x', permission: 'READ_ONLY' })
      expectProblem(answer, 'role_too_low')
    })

    test('records of another organization are not found', async () => {
      const ada = await signedIn(h, org)
      const eve = await signedIn(h, other)
      const bob = await signedIn(h, org, 'READ_ONLY')
      const key = (await ada.call('POST', 'keys', { name: 'ours', permission: 'READ_ONLY' })).body
      await ada.call('POST', 'invitations', { email: 'ours@example.com', role: 'READ_ONLY' })
      const invitation = (await ada.call('GET', 'administrators')).body.invitations.at(-1)
      const before = await stateOfConsole()
      const tried: [string, string, unknown?][] = [
        ['DELETE', `keys/${key.id}`],
        ['POST', `keys/${key.id}/rotate`, { overlapSeconds: 0 }],
        ['GET', `keys/${key.id}/requests`],
        ['DELETE', `invitations/${invitation.id}`],
        ['PATCH', `administrators/${bob.id}`, { role: 'OWNER' }],
        ['POST', `administrators/${bob.id}/reset-password`, {}],
        ['DELETE', `administrators/${bob.id}`, { revokeKeys: true }],
        ['DELETE', `sign-in-methods/passkeys/${unknownId()}`],
      ]
      for (const [method, path, body] of tried) {
        const answer = await eve.call(method, path, body)
        expectProblem(answer, 'not_found')
        const id = path.split('/')[1] ?? ''
        const missing = await eve.call(method, path.replace(id, unknownId()), body)
        expect(missing.body.detail).toBe(answer.body.detail)
      }
      expect(await stateOfConsole()).toEqual(before)
      expect((await eve.call('GET', 'keys')).body.keys).toEqual([])
      const seen = (await eve.call('GET', 'administrators')).text
      expect(seen).not.toContain(ada.email)
      expect(seen).not.toContain('ours@example.com')
      const holder = { name: 'x', permission: 'READ_ONLY', holder: ada.email }
      expect((await eve.call('POST', 'keys', holder)).status).toBe(400)
    })

    test('guessing passwords locks the account for increasing times, whether it exists or not', async () => {
      const { email } = await signedIn(h, org)
      for (const account of [email, 'not-there@example.com']) {
        const guess = (password: string) =>
          consoleBrowser(h).call('POST', 'sign-in', { email: account, password })
        for (let at = 0; at < 5; at++) expectProblem(await guess('wrong wrong wrong'), 'sign_in_failed')
        for (const seconds of ['30', '60', '120']) {
          const locked = await guess(goodPassword)
          expectProblem(locked, 'rate_limited')
          expect(locked.headers['retry-after']).toBe(seconds)
          h.clock.advanceMs(Number(seconds) * 1000)
          expectProblem(await guess('wrong wrong wrong'), 'sign_in_failed')
        }
      }
      h.clock.advanceMs(15 * 60_000)
      const right = await consoleBrowser(h).call('POST', 'sign-in', { email, password: goodPassword })
      expect(right.status).toBe(200)
    })

    test('concurrent guesses do not exceed the limit', async () => {
      const { email } = await signedIn(h, org)
      const guesses = Array.from({ length: 20 }, (_, at) =>
        consoleBrowser(h).call('POST', 'sign-in', { email, password: `wrong password ${at}` }),
      )
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    })

    test('an address that tries many accounts is locked; others continue', async () => {
      const { email } = await signedIn(h, org)
      const attacker = consoleBrowser(h, '203.0.113.9')
      const statuses: number[] = []
      for (let at = 0; at < 52; at++) {
        const body = { email: `guess-${at}@example.com`, password: 'wrong wrong wrong' }
        statuses.push((await attacker.call('POST', 'sign-in', body)).status)
      }
      expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401))
      expect(statuses.slice(50)).toEqual([429, 429])
      const right = await consoleBrowser(h).call('POST', 'sign-in', { email, password: goodPassword })
      expect(right.status).toBe(200)
    })

    test('guessing link tokens is rate limited, too', async () => {
      const attacker = consoleBrowser(h)
      const token = 'A'.repeat(43)
      for (let at = 0; at < 5; at++)
        expectProblem(await attacker.call('POST', 'links/open', { token }), 'sign_in_failed')
      expectProblem(await attacker.call('POST', 'links/open', { token }), 'rate_limited')
    })

    test('a key is shown once; no later response and no stored value contains it', async () => {
      const ada: SignedIn = await signedIn(h, org)
      const made = await ada.call('POST', 'keys', { name: 'once', permission: 'FULL_ACCESS' })
      const { key, id, start } = made.body
      expect(key).toMatch(/^mstr_\w{38}$/)
      const later = [
        (await ada.call('GET', 'keys')).text,
        (await ada.call('GET', `keys/${id}/requests`)).text,
        JSON.stringify(await h.db.all('SELECT * FROM api_keys')),
        (await ada.call('DELETE', `keys/${id}`)).text,
      ]
      for (const text of later) expect(text).not.toContain(key.slice(start.length))
      expect(later[0]).toContain(start)
      expect(later.join()).not.toContain(made.body.curl)
    })

    test('no response contains a hash or a secret', async () => {
      const ada = await signedIn(h, org)
      for (const path of ['session', 'sessions', 'administrators', 'keys', 'sign-in-methods']) {
        const { text } = await ada.call('GET', path)
        expect(text).not.toMatch(/hash|argon2|secret|token/i)
      }
    })
  })
}

test('an operation without declared access does not start', () => {
  const operation = { ...consoleOperations.listKeys, access: undefined } as unknown as ConsoleOperation
  const bind = () => bindConsole({} as never, {} as never, {} as never, { listKeys: operation })
  expect(bind).toThrow('the console operation listKeys does not declare its access')
})
