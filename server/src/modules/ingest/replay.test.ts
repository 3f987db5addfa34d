import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { anExtension, aPassword } from '../../../../test/support/agent-events.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { aFinding, anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Harness, useHarness } from '../../../../test/support/harness.ts'
import { exported, replayed } from '../../../../test/support/replays.ts'
import {
  type Observed,
  type ObservedPerson,
  useObserved,
} from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { runDailyJobs } from '../maintenance/daily.ts'
import { replay } from './replay.ts'

type Members = Record<string, unknown>
type Make = (make: Observed['make'], nowSeconds: number) => object

const passwordIds = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0b6f-4c39-9b55-3f6f2f0f8a11`)
const urls = ['zapier.com/login', 'slack.com/signin', 'intranet.example.org/', 'github.com/login']

const password = fc
  .record({
    passwordId: fc.constantFrom(...passwordIds),
    manuallyTyped: fc.constantFrom(true, false, null),
    weakReasons: fc.constantFrom([], ['TOO_SHORT']),
    leaked: fc.constantFrom(true, false, null),
    stolenIds: fc.constantFrom([], [], ['33333333-0b6f-4c39-9b55-3f6f2f0f8a11']),
  })
  .map((members) => aPassword(members as Members))

const event: fc.Arbitrary<Make> = fc
  .record({
    kind: fc.constantFrom(
      'login',
      'login',
      'login',
      'oidcLogin',
      'visit',
      'heartbeat',
      'extensions',
      'pageThreat',
      'blockedUrl',
    ),
    agoSeconds: fc.constantFrom(0, 0, 1, 5, 4000, 100_000),
    password,
    url: fc.constantFrom(...urls),
    email: fc.constantFrom('ada@example.com', 'ADA@example.com', 'team@example.com'),
    mfa: fc.constantFrom(null, null, { method: 'APP_TOTP' }),
    version: fc.constantFrom('1', '2'),
    extensions: fc.subarray(['a', 'b', 'c']),
    response: fc.constantFrom('BLOCKED', 'EMPLOYEE_WARNED', 'MONITORED', 'EMPLOYEE_IGNORED_WARNING'),
  })
  .map((drawn) => (make, nowSeconds) => {
    const { version } = drawn
    const own: Readonly<Record<string, Members>> = {
      login: {
        loginUrl: `https://${drawn.url}`,
        email: drawn.email,
        password: drawn.password,
        mfa: drawn.mfa,
      },
      oidcLogin: { loginUrl: `https://${drawn.url}`, email: drawn.email },
      visit: { host: drawn.url.split('/')[0] },
      heartbeat: { version },
      extensions: {
        extensions: drawn.extensions.map((extensionId) => anExtension({ extensionId, version })),
      },
      pageThreat: { response: drawn.response, passwordEntered: version === '1' },
    }
    const of = make[drawn.kind as keyof typeof make] as (members: Members) => object
    return of({ ...own[drawn.kind], timestamp: nowSeconds - drawn.agoSeconds })
  })

type Step =
  | { readonly browser: number; readonly events: Make[] }
  | { readonly action: 'forget' | 'removePassword' | 'archive' | 'approve'; readonly which: number }
  | { readonly days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ browser: fc.nat(2), events: fc.array(event, { minLength: 1, maxLength: 8 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constantFrom('forget', 'removePassword', 'archive', 'approve'),
      which: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ days: fc.constantFrom(1, 20) }) },
) as fc.Arbitrary<Step>

const perform = (h: Harness, o: Observed, browsers: readonly ObservedPerson[]) => async (one: Step) => {
  if ('events' in one) {
    const now = unixSeconds(h.clock)
    await browsers[one.browser]?.send(...one.events.map((make) => make(o.make, now)))
  } else if ('days' in one) {
    h.clock.advanceMs(one.days * 24 * 60 * 60 * 1000)
    await runDailyJobs({ db: h.db, clock: h.clock, settingsOf: orgSettingsReader(), rawEventDays: 90 })
  } else {
    const list = one.action === 'archive' ? 'detections' : one.action === 'approve' ? 'apps' : 'accounts'
    const record = (await o.list(list)).at(one.which)
    if (record === undefined) return
    const path = `/v1/${list}/${record.id}`
    const call = (method: string, more = '', body?: object) =>
      h.call(o.caller, method, path + more, body ? { body } : {})
    if (one.action === 'forget') await call('DELETE')
    if (one.action === 'removePassword') await call('DELETE', '/loginMethods?loginMethod=USERNAME_PASSWORD')
    if (one.action === 'archive') await call('PATCH', '', { archived: true, classification: 'TRUE_POSITIVE' })
    if (one.action === 'approve') await call('PATCH', '', { approvalStatus: 'APPROVED', notes: 'ours' })
  }
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)

    test('recreates the same inventory with the same IDs, in any order of reports', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          await o.renew()
          const { caller, ada } = o
          const bob = await o.person()
          const browsers = [ada, bob, await o.browserOf(ada.employee)]
          const run = perform(h, o, browsers)
          for (const one of steps) await run(one)
          const before = await exported(h, caller.org)
          await replayed(h, caller.org)
          expect(await exported(h, caller.org)).toEqual(before)
          await replayed(h, caller.org)
          expect(await exported(h, caller.org)).toEqual(before)
        }),
        // One store is enough here: the order of operations does not depend on it.
        { numRuns: store === 'sqlite' ? 20 : 8, seed: 7, endOnFailure: true },
      )
    }, 300_000)

    test('recreates findings that opened by the passing of time', async () => {
      await o.ada.send(o.make.oidcLogin(), o.make.blockedUrl())
      h.clock.advanceMs(91 * 24 * 60 * 60 * 1000)
      await runDailyJobs({ db: h.db, clock: h.clock, settingsOf: orgSettingsReader(), rawEventDays: 90 })
      // Her first browser was removed.
      await (await o.browserOf(o.ada.employee)).send(o.make.visit())
      const before = await exported(h, o.caller.org)
      expect(await o.one('findings')).toMatchObject({ type: 'UNUSED_THIRD_PARTY_APP', state: 'OPEN' })
      expect(await replayed(h, o.caller.org)).toMatchObject({ batches: 2 })
      expect(await exported(h, o.caller.org)).toEqual(before)
    })

    test('keeps imported records and updates them by the events', async () => {
      const { org } = o.caller
      const zapier = anApp({ type: 'ZAPIER' })
      const stranger = anEmployee()
      const imported = anAccount({
        employeeId: stranger.id,
        appId: zapier.id,
        appType: 'ZAPIER',
        email: 'team@example.com',
        lastUsedTimestamp: 5,
      })
      await put(h, org, employees, [stranger])
      await put(h, org, apps, [zapier])
      await put(h, org, accounts, [imported, anAccount({ employeeId: stranger.id, appId: zapier.id })])
      await put(h, org, findings, [
        aFinding({ type: 'SHARED_ACCOUNT', accountId: imported.id, state: 'RESOLVED' }),
      ])
      await o.ada.send(o.make.login({ email: 'TEAM@example.com' }), o.make.login())
      const before = await exported(h, org)
      expect(before.accounts).toHaveLength(3)
      expect(before.apps).toHaveLength(1)
      expect(await replayed(h, org)).toMatchObject({ batches: 1, events: 2 })
      expect(await exported(h, org)).toEqual(before)
    })

    test('keeps a removed login method of an imported account removed', async () => {
      const zapier = anApp({ type: 'ZAPIER' })
      const imported = anAccount({ appId: zapier.id, appType: 'ZAPIER', email: 'team@example.com' })
      await put(h, o.caller.org, apps, [zapier])
      await put(h, o.caller.org, accounts, [imported])
      await o.ada.send(o.make.login({ email: imported.email }))
      const path = `/v1/accounts/${imported.id}/loginMethods?loginMethod=USERNAME_PASSWORD`
      expect((await h.call(o.caller, 'DELETE', path)).status).toBe(200)
      await h.call(o.caller, 'DELETE', path.replace('USERNAME_PASSWORD', 'OIDC'))
      const before = await exported(h, o.caller.org)
      await replayed(h, o.caller.org)
      expect(await exported(h, o.caller.org)).toEqual(before)
    })

    test('does not touch another organization', async () => {
      await o.ada.send(o.make.login(), o.make.pageThreat())
      const other = await h.addCaller()
      const before = await exported(h, o.caller.org)
      expect(await replayed(h, other.org)).toEqual({ removed: 0, batches: 0, events: 0 })
      expect(await exported(h, o.caller.org)).toEqual(before)
    })

    test('uses the current thresholds and catalog', async () => {
      await o.ada.send(o.make.login(), o.make.visit({ host: 'erp.own.example' }))
      const settings = await orgSettingsReader()(h.db, o.caller.org)
      const thresholds = { ...settings.controls.thresholds, passwordLoginsWithoutMfa: 1 }
      const changed = { ...settings, controls: { ...settings.controls, thresholds } }
      await h.db.inTransaction((tx) =>
        replay(tx, o.caller.org, { settings: changed, publicUrl: 'https://muster.test' }),
      )
      expect(await o.one('findings')).toMatchObject({ type: 'MFA_NOT_REGISTERED', state: 'OPEN' })
    })
  })
}
