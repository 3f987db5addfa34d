import { eventDeclarationOf, eventObjects, type WebhookEvent } from '@muster/contract/events/event-objects'
import { defaultControls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import { anExtension, aPassword, report } from '../../../../test/support/agent-events.ts'
import { enrollBrowser } from '../../../../test/support/agents.ts'
import { applyEvents, listedRecords } from '../../../../test/support/apply-events.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { asShownInDetection } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { eventReader, eventsWritten, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { type ObservedPerson, useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { runDailyJobs } from '../maintenance/daily.ts'

const dayMs = 24 * 60 * 60 * 1000
const stolen = aPassword({ stolenIds: ['33333333-0b6f-4c39-9b55-3f6f2f0f8a11'] })
const badId = 'abcdefghijklmnopabcdefghijklmnop'
const banner = {
  id: 'genai',
  mode: 'ACKNOWLEDGE' as const,
  title: 'Not approved',
  subtext: 'Use the other one.',
  buttonText: null,
}
const controls = {
  ...defaultControls,
  banners: [banner],
  badExtensions: [{ extensionId: badId, risk: 'HIGH' as const }],
}

const threats = [
  'CLONED_LOGIN_PAGE',
  'PHISHING_TOOL',
  'PROTECTED_PASSWORD_ENTERED',
  'MALICIOUS_COPY_PASTE',
] as const

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const setControls = () =>
      h.db.inTransaction((tx) => writeControls(tx, o.caller.org, controls, unixSeconds(h.clock)))
    const here = () => ({
      sourceIpAddress: '127.0.0.1',
      browser: 'CHROME',
      os: 'LINUX',
      userAgent: 'Mozilla/5.0 (test)',
    })
    const ada = () => asShownInDetection(o.ada.employee)

    test('emits a valid event for every object outside the audit trail', async () => {
      const expected = eventObjects.filter((object) => eventDeclarationOf(object).category !== 'AUDIT')
      await subscribeEndpoint(h, o.caller.org, expected)
      await setControls()
      const { make } = o
      await h.call(o.caller, 'POST', '/v1/employees', { body: { email: 'someone.new@example.com' } })
      const bob = await o.person({ email: `bob-${o.caller.org}@example.com` })
      await bob.send(make.login({ password: stolen }))
      await o.ada.send(
        make.login({ password: aPassword({ weakReasons: ['TOO_SHORT'] }) }),
        make.login({ loginUrl: 'https://intranet.example.org/' }),
        make.extensions({ extensions: [anExtension({ extensionId: badId })] }),
        make.blockedUrl(),
        make.banner(),
        ...threats.map((threat) => make.pageThreat({ threat })),
      )
      const objects = new Set((await eventsWritten(h, o.caller.org)).map(({ object }) => object))
      expect([...objects].sort()).toEqual([...expected].sort())
    })

    test('includes account and app only for logins to work apps', async () => {
      await subscribeEndpoint(h, o.caller.org, ['LOGIN'])
      const password = aPassword({ manuallyTyped: true, weakReasons: ['TOO_SHORT'] })
      const work = o.make.login({ password })
      const other = o.make.login({
        loginUrl: 'https://intranet.example.org/',
        loginType: 'OIDC_LOGIN',
        password: null,
        identityProvider: 'GOOGLE_WORKSPACE',
      })
      await o.ada.send(work, other)
      const account = await o.one('accounts')
      const [first, second] = await eventsWritten(h, o.caller.org)
      expect(first).toMatchObject({ category: 'ACTIVITY', timestamp: work.timestamp })
      expect(first?.new).toEqual({
        employeeId: o.ada.employee.id,
        accountId: account.id,
        appType: 'ZAPIER',
        appId: account.appId,
        email: 'ada@example.com',
        loginTimestamp: work.timestamp,
        loginUrl: 'https://zapier.com/app/login',
        passwordManuallyTyped: true,
        passwordManager: null,
        weakPassword: true,
        weakPasswordReasons: ['TOO_SHORT'],
        leakedPassword: false,
        loginType: 'PASSWORD_LOGIN',
        identityProvider: null,
        ...here(),
        workApp: true,
        passwordId: password.passwordId,
      })
      const none = { accountId: null, appType: null, appId: null, workApp: false, passwordId: null }
      const ofPassword = { weakPassword: null, weakPasswordReasons: null, leakedPassword: null }
      expect(second?.new).toMatchObject({ ...none, ...ofPassword, identityProvider: 'GOOGLE_WORKSPACE' })
    })

    test('emits no event for a kind of login that the events contract does not have', async () => {
      await subscribeEndpoint(h, o.caller.org, ['LOGIN'])
      const none = { identityProvider: null, password: null, mfa: null } as const
      await o.ada.send(
        o.make.login({ ...none, loginType: 'PASSKEY_LOGIN' }),
        o.make.login({ ...none, loginType: 'ONE_TIME_LOGIN' }),
        o.make.login(),
      )
      const written = await eventsWritten(h, o.caller.org)
      expect(written.map((event) => (event.new as { loginType: string }).loginType)).toEqual([
        'PASSWORD_LOGIN',
      ])
    })

    test('emits control events with employee, page and mode', async () => {
      await setControls()
      await subscribeEndpoint(h, o.caller.org)
      const read = eventReader(h, o.caller.org)
      const controlOf = async (...events: object[]) => {
        await o.ada.send(...events)
        return (await read())
          .filter(({ category }) => category === 'CONTROL')
          .map(({ object, new: facts }) => ({ object, facts }))
      }
      const at = (url: string | null, referrerUrl: string | null) => ({
        employee: ada(),
        url,
        referrerUrl,
        ...here(),
      })
      for (const threat of threats) {
        const suffix = threat === 'PROTECTED_PASSWORD_ENTERED' ? '' : '_DETECTED'
        expect(await controlOf(o.make.pageThreat({ threat, mode: 'BLOCK' }))).toEqual([
          {
            object: `${threat}${suffix}`,
            facts: {
              ...at('https://okta-login.example/', 'https://mail.example.com/'),
              appType: 'OKTA',
              mode: 'BLOCK',
            },
          },
        ])
      }
      expect(await controlOf(o.make.blockedUrl())).toEqual([
        { object: 'BLOCKED_URL_VISITED', facts: at('https://bad.example/page', null) },
      ])
      expect(await controlOf(o.make.banner({ action: 'ACKNOWLEDGED' }))).toEqual([
        {
          object: 'APP_BANNER',
          facts: {
            ...at(null, null),
            appType: 'ZAPIER',
            appBanner: {
              title: 'Not approved',
              subtext: 'Use the other one.',
              mode: 'ACKNOWLEDGE',
              buttonText: null,
            },
            action: 'ACKNOWLEDGED',
            reason: null,
          },
        },
      ])
      expect(await controlOf(o.make.login({ password: stolen }))).toEqual([
        {
          object: 'STOLEN_CREDENTIALS_DETECTED',
          facts: { ...at('https://zapier.com/app/login', null), appType: 'ZAPIER' },
        },
      ])
      const found = (mode: string) => ({
        object: 'MALICIOUS_BROWSER_EXTENSION_DETECTED',
        facts: { ...at(null, null), extensionId: badId, mode },
      })
      const extensions = [anExtension({ extensionId: badId }), anExtension()]
      // Emitted once if listed and reported in the same batch. A repeated list emits nothing; a repeated
      // report does.
      const listed = o.make.extensions({ extensions })
      expect(await controlOf(listed, o.make.extensionThreat({ extensionId: badId }))).toEqual([
        found('MONITOR'),
      ])
      expect(await controlOf(o.make.extensions({ extensions }))).toEqual([])
      expect(await controlOf(o.make.extensionThreat({ extensionId: badId, disabled: true }))).toEqual([
        found('BLOCK'),
      ])
    })

    test('emits repeated reports once, and rejected ones never', async () => {
      await subscribeEndpoint(h, o.caller.org)
      const { credential } = await enrollBrowser(h, o.caller, o.ada.employee.id)
      const events = [o.make.login(), o.make.pageThreat()]
      await report(h, credential, events)
      const before = await eventsWritten(h, o.caller.org)
      const { body } = await report(h, credential, [...events, { ...o.make.login(), kind: 'LOGOUT' }])
      expect(body).toMatchObject({ accepted: 0, duplicates: 2, rejected: [{ index: 2 }] })
      expect(await eventsWritten(h, o.caller.org)).toEqual(before)
    })

    test('events alone are enough to reconstruct the records of `/v1`', async () => {
      const person = fc.nat(2)
      const login = fc.record({
        step: fc.constant('login' as const),
        person,
        email: fc.constantFrom('team@example.com', 'ada@example.com'),
        loginUrl: fc.constantFrom(
          'https://zapier.com/login',
          'https://slack.com/signin',
          'https://x.example.org/',
        ),
        weak: fc.boolean(),
        method: fc.constantFrom('PASSWORD_LOGIN' as const, 'OIDC_LOGIN' as const),
      })
      const acts = [
        'add',
        'rename',
        'group',
        'merge',
        'unmerge',
        'label',
        'notes',
        'archive',
        'forget',
        'method',
        'threat',
        'extensions',
        'move',
      ] as const
      const step = fc.record({ step: fc.constantFrom(...acts), person, more: fc.boolean() })
      const days = fc.record({ step: fc.constant('days' as const), days: fc.constantFrom(1, 31, 95) })
      type Act = typeof login | typeof step | typeof days extends fc.Arbitrary<infer A> ? A : never

      const perform = async (people: readonly ObservedPerson[], one: Act) => {
        const call = (method: string, path: string, body?: object) =>
          h.call(o.caller, method, `/v1/${path}`, body ? { body } : {})
        if (one.step === 'days') {
          h.clock.advanceMs(one.days * dayMs)
          await runDailyJobs({ db: h.db, clock: h.clock, settingsOf: orgSettingsReader(), rawEventDays: 90 })
          return
        }
        const who = people[one.person] as ObservedPerson
        const { id } = who.employee
        // Reports of removed browsers and merged employees may be dropped.
        const send = (...events: object[]) => who.send(...events).catch(() => undefined)
        if (one.step === 'login') {
          const password =
            one.method === 'PASSWORD_LOGIN' ? aPassword(one.weak ? { weakReasons: ['TOO_SHORT'] } : {}) : null
          const { email, loginUrl, method: loginType } = one
          return send(
            o.make.login({
              email,
              loginUrl,
              loginType,
              password,
              identityProvider: password ? null : 'OKTA',
            }),
          )
        }
        const firstOf = async (path: string): Promise<string> =>
          (await o.list(`${path}?limit=1`))[0]?.id ?? id
        switch (one.step) {
          case 'add':
            return call('POST', 'employees', { email: `${crypto.randomUUID()}@example.com` })
          case 'rename':
            return call('PATCH', `employees/${id}`, { firstName: one.more ? 'Ada' : 'Grace' })
          case 'move':
            return call('PATCH', `employees/${id}`, { email: `${one.more}-${id}@example.com` })
          case 'group':
            return call(one.more ? 'POST' : 'DELETE', `employees/${id}/groups`, { group: 'Engineers' })
          case 'merge':
            return call('POST', `employees/${id}/merge`, {
              employeeIds: [people[(one.person + 1) % 3]?.employee.id],
            })
          case 'unmerge':
            return call('POST', `employees/${id}/unmerge`)
          case 'label':
            return call(one.more ? 'POST' : 'DELETE', `apps/${await firstOf('apps')}/labels`, {
              label: 'GenAI',
            })
          case 'notes':
            return call('PATCH', `apps/${await firstOf('apps')}`, {
              notes: `${one.more}`,
              ownerId: one.more ? id : null,
            })
          case 'archive':
            return call('PATCH', `detections/${await firstOf('detections')}`, { archived: one.more })
          case 'forget':
            return call('DELETE', `accounts/${await firstOf('accounts')}`)
          case 'method':
            return call('DELETE', `accounts/${await firstOf('accounts')}/loginMethods`, {
              loginMethod: 'USERNAME_PASSWORD',
            })
          case 'threat':
            return send(o.make.pageThreat({ response: one.more ? 'EMPLOYEE_WARNED' : 'MONITORED' }))
          case 'extensions':
            return send(
              o.make.extensions({ extensions: one.more ? [anExtension()] : [] }),
              o.make.heartbeat(),
            )
        }
      }

      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(login, step, days), { minLength: 8, maxLength: 24 }),
          async (series) => {
            await o.renew()
            const people = [o.ada, await o.person(), await o.person()]
            const start = await listedRecords(h, o.caller)
            await subscribeEndpoint(h, o.caller.org)
            const read = eventReader(h, o.caller.org)
            const events: WebhookEvent[] = []
            for (const one of series) {
              await perform(people, one)
              // In one batch, because the daily jobs delete old events.
              events.push(...(await read()))
            }
            expect(applyEvents(start, events)).toEqual(await listedRecords(h, o.caller))
          },
        ),
        { numRuns: 8 },
      )
    })
  })
}
