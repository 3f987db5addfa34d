import { defaultControls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import {
  addLicensed,
  asBrowser,
  askToEnroll,
  browserFacts,
  enrollBrowser,
  linkToken,
  managedToken,
} from '../../../../test/support/agents.ts'
import { expectProblem, inBody, recordsOf } from '../../../../test/support/answers.ts'
import { aBrowser, anEmployee, stateOf } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import { credentialOfBrowser, revokeBrowserCredential } from '../browsers/browser-credentials.service.ts'
import { revokeEnrollmentToken } from './enrollment-tokens.service.ts'

const day = 24 * 60 * 60

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const browsersOf = async (caller: Awaited<ReturnType<typeof h.addCaller>>, employeeId: string) =>
      recordsOf(await h.call(caller, 'GET', `/v1/browsers?employeeId=${employeeId}`))

    describe('enrollment with a link', () => {
      test('returns a credential and creates the browser with its facts', async () => {
        const caller = await h.addCaller()
        const employee = await addLicensed(h, caller)
        const token = await linkToken(h, caller, employee.id)
        const facts = { os: 'WINDOWS', profileEmail: 'ada@example.org', profileSyncEnabled: true } as const
        const { status, body } = await askToEnroll(h, token, { browser: facts })
        const now = unixSeconds(h.clock)
        expect(status).toBe(200)
        expect(body).toEqual({
          browserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          credential: expect.stringMatching(/^mbc_[\w-]{43}$/),
          policyVersion: expect.stringMatching(/^\d+-[0-9a-f]{16}$/),
        })
        expect(await browsersOf(caller, employee.id)).toEqual([
          aBrowser({
            ...browserFacts(facts),
            id: body.browserId,
            employeeId: employee.id,
            email: employee.email,
            tokenType: 'INDIVIDUAL',
            isActive: true,
            creationTimestamp: now,
            lastOnlineTimestamp: now,
          }),
        ])
        expect((await asBrowser(h, body.credential, 'GET', '/policy')).status).toBe(200)
      })

      test('stores only the hash of the credential', async () => {
        const caller = await h.addCaller()
        const { browserId, credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
        const stored = await credentialOfBrowser(h.db, caller.org, browserId)
        expect(stored?.hash).toBe(hashToken(credential))
        const rows = await h.db.all('SELECT * FROM browser_credentials WHERE org = ?', [caller.org])
        expect(JSON.stringify(rows)).not.toContain(credential.slice(4))
      })

      test('works once for eight concurrent requests', async () => {
        const caller = await h.addCaller()
        const employee = await addLicensed(h, caller)
        const token = await linkToken(h, caller, employee.id)
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => askToEnroll(h, token, { still: true })),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
        expect(await browsersOf(caller, employee.id)).toHaveLength(1)
      })

      test('rejects used, replaced, expired and unknown links with readable messages', async () => {
        const caller = await h.addCaller()
        const employee = await addLicensed(h, caller)
        const replaced = await linkToken(h, caller, employee.id)
        const used = await linkToken(h, caller, employee.id)
        await askToEnroll(h, used)
        const expired = await linkToken(h, caller, employee.id)
        h.clock.advanceMs(14 * day * 1000)
        const before = await stateOf(h, caller.org)
        for (const [token, code, text] of [
          [replaced, 'conflict', 'This enrollment link was replaced by a newer one'],
          [used, 'conflict', 'has already been used'],
          [expired, 'conflict', 'has expired'],
          [`${used}x`, 'not_found', 'is invalid'],
          ['met_', 'not_found', 'is invalid'],
        ] as const) {
          const answer = await askToEnroll(h, token)
          expectProblem(answer, code)
          expect(answer.body.detail).toContain(text)
        }
        expect(await stateOf(h, caller.org)).toEqual(before)
      })

      test('works until the last second of the link', async () => {
        const caller = await h.addCaller()
        const token = await linkToken(h, caller, (await addLicensed(h, caller)).id)
        h.clock.advanceMs((14 * day - 2) * 1000)
        expect((await askToEnroll(h, token)).status).toBe(200)
      })

      test('adds the browser only to the organization of the link', async () => {
        const [one, other] = [await h.addCaller(), await h.addCaller()]
        const employee = await addLicensed(h, one)
        await enrollBrowser(h, one, employee.id)
        expect(recordsOf(await h.call(other, 'GET', '/v1/browsers'))).toEqual([])
        expect(recordsOf(await h.call(one, 'GET', '/v1/browsers'))).toHaveLength(1)
      })

      test('returns dormant for an unlicensed employee and keeps the link usable', async () => {
        const caller = await h.addCaller()
        const employee = await addLicensed(h, caller)
        const token = await linkToken(h, caller, employee.id)
        await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: false } })
        expect((await askToEnroll(h, token)).body).toEqual({ dormant: true })
        await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: true } })
        expect((await askToEnroll(h, token)).body).toHaveProperty('credential')
      })
    })

    describe('managed enrollment', () => {
      test('finds the employee by the profile address, regardless of case', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const employee = await addLicensed(h, caller)
        const { body } = await askToEnroll(h, token, {
          browser: { profileEmail: employee.email.toUpperCase() },
        })
        expect(body).toHaveProperty('credential')
        const [browser] = await browsersOf(caller, employee.id)
        expect(browser).toMatchObject({ id: body.browserId, tokenType: 'MANAGED', email: employee.email })
      })

      test('prefers the identity of the managed policy to the profile', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const employee = await addLicensed(h, caller)
        await askToEnroll(h, token, {
          identity: employee.email,
          browser: { profileEmail: 'someone@private.example' },
        })
        expect(await browsersOf(caller, employee.id)).toHaveLength(1)
        expect(recordsOf(await h.call(caller, 'GET', '/v1/employees'))).toHaveLength(1)
      })

      test('adds and licenses an unknown employee once for concurrent browsers', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const answers = await Promise.all(
          Array.from({ length: 8 }, () =>
            askToEnroll(h, token, { browser: { profileEmail: 'new@example.com' }, still: true }),
          ),
        )
        expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
        const people = recordsOf(await h.call(caller, 'GET', '/v1/employees'))
        expect(people).toEqual([
          anEmployee({
            id: people[0]?.id,
            email: 'new@example.com',
            firstName: null,
            lastName: null,
            department: null,
            location: null,
            chatopsEnabled: false,
            licensed: true,
            creationTimestamp: people[0]?.creationTimestamp,
          }),
        ])
        expect(await browsersOf(caller, people[0]?.id)).toHaveLength(8)
      })

      test('adds no employee if the organization disabled it', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const controls = { ...defaultControls, autoCreateManagedEmployees: false }
        await h.db.inTransaction((tx) => writeControls(tx, caller.org, controls, unixSeconds(h.clock)))
        const answer = await askToEnroll(h, token, { browser: { profileEmail: 'new@example.com' } })
        expect(answer.body).toEqual({ dormant: true })
        expect(recordsOf(await h.call(caller, 'GET', '/v1/employees'))).toEqual([])
      })

      test('returns dormant for unlicensed and merged employees', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const unlicensed = await addLicensed(h, caller, { licensed: false })
        const merged = await addLicensed(h, caller, { mergedIntoId: unlicensed.id })
        for (const { email } of [unlicensed, merged])
          expect((await askToEnroll(h, token, { identity: email })).body).toEqual({ dormant: true })
        expect(recordsOf(await h.call(caller, 'GET', '/v1/browsers'))).toEqual([])
      })

      test('enrolls for the current primary of a merged employee', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const [old, between, primary] = [
          await addLicensed(h, caller),
          await addLicensed(h, caller),
          await addLicensed(h, caller),
        ]
        const merge = (into: string, id: string) =>
          h.call(caller, 'POST', `/v1/employees/${into}/merge`, { body: { employeeIds: [id] } })
        const enroll = () => askToEnroll(h, token, { browser: { profileEmail: old.email } })
        await merge(between.id, old.id)
        await merge(primary.id, between.id)
        const { body } = await enroll()
        expect(await browsersOf(caller, primary.id)).toMatchObject([
          { id: body.browserId, tokenType: 'MANAGED', email: primary.email },
        ])
        expect((await asBrowser(h, body.credential, 'GET', '/policy')).body).toHaveProperty('version')
        await h.call(caller, 'PATCH', `/v1/employees/${primary.id}`, { body: { licensed: false } })
        expect((await enroll()).body).toEqual({ dormant: true })
      })

      test('enrolls a browser from before a merge for the primary after its credential was revoked', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        const [primary, old] = [await addLicensed(h, caller), await addLicensed(h, caller)]
        const enroll = async () => (await askToEnroll(h, token, { identity: old.email })).body
        const before = await enroll()
        await h.call(caller, 'POST', `/v1/employees/${primary.id}/merge`, { body: { employeeIds: [old.id] } })
        expect((await asBrowser(h, before.credential, 'GET', '/policy')).body).toEqual({ dormant: true })
        await h.db.inTransaction((tx) =>
          revokeBrowserCredential(tx, caller.org, before.browserId, unixSeconds(h.clock)),
        )
        expectProblem(await asBrowser(h, before.credential, 'GET', '/policy'), 'unauthenticated')
        const { credential } = await enroll()
        expect((await asBrowser(h, credential, 'GET', '/policy')).body).toHaveProperty('version')
      })

      test('rejects a request without a valid employee address', async () => {
        const caller = await h.addCaller()
        const { token } = await managedToken(h, caller.org)
        expectProblem(await askToEnroll(h, token), 'invalid_request', [
          inBody(
            'identity',
            'is required because the browser profile has no address; set identity in the managed policy',
          ),
        ])
        expectProblem(await askToEnroll(h, token, { identity: 'ada' }), 'invalid_request', [
          inBody('identity', 'must be an e-mail address'),
        ])
        expectProblem(
          await askToEnroll(h, token, { browser: { profileEmail: 'ada at work' } }),
          'invalid_request',
          [inBody('browser.profileEmail', 'must be an e-mail address')],
        )
        expect(recordsOf(await h.call(caller, 'GET', '/v1/employees'))).toEqual([])
      })

      test('rejects unknown and revoked tokens', async () => {
        const caller = await h.addCaller()
        const { id, token } = await managedToken(h, caller.org)
        const unknown = `met_${'A'.repeat(43)}`
        expectProblem(await askToEnroll(h, unknown, { identity: 'new@example.com' }), 'not_found')
        await h.db.inTransaction((tx) => revokeEnrollmentToken(tx, caller.org, id, unixSeconds(h.clock)))
        expectProblem(await askToEnroll(h, token, { identity: 'new@example.com' }), 'conflict')
        expect(recordsOf(await h.call(caller, 'GET', '/v1/employees'))).toEqual([])
      })
    })

    describe('a browser', () => {
      test('is dormant while its employee has no license', async () => {
        const caller = await h.addCaller()
        const employee = await addLicensed(h, caller)
        const { credential } = await enrollBrowser(h, caller, employee.id)
        const policy = () => asBrowser(h, credential, 'GET', '/policy', { still: true })
        expect((await policy()).body).toHaveProperty('version')
        await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: false } })
        const { body, headers } = await policy()
        expect(body).toEqual({ dormant: true })
        expect(headers).not.toHaveProperty('etag')
        await h.call(caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: true } })
        expect((await policy()).body).toHaveProperty('version')
      })

      test('is dormant while its employee is merged into another', async () => {
        const caller = await h.addCaller()
        const [primary, secondary] = [await addLicensed(h, caller), await addLicensed(h, caller)]
        const { credential } = await enrollBrowser(h, caller, secondary.id)
        const body = { employeeIds: [secondary.id] }
        await h.call(caller, 'POST', `/v1/employees/${primary.id}/merge`, { body })
        expect((await asBrowser(h, credential, 'GET', '/policy')).body).toEqual({ dormant: true })
        await h.call(caller, 'POST', `/v1/employees/${secondary.id}/unmerge`)
        await h.call(caller, 'PATCH', `/v1/employees/${secondary.id}`, { body: { licensed: true } })
        expect((await asBrowser(h, credential, 'GET', '/policy')).body).toHaveProperty('version')
      })

      test('is rejected within a second after its credential was revoked', async () => {
        const caller = await h.addCaller()
        const { browserId, credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
        expect((await asBrowser(h, credential, 'GET', '/policy')).status).toBe(200)
        await h.db.inTransaction((tx) =>
          revokeBrowserCredential(tx, caller.org, browserId, unixSeconds(h.clock)),
        )
        expectProblem(await asBrowser(h, credential, 'GET', '/policy'), 'unauthenticated')
      })
    })
  })
}
