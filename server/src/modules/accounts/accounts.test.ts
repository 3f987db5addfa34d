import { accounts } from '@muster/contract/records/account'
import { findings } from '@muster/contract/records/finding'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  expectAnswer,
  expectProblem,
  inBody,
  inQuery,
  page,
  recordsOf,
} from '../../../../test/support/answers.ts'
import {
  aFinding,
  anAccount,
  anAccountUser,
  put,
  stateOf,
  storeAccountUsers,
  unknownId,
} from '../../../../test/support/fixtures.ts'
import { describeGet } from '../../../../test/support/get-tests.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { describePaging } from '../../../../test/support/list-paging.ts'
import { describeList } from '../../../../test/support/list-tests.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

const everyMethod = {
  passwordLogin: true,
  lastPasswordLoginTimestamp: 1001,
  oidcLogin: 'GOOGLE_WORKSPACE',
  lastOidcLoginTimestamp: 1002,
  samlLogin: 'OKTA',
  lastSamlLoginTimestamp: 1003,
  oktaSwaLogin: true,
  lastOktaSwaLoginTimestamp: 1004,
  vendorSsoLogin: 'APPLE',
  lastVendorSsoLoginTimestamp: 1005,
  fedCmLogin: 'GOOGLE',
  lastFedCmLoginTimestamp: 1006,
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let caller: Caller
    beforeEach(async () => {
      caller = await h.addCaller()
    })

    describe('GET /v1/accounts', () => {
      describeList(h, {
        path: '/v1/accounts',
        collection: accounts,
        make: anAccount,
        members:
          'id employeeId appType appId email mfaRegistered mfaMethods passwordId loginMethods creationTimestamp lastUsedTimestamp',
        contains: ['email'],
        exact: {
          appType: ['ZAPIER', 'SLACK'],
          appId: [unknownId(), unknownId()],
          employeeId: [unknownId(), unknownId()],
          passwordId: [unknownId(), unknownId()],
        },
        windows: ['lastUsedTimestamp', 'creationTimestamp'],
      })

      test('several filters combine with AND', async () => {
        const match = anAccount({ email: 'ada@example.com', appType: 'SLACK', lastUsedTimestamp: 2000 })
        await put(h, caller.org, accounts, [
          anAccount({ ...match, id: unknownId(), email: 'bob@example.com' }),
          anAccount({ ...match, id: unknownId(), appType: 'ZAPIER' }),
          match,
          anAccount({ ...match, id: unknownId(), lastUsedTimestamp: 1999 }),
        ])
        const query = 'email=ADA&appType=SLACK&lastUsedTimestampAfter=2000'
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts?${query}`), page([match]))
      })

      test('pages through a filtered list by token and by offset', async () => {
        const records = Array.from({ length: 9 }, (_, at) =>
          anAccount({ appType: at % 3 === 1 ? 'SLACK' : 'ZAPIER' }),
        )
        await put(h, caller.org, accounts, records)
        const matching = records.filter(({ appType }) => appType === 'SLACK')
        const get = (query: string) => h.call(caller, 'GET', `/v1/accounts?appType=SLACK&${query}`)
        const first = await get('limit=2')
        const { nextToken } = first.body.paging
        expectAnswer(first, page(matching.slice(0, 2), nextToken, '2'))
        expectAnswer(await get(`nextToken=${nextToken}`), page(matching.slice(2)))
        expectAnswer(await get('limit=1&offset=1'), page(matching.slice(1, 2), null, '2'))
        expectAnswer(await get('offset=2'), page(matching.slice(2)))
        expectAnswer(await get('offset=3'), page([]))
      })

      test('accepts a nextToken only for the same list and filters, in any order', async () => {
        const records = [1, 2, 3].map(() => anAccount({ email: 'ada@example.com', appType: 'SLACK' }))
        await put(h, caller.org, accounts, records)
        const get = (query: string) => h.call(caller, 'GET', `/v1/${query}`)
        const { nextToken } = (await get('accounts?email=ada&appType=SLACK&limit=1')).body.paging
        const same = await get(`accounts?nextToken=${nextToken}&appType=SLACK&email=ada`)
        expectAnswer(same, page(records.slice(1)))
        const elsewhere = [
          'accounts?',
          'accounts?email=ada&',
          'accounts?email=ADA&appType=ZAPIER&',
          'accounts?email=ada&appType=SLACK&creationTimestampAfter=0&',
          'accountsOther?email=ada&',
          'apps?',
          `accounts/${records[0]?.id}/usedBy?`,
        ]
        for (const query of elsewhere) {
          const answer = await get(`${query}nextToken=${nextToken}`)
          expect(answer.body.errors).toEqual([inQuery('nextToken', expect.stringMatching(/^must be/))])
        }
      })
    })

    describe('GET /v1/accounts/{id}', () => {
      describeGet(h, { path: '/v1/accounts', collection: accounts, make: anAccount })
    })

    describe('GET /v1/accounts/{id}/usedBy', () => {
      test('returns one element per employee with three members, in order of creation', async () => {
        const account = anAccount()
        const uses = [
          anAccountUser({ employeeId: account.employeeId, lastUsedTimestamp: 5 }),
          anAccountUser({ lastUsedTimestamp: 9, passwordManuallyTyped: false }),
          anAccountUser({ lastUsedTimestamp: null, passwordManuallyTyped: null }),
        ]
        await put(h, caller.org, accounts, [account, anAccount()])
        await storeAccountUsers(h, caller.org, account.id, uses)
        await storeAccountUsers(h, caller.org, unknownId(), [anAccountUser()])
        const answer = await h.call(caller, 'GET', `/v1/accounts/${account.id}/usedBy`)
        expectAnswer(answer, page(uses))
        const members = ['employeeId', 'lastUsedTimestamp', 'passwordManuallyTyped']
        for (const record of recordsOf(answer)) expect(Object.keys(record)).toEqual(members)
      })

      test('returns an empty list for an account without users', async () => {
        const account = anAccount()
        await put(h, caller.org, accounts, [account])
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts/${account.id}/usedBy`), page([]))
      })

      describePaging(h, {
        fill: async (org, count) => {
          const account = anAccount()
          await put(h, org, accounts, [account])
          const records = Array.from({ length: count }, () => anAccountUser())
          await storeAccountUsers(h, org, account.id, records)
          await storeAccountUsers(h, org, unknownId(), [anAccountUser()])
          return { records, path: `/v1/accounts/${account.id}/usedBy` }
        },
      })
    })

    describe('DELETE /v1/accounts/{id}', () => {
      test('deletes the account with its uses and findings, returns it, and keeps everything else', async () => {
        const [account, remaining] = [anAccount({ passwordId: null }), anAccount()]
        await put(h, caller.org, accounts, [remaining])
        await storeAccountUsers(h, caller.org, remaining.id, [anAccountUser()])
        await put(h, caller.org, findings, [
          aFinding({ accountId: remaining.id }),
          aFinding({ accountId: null }),
        ])
        const before = await stateOf(h, caller.org)
        await put(h, caller.org, accounts, [account])
        await storeAccountUsers(h, caller.org, account.id, [anAccountUser(), anAccountUser()])
        const found = [
          aFinding({ accountId: account.id }),
          aFinding({ accountId: account.id, state: 'RESOLVED' }),
        ]
        await put(h, caller.org, findings, found)

        expectAnswer(await h.call(caller, 'DELETE', `/v1/accounts/${account.id}`), account)
        expect(await stateOf(h, caller.org)).toEqual(before)
        for (const url of [`/v1/accounts/${account.id}`, `/v1/accounts/${account.id}/usedBy`])
          expectProblem(await h.call(caller, 'GET', url), 'not_found')
        for (const { id } of found)
          expectProblem(await h.call(caller, 'GET', `/v1/findings/${id}`), 'not_found')
        expectProblem(await h.call(caller, 'DELETE', `/v1/accounts/${account.id}`), 'not_found')
        const email = account.email.slice(0, 8)
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts?email=${email}`), page([remaining]))
      })

      test('resolves the reuse finding of the last account with the password', async () => {
        const passwordId = unknownId()
        const [account, remaining] = [
          anAccount({ passwordId }),
          anAccount({ passwordId, appId: unknownId() }),
        ]
        const reused = aFinding({ accountId: remaining.id, type: 'REUSED_PASSWORD' })
        const weak = aFinding({ accountId: remaining.id, type: 'WEAK_PASSWORD' })
        await put(h, caller.org, accounts, [account, remaining])
        await put(h, caller.org, findings, [reused, weak])
        await h.call(caller, 'DELETE', `/v1/accounts/${account.id}`)
        const lastUpdatedTimestamp = unixSeconds(h.clock)
        const resolved = { ...reused, state: 'RESOLVED', lastUpdatedTimestamp }
        expectAnswer(await h.call(caller, 'GET', '/v1/findings'), page([resolved, weak]))
      })

      test('keeps an account of another organization', async () => {
        const other = await h.addCaller()
        const account = anAccount()
        await put(h, other.org, accounts, [account])
        await storeAccountUsers(h, other.org, account.id, [anAccountUser()])
        const before = await stateOf(h, other.org)
        expectProblem(await h.call(caller, 'DELETE', `/v1/accounts/${account.id}`), 'not_found')
        expect(await stateOf(h, other.org)).toEqual(before)
      })
    })

    describe('DELETE /v1/accounts/{id}/loginMethods', () => {
      test.each([
        ['USERNAME_PASSWORD', { passwordLogin: false, lastPasswordLoginTimestamp: null }],
        ['OKTA_SWA', { oktaSwaLogin: false, lastOktaSwaLoginTimestamp: null }],
        ['OIDC', { oidcLogin: null, lastOidcLoginTimestamp: null }],
        ['SAML', { samlLogin: null, lastSamlLoginTimestamp: null }],
        ['FEDCM', { fedCmLogin: null, lastFedCmLoginTimestamp: null }],
      ])('%s clears the method and its time, and keeps the others', async (loginMethod, cleared) => {
        const account = anAccount({ loginMethods: everyMethod, passwordId: null })
        await put(h, caller.org, accounts, [account])
        const url = `/v1/accounts/${account.id}/loginMethods`
        const after = { ...account, loginMethods: { ...everyMethod, ...cleared } }
        expectAnswer(await h.call(caller, 'DELETE', url, { body: { loginMethod } }), after)
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts/${account.id}`), after)

        const state = await stateOf(h, caller.org)
        const repeated = await h.call(caller, 'DELETE', `${url}?loginMethod=${loginMethod}`)
        expectProblem(repeated, 'not_found')
        expect(repeated.body.detail).toBe(`The account has no login method ${loginMethod}.`)
        expect(await stateOf(h, caller.org)).toEqual(state)
      })

      test('USERNAME_PASSWORD also clears passwordId and resolves the password findings of this account only', async () => {
        const account = anAccount({ passwordId: unknownId() })
        const remaining = anAccount({ passwordId: unknownId() })
        const types = [
          'WEAK_PASSWORD',
          'LEAKED_PASSWORD',
          'REUSED_PASSWORD',
          'STOLEN_CREDENTIALS',
          'MFA_NOT_REGISTERED',
        ] as const
        const password = types.map((type) => aFinding({ accountId: account.id, type }))
        const untouched = [
          aFinding({ accountId: account.id, type: 'SHARED_ACCOUNT' }),
          aFinding({ accountId: account.id, type: 'UNUSED_THIRD_PARTY_APP' }),
          aFinding({ accountId: account.id, type: 'LEAKED_PASSWORD', state: 'RESOLVED' }),
          aFinding({ accountId: remaining.id, type: 'WEAK_PASSWORD' }),
        ]
        await put(h, caller.org, accounts, [account, remaining])
        await put(h, caller.org, findings, [...password, ...untouched])
        const answer = await h.call(caller, 'DELETE', `/v1/accounts/${account.id}/loginMethods`, {
          body: { loginMethod: 'USERNAME_PASSWORD' },
        })
        expect(answer.body.passwordId).toBeNull()
        const lastUpdatedTimestamp = unixSeconds(h.clock)
        const resolved = password.map((finding) => ({ ...finding, state: 'RESOLVED', lastUpdatedTimestamp }))
        expectAnswer(await h.call(caller, 'GET', '/v1/findings'), page([...resolved, ...untouched]))
        expectAnswer(await h.call(caller, 'GET', `/v1/accounts?passwordId=${account.passwordId}`), page([]))
        expectAnswer(
          await h.call(caller, 'GET', `/v1/accounts?passwordId=${remaining.passwordId}`),
          page([remaining]),
        )
      })

      test('other methods keep passwordId and the password findings', async () => {
        const account = anAccount({ loginMethods: everyMethod })
        const finding = aFinding({ accountId: account.id })
        await put(h, caller.org, accounts, [account])
        await put(h, caller.org, findings, [finding])
        const answer = await h.call(
          caller,
          'DELETE',
          `/v1/accounts/${account.id}/loginMethods?loginMethod=OIDC`,
        )
        expect(answer.body.passwordId).toBe(account.passwordId)
        expectAnswer(await h.call(caller, 'GET', '/v1/findings'), page([finding]))
      })

      test('resolves the reuse finding of the last account with the password', async () => {
        const passwordId = unknownId()
        const shared = [1, 2, 3].map(() => anAccount({ passwordId, appId: unknownId() }))
        const reused = shared.map(({ id }) => aFinding({ accountId: id, type: 'REUSED_PASSWORD' }))
        await put(h, caller.org, accounts, shared)
        await put(h, caller.org, findings, reused)
        const states = async () =>
          recordsOf(await h.call(caller, 'GET', '/v1/findings')).map(({ state }) => state)
        const query = 'loginMethods?loginMethod=USERNAME_PASSWORD'
        await h.call(caller, 'DELETE', `/v1/accounts/${shared[0]?.id}/${query}`)
        expect(await states()).toEqual(['RESOLVED', 'OPEN', 'OPEN'])
        await h.call(caller, 'DELETE', `/v1/accounts/${shared[1]?.id}/${query}`)
        expect(await states()).toEqual(['RESOLVED', 'RESOLVED', 'RESOLVED'])
      })

      test('returns 400 with the allowed values for an unknown method, in the body and in the query', async () => {
        const account = anAccount({ loginMethods: everyMethod })
        await put(h, caller.org, accounts, [account])
        const before = await stateOf(h, caller.org)
        const url = `/v1/accounts/${account.id}/loginMethods`
        const message = 'must be one of USERNAME_PASSWORD, OKTA_SWA, OIDC, SAML, FEDCM'
        const inTheBody = await h.call(caller, 'DELETE', url, { body: { loginMethod: 'VENDOR_SSO' } })
        expectProblem(inTheBody, 'invalid_request', [inBody('loginMethod', message)])
        expectProblem(await h.call(caller, 'DELETE', url, { body: { loginMethod: 1 } }), 'invalid_request', [
          inBody('loginMethod', message),
        ])
        expectProblem(await h.call(caller, 'DELETE', `${url}?loginMethod=oidc`), 'invalid_request', [
          inQuery('loginMethod', message),
        ])
        expectProblem(await h.call(caller, 'DELETE', url, { body: {} }), 'invalid_request', [
          inBody('loginMethod', 'is required, in the body or in the query'),
        ])
        expect(await stateOf(h, caller.org)).toEqual(before)
      })
    })
  })
}
