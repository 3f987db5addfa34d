import { type Controls, defaultControls } from '@muster/contract/records/controls'
import { findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { aPassword } from '../../../../../test/support/agent-events.ts'
import { aFinding, put } from '../../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../../test/support/harness.ts'
import { type ObservedPerson, useObserved } from '../../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { unixSeconds } from '../../../kernel/lib/clock.ts'
import { writeControls } from '../../../kernel/organizations/organization-controls.ts'

const other = '11111111-0b6f-4c39-9b55-3f6f2f0f8a11'
const third = '22222222-0b6f-4c39-9b55-3f6f2f0f8a11'
const stolenId = '33333333-0b6f-4c39-9b55-3f6f2f0f8a11'
const slack = 'https://slack.com/signin'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const states = async (type: string) => (await o.list(`findings?type=${type}`)).map(({ state }) => state)
    const setThresholds = (thresholds: Partial<Controls['thresholds']>) =>
      h.db.inTransaction((tx) =>
        writeControls(
          tx,
          o.caller.org,
          { ...defaultControls, thresholds: { ...defaultControls.thresholds, ...thresholds } },
          unixSeconds(h.clock),
        ),
      )

    test('opens, resolves and reopens a weak password with the same ID', async () => {
      const now = unixSeconds(h.clock)
      const weak = aPassword({ weakReasons: ['TOO_SHORT', 'RESTRICTED_WORD'] })
      await o.ada.send(o.make.login({ password: weak }))
      const account = await o.one('accounts')
      const open = {
        id: expect.any(String),
        type: 'WEAK_PASSWORD',
        state: 'OPEN',
        employeeId: o.ada.employee.id,
        passwordId: weak.passwordId,
        accountId: account.id,
        appType: 'ZAPIER',
        appId: account.appId,
        weakPasswordReasons: ['TOO_SHORT', 'RESTRICTED_WORD'],
        creationTimestamp: now + 1,
        lastUpdatedTimestamp: now + 1,
      }
      const first = await o.one('findings')
      expect(first).toEqual(open)
      await o.ada.send(o.make.login({ password: aPassword({ passwordId: other }) }))
      const resolvedAt = unixSeconds(h.clock)
      expect(await o.one('findings')).toEqual({
        ...first,
        state: 'RESOLVED',
        lastUpdatedTimestamp: resolvedAt,
      })
      await o.ada.send(o.make.login({ password: { ...weak, passwordId: third } }))
      expect(await o.one('findings')).toEqual({
        ...first,
        passwordId: third,
        lastUpdatedTimestamp: unixSeconds(h.clock) - 1,
      })
    })

    test('ignores late logins and other methods for password findings', async () => {
      const now = unixSeconds(h.clock)
      await o.ada.send(o.make.login({ password: aPassword({ leaked: true, weakReasons: ['TOO_SHORT'] }) }))
      const before = await o.list('findings')
      await o.ada.send(
        o.make.login({ timestamp: now - 100, password: aPassword({ passwordId: other }) }),
        o.make.oidcLogin(),
        o.make.login({ password: null }),
      )
      expect(await o.list('findings')).toEqual(before)
      expect(before.map(({ type, state }) => `${type} ${state}`)).toEqual([
        'WEAK_PASSWORD OPEN',
        'LEAKED_PASSWORD OPEN',
      ])
    })

    test('resolves a leaked password only by a login that was checked', async () => {
      await o.ada.send(o.make.login({ password: aPassword({ leaked: true }) }))
      await o.ada.send(o.make.login({ password: aPassword({ leaked: null, passwordId: other }) }))
      expect(await states('LEAKED_PASSWORD')).toEqual(['OPEN'])
      await o.ada.send(o.make.login({ password: aPassword({ leaked: false, passwordId: other }) }))
      expect(await states('LEAKED_PASSWORD')).toEqual(['RESOLVED'])
    })

    test('resolves stolen credentials by another password that does not match', async () => {
      await o.ada.send(o.make.login({ password: aPassword({ stolenIds: [stolenId] }) }))
      await o.ada.send(o.make.login({ password: aPassword() }))
      await o.ada.send(o.make.login({ password: aPassword({ passwordId: other, stolenIds: null }) }))
      expect(await states('STOLEN_CREDENTIALS')).toEqual(['OPEN'])
      await o.ada.send(o.make.login({ password: aPassword({ passwordId: other }) }))
      expect(await states('STOLEN_CREDENTIALS')).toEqual(['RESOLVED'])
    })

    test('opens reuse on both apps until one changes its password', async () => {
      await o.ada.send(o.make.login(), o.make.login({ email: 'second@example.com' }))
      expect(await states('REUSED_PASSWORD')).toEqual([])
      await o.ada.send(o.make.login({ loginUrl: slack }))
      expect(await states('REUSED_PASSWORD')).toEqual(['OPEN', 'OPEN', 'OPEN'])
      await o.ada.send(o.make.login({ loginUrl: slack, password: aPassword({ passwordId: other }) }))
      expect(await states('REUSED_PASSWORD')).toEqual(['RESOLVED', 'RESOLVED', 'RESOLVED'])
    })

    test('counts apps outside the catalog for reuse, with findings only for catalog apps', async () => {
      await o.ada.send(o.make.login(), o.make.login({ loginUrl: 'https://intranet.example.org/' }))
      const [finding, ...others] = await o.list('findings')
      expect(finding).toMatchObject({ type: 'REUSED_PASSWORD', state: 'OPEN', appType: 'ZAPIER' })
      expect(others).toEqual([])
      await o.ada.send(
        o.make.login({
          loginUrl: 'https://intranet.example.org/',
          password: aPassword({ passwordId: other }),
        }),
      )
      expect(await states('REUSED_PASSWORD')).toEqual(['RESOLVED'])
    })

    test('resolves reuse after an account is deleted', async () => {
      await o.ada.send(o.make.login(), o.make.login({ loginUrl: slack }))
      const [first] = await o.list('accounts')
      await h.call(o.caller, 'DELETE', `/v1/accounts/${first.id}`)
      expect(await states('REUSED_PASSWORD')).toEqual(['RESOLVED'])
    })

    test('opens a shared account for two employees; merged employees count as one', async () => {
      const bob = await o.person()
      await o.ada.send(o.make.login({ email: 'team@example.com' }))
      expect(await states('SHARED_ACCOUNT')).toEqual([])
      await bob.send(o.make.login({ email: 'team@example.com' }))
      expect(await states('SHARED_ACCOUNT')).toEqual(['OPEN'])
      const finding = await o.one('findings?type=SHARED_ACCOUNT')
      expect(finding).toMatchObject({ employeeId: o.ada.employee.id, passwordId: null })
      const merge = { body: { employeeIds: [bob.employee.id] } }
      await h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, merge)
      expect(await o.one('findings?type=SHARED_ACCOUNT')).toMatchObject({ id: finding.id, state: 'RESOLVED' })
      await h.call(o.caller, 'POST', `/v1/employees/${bob.employee.id}/unmerge`)
      expect(await o.one('findings?type=SHARED_ACCOUNT')).toMatchObject({ id: finding.id, state: 'OPEN' })
    })

    test('ignores late logins from before their method was removed', async () => {
      const weak = () => o.make.login({ password: aPassword({ weakReasons: ['TOO_SHORT'] }) })
      const withOidc = o.make.oidcLogin({ timestamp: unixSeconds(h.clock) - 9 })
      await o.ada.send(weak(), withOidc)
      const { id } = await o.one('accounts')
      const late = [weak(), o.make.oidcLogin()]
      h.clock.advanceMs(5000)
      for (const loginMethod of ['USERNAME_PASSWORD', 'OIDC'])
        await h.call(o.caller, 'DELETE', `/v1/accounts/${id}/loginMethods?loginMethod=${loginMethod}`)
      const without = await o.one('accounts')
      await o.ada.send(...late)
      const { loginMethods, passwordId, lastUsedTimestamp } = await o.one('accounts')
      expect({ loginMethods, passwordId }).toEqual({ loginMethods: without.loginMethods, passwordId: null })
      expect(lastUsedTimestamp).toBe(late[0]?.timestamp)
      expect(await states('WEAK_PASSWORD')).toEqual(['RESOLVED'])
      await o.ada.send(weak())
      expect((await o.one('accounts')).loginMethods).toMatchObject({ passwordLogin: true, oidcLogin: null })
      expect(await states('WEAK_PASSWORD')).toEqual(['OPEN'])
    })

    test('opens missing MFA after five password logins without a second step, and resolves it', async () => {
      const plain = () => o.make.login()
      await o.ada.send(plain(), plain(), plain(), plain())
      expect(await states('MFA_NOT_REGISTERED')).toEqual([])
      await o.ada.send(plain())
      expect(await o.one('accounts')).toMatchObject({ mfaRegistered: false, mfaMethods: null })
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['OPEN'])
      await o.ada.send(o.make.login({ mfa: { method: 'WEBAUTHN' } }))
      expect(await o.one('accounts')).toMatchObject({ mfaRegistered: true, mfaMethods: ['WEBAUTHN'] })
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['RESOLVED'])
      await o.ada.send(plain(), plain(), plain(), plain(), plain())
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['OPEN'])
      const { id } = await o.one('accounts')
      await h.call(o.caller, 'DELETE', `/v1/accounts/${id}/loginMethods?loginMethod=USERNAME_PASSWORD`)
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['RESOLVED'])
    })

    test('resolves missing MFA by a late second step within the row', async () => {
      const now = unixSeconds(h.clock)
      await o.ada.send(...[5, 4, 3, 2, 1].map((ago) => o.make.login({ timestamp: now - ago })))
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['OPEN'])
      await o.ada.send(o.make.login({ timestamp: now - 9, mfa: { method: 'EMAIL_OTP' } }))
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['OPEN'])
      await o.ada.send(o.make.login({ timestamp: now - 3, mfa: { method: 'WEBAUTHN' } }))
      expect(await o.one('accounts')).toMatchObject({
        mfaRegistered: true,
        mfaMethods: ['EMAIL_OTP', 'WEBAUTHN'],
      })
      expect(await states('MFA_NOT_REGISTERED')).toEqual(['RESOLVED'])
    })

    test('opens the password manager finding at four of five typed logins', async () => {
      const typed = (manuallyTyped: boolean | null) =>
        o.make.login({ password: aPassword({ manuallyTyped }), mfa: { method: null } })
      await o.ada.send(typed(true), typed(true), typed(null), typed(true), typed(false))
      expect(await o.list('findings')).toEqual([])
      await o.ada.send(typed(true))
      expect(await o.one('findings')).toMatchObject({
        type: 'PASSWORD_MANAGER_NOT_USED',
        state: 'OPEN',
        employeeId: o.ada.employee.id,
        accountId: null,
        appId: null,
        appType: null,
        passwordId: null,
      })
      const second = await o.browserOf(o.ada.employee)
      await second.send(typed(false))
      expect(await states('PASSWORD_MANAGER_NOT_USED')).toEqual(['RESOLVED'])
    })

    test('resolves an imported password manager finding by later logins', async () => {
      const { id } = o.ada.employee
      const imported = aFinding({
        type: 'PASSWORD_MANAGER_NOT_USED',
        state: 'OPEN',
        employeeId: id,
        accountId: null,
      })
      await put(h, o.caller.org, findings, [imported])
      const login = (manuallyTyped: boolean) => o.make.login({ password: aPassword({ manuallyTyped }) })
      for (const manuallyTyped of [true, false]) await o.ada.send(login(manuallyTyped))
      expect(await states('PASSWORD_MANAGER_NOT_USED')).toEqual(['OPEN'])
      await o.ada.send(login(false))
      expect(await o.one('findings')).toMatchObject({ id: imported.id, state: 'RESOLVED' })
    })

    test('evaluates typed logins of merged employees together, and separately after an unmerge', async () => {
      const bob = await o.person()
      const type = async (person: ObservedPerson, kinds: string) => {
        for (const kind of kinds) {
          const password = aPassword({ manuallyTyped: kind === 'T' })
          await person.send(o.make.login({ email: person.employee.email, password, mfa: { method: null } }))
        }
      }
      const shown = async () => {
        const list = await o.list('findings?type=PASSWORD_MANAGER_NOT_USED&state=OPEN')
        return list.map(({ employeeId }) => (employeeId === bob.employee.id ? 'bob' : 'ada'))
      }
      const merge = { body: { employeeIds: [bob.employee.id] } }
      const mergeBob = () => h.call(o.caller, 'POST', `/v1/employees/${o.ada.employee.id}/merge`, merge)
      const unmergeBob = () => h.call(o.caller, 'POST', `/v1/employees/${bob.employee.id}/unmerge`)
      await type(o.ada, 'TTTTT')
      await type(bob, 'TTTTT')
      expect(await shown()).toEqual(['ada', 'bob'])
      await mergeBob()
      expect(await shown()).toEqual(['ada'])
      await type(o.ada, 'mm')
      expect(await shown()).toEqual([])
      await unmergeBob()
      expect(await shown()).toEqual(['bob'])
      await type(o.ada, 'TTTT')
      expect(await shown()).toEqual(['ada', 'bob'])
      expect(await o.list('findings?type=PASSWORD_MANAGER_NOT_USED')).toHaveLength(2)
    })

    test('resolves an unused app by its use', async () => {
      await setThresholds({ unusedAppDays: 30 })
      const day = 24 * 60 * 60
      await o.ada.send(o.make.oidcLogin({ timestamp: unixSeconds(h.clock) - 31 * day }))
      expect(await states('UNUSED_THIRD_PARTY_APP')).toEqual(['OPEN'])
      await o.ada.send(o.make.oidcLogin())
      expect(await states('UNUSED_THIRD_PARTY_APP')).toEqual(['RESOLVED'])
    })

    test('uses the current thresholds of the organization', async () => {
      await setThresholds({ passwordLoginsWithoutMfa: 2, typedLogins: 2 })
      const typed = () => o.make.login({ password: aPassword({ manuallyTyped: true }) })
      await o.ada.send(typed(), typed())
      expect((await o.list('findings')).map(({ type }) => type).sort()).toEqual([
        'MFA_NOT_REGISTERED',
        'PASSWORD_MANAGER_NOT_USED',
      ])
    })
  })
}
