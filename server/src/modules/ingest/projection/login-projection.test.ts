import { beforeEach, describe, expect, test } from 'vitest'
import { aPassword } from '../../../../../test/support/agent-events.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { useObserved } from '../../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'
import { upsertCatalogProducts } from '../../catalog/catalog-products.service.ts'
import { noLoginMethods } from './login.rules.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let now: number
    beforeEach(() => {
      now = unixSeconds(h.clock)
    })

    test('creates app, account and user at the first login', async () => {
      const { send, employee } = o.ada
      await send(
        o.make.login({
          timestamp: now - 5,
          email: 'Ada@Example.com',
          password: aPassword({ manuallyTyped: true }),
        }),
      )
      const app = await o.one('apps')
      expect(app).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        type: 'ZAPIER',
        approvalStatus: null,
        sensitivityLevel: null,
        ownerId: null,
        notes: '',
        website: expect.stringMatching(/^https:/),
        description: expect.any(String),
        friendlyName: 'Zapier',
        labels: [],
        creationTimestamp: now + 1,
      })
      const account = await o.one('accounts')
      expect(account).toEqual({
        id: expect.any(String),
        employeeId: employee.id,
        appType: 'ZAPIER',
        appId: app.id,
        email: 'Ada@Example.com',
        mfaRegistered: null,
        mfaMethods: null,
        passwordId: aPassword().passwordId,
        loginMethods: { ...noLoginMethods, passwordLogin: true, lastPasswordLoginTimestamp: now - 5 },
        creationTimestamp: now + 1,
        lastUsedTimestamp: now - 5,
      })
      expect(await o.list(`accounts/${account.id}/usedBy`)).toEqual([
        { employeeId: employee.id, lastUsedTimestamp: now - 5, passwordManuallyTyped: true },
      ])
    })

    test('creates an account with a factor but no login method for a passkey login', async () => {
      const { send } = o.ada
      const alone = { loginType: 'PASSKEY_LOGIN', identityProvider: null, password: null } as const
      await send(o.make.login({ ...alone, timestamp: now - 5, mfa: { method: 'WEBAUTHN' } }))
      expect(await o.one('accounts')).toMatchObject({
        appType: 'ZAPIER',
        loginMethods: noLoginMethods,
        mfaRegistered: true,
        mfaMethods: ['WEBAUTHN'],
        lastUsedTimestamp: now - 5,
      })
    })

    test('creates an account without login methods for a login by a one-time link', async () => {
      const { send } = o.ada
      const sent = { loginType: 'ONE_TIME_LOGIN', identityProvider: null, password: null, mfa: null } as const
      await send(o.make.login({ timestamp: now - 50 }))
      const before = await o.one('accounts')
      await send(o.make.login({ ...sent, timestamp: now - 5 }))
      expect(await o.one('accounts')).toEqual({ ...before, lastUsedTimestamp: now - 5 })
    })

    test('assigns later logins to the same account, regardless of case and spaces', async () => {
      const { send } = o.ada
      await send(o.make.login({ timestamp: now - 50 }))
      const before = await o.one('accounts')
      await send(
        o.make.oidcLogin({ timestamp: now - 10, email: ' ADA@example.com ' }),
        o.make.login({
          timestamp: now - 60,
          password: aPassword({ passwordId: 'aaaaaaaa-0b6f-4c39-9b55-3f6f2f0f8a11' }),
        }),
      )
      expect(await o.one('accounts')).toEqual({
        ...before,
        loginMethods: {
          ...before.loginMethods,
          oidcLogin: 'GOOGLE_WORKSPACE',
          lastOidcLoginTimestamp: now - 10,
        },
        lastUsedTimestamp: now - 10,
      })
      expect(await o.one(`accounts/${before.id}/usedBy`)).toMatchObject({
        lastUsedTimestamp: now - 10,
        passwordManuallyTyped: null,
      })
    })

    test('creates an app (other) by registrable domain for a host outside the catalog', async () => {
      const { send, employee } = o.ada
      await send(
        o.make.login({ loginUrl: 'https://Login.Portal.Example.org:8443/in', timestamp: now }),
        o.make.visit({ host: 'www.example.org' }),
        o.make.visit({ host: '192.0.2.7' }),
      )
      const [other, address] = await o.list('appsOther')
      expect(other).toEqual({
        id: expect.any(String),
        domain: 'example.org',
        requestSupportStatus: 'DISCOVERED',
        hidden: false,
        creationTimestamp: now + 1,
      })
      expect(address.domain).toBe('192.0.2.7')
      expect(await o.one('accountsOther')).toEqual({
        id: expect.any(String),
        employeeId: employee.id,
        otherAppId: other.id,
        email: 'ada@example.com',
        loginMethods: { ...noLoginMethods, passwordLogin: true, lastPasswordLoginTimestamp: now },
        creationTimestamp: now + 1,
        lastUsedTimestamp: now,
      })
      expect(await o.list('apps')).toEqual([])
      expect(await o.list('accounts')).toEqual([])
    })

    test('creates only the app at a visit', async () => {
      await o.ada.send(o.make.visit({ host: 'zapier.com' }))
      await o.ada.send(o.make.visit({ host: 'zapier.com' }))
      expect(await o.one('apps')).toMatchObject({ type: 'ZAPIER', creationTimestamp: now + 1 })
      expect(await o.list('accounts')).toEqual([])
    })

    test('uses products of the organization once added', async () => {
      await o.ada.send(o.make.visit({ host: 'erp.own.example' }))
      await h.db.inTransaction((tx) =>
        upsertCatalogProducts(
          tx,
          o.caller.org,
          [
            {
              appType: 'OUR_ERP',
              friendlyName: 'Our ERP',
              website: 'https://erp.own.example',
              description: 'Runs the company.',
              domains: ['own.example'],
              loginHosts: [],
            },
          ],
          now,
        ),
      )
      await o.ada.send(o.make.visit({ host: 'erp.own.example' }))
      expect(await o.one('apps')).toMatchObject({ type: 'OUR_ERP', friendlyName: 'Our ERP' })
      expect(await o.one('appsOther')).toMatchObject({ domain: 'own.example' })
    })

    test('assigns an account to its first user and lists all users with the last use', async () => {
      const bob = await o.person()
      await o.ada.send(o.make.login({ email: 'team@example.com', timestamp: now - 9 }))
      await bob.send(
        o.make.login({
          email: 'team@example.com',
          timestamp: now - 3,
          password: aPassword({ manuallyTyped: true }),
        }),
      )
      const account = await o.one('accounts')
      expect(account).toMatchObject({ employeeId: o.ada.employee.id, lastUsedTimestamp: now - 3 })
      expect(await o.list(`accounts/${account.id}/usedBy`)).toEqual([
        { employeeId: o.ada.employee.id, lastUsedTimestamp: now - 9, passwordManuallyTyped: false },
        { employeeId: bob.employee.id, lastUsedTimestamp: now - 3, passwordManuallyTyped: true },
      ])
    })

    test('reassigns records of a merged employee to the primary, and back', async () => {
      const bob = await o.person()
      await o.ada.send(o.make.login({ email: 'team@example.com' }))
      await bob.send(o.make.login({ email: 'team@example.com' }), o.make.login())
      const merge = { body: { employeeIds: [bob.employee.id] } }
      await h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, merge)
      const accounts = await o.list('accounts')
      expect(accounts.map(({ employeeId }) => employeeId)).toEqual([o.ada.employee.id, o.ada.employee.id])
      expect(await o.list(`accounts/${accounts[0].id}/usedBy`)).toHaveLength(1)
      await o.ada.send(o.make.login({ email: 'team@example.com' }))
      await h.call(o.caller, 'POST', `/v1/employees/${bob.employee.id}/unmerge`)
      expect((await o.list('accounts')).map(({ employeeId }) => employeeId)).toEqual([
        o.ada.employee.id,
        bob.employee.id,
      ])
      expect(await o.list(`accounts/${accounts[0].id}/usedBy`)).toHaveLength(2)
    })

    test('creates a deleted account again with a new ID at the next login', async () => {
      await o.ada.send(o.make.login({ password: aPassword({ weakReasons: ['TOO_SHORT'] }) }))
      const before = await o.one('accounts')
      await h.call(o.caller, 'DELETE', `/v1/accounts/${before.id}`)
      expect(await o.list('findings')).toEqual([])
      await o.ada.send(o.make.login())
      const after = await o.one('accounts')
      expect(after.id).not.toBe(before.id)
      expect(after.creationTimestamp).toBeGreaterThan(before.creationTimestamp)
    })
  })
}
