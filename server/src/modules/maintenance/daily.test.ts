import { accounts } from '@muster/contract/account'
import { browsers } from '@muster/contract/browser'
import { defaultControls } from '@muster/contract/controls'
import { describe, expect, test } from 'vitest'
import { anExtension, report } from '../../../../test/support/agent-events.ts'
import { asBrowser, enrollBrowser } from '../../../../test/support/agents.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { aBrowser, anAccount, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { claimDailyJob, finishDailyJob } from '../../kernel/jobs/daily-jobs.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import { termsReader } from '../agents/org-terms.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'
import { runDailyJobs } from './daily.ts'
import { dailyTimer } from './daily-timer.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const claimAt = (nowMs: number) => ({ day: Math.floor(nowMs / dayMs), nowMs, untilMs: nowMs + hourMs })
const all = ['browsers', 'events', 'findings', 'raw events']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const options = () => ({ db: h.db, clock: h.clock, termsOf: termsReader(), rawEventDays: 90 })
    const pass = (days: number) => h.clock.advanceMs(days * dayMs)
    const run = () => runDailyJobs(options())

    test('each job is done once a day, by one of those that come at the same moment', async () => {
      pass(1)
      const together = await Promise.all(Array.from({ length: 4 }, run))
      expect(together.flat().sort()).toEqual(all)
      expect(await run()).toEqual([])
      pass(1)
      expect(await run()).toEqual(all)
    })

    test('the timer does what is due at once, and waits for it when it is stopped', async () => {
      pass(1)
      const timer = dailyTimer(options(), { warn: () => undefined })
      await timer.running
      await timer.stop()
      expect(await run()).toEqual([])
    })

    test('what is stopped in between is not begun, or given back, and is done by who comes next', async () => {
      pass(1)
      await dailyTimer(options(), { warn: () => expect.unreachable() }).stop()
      await h.addOrganization('one more')
      const stopping = new AbortController()
      const terms = termsReader()
      const termsOf: typeof terms = (...asked) => {
        stopping.abort()
        return terms(...asked)
      }
      const stopped = runDailyJobs({ ...options(), termsOf, signal: stopping.signal })
      await expect(stopped).rejects.toThrow(stopping.signal.reason)
      expect(await run()).toEqual(['findings', 'raw events'])
    })

    test('a job whose process was killed is done by another after an hour, and then no more', async () => {
      pass(1)
      const claim = claimAt(h.clock.nowMs())
      expect(await h.db.inTransaction((tx) => claimDailyJob(tx, 'findings', claim))).toEqual({
        isClaimed: true,
      })
      expect(await run()).toEqual(all.filter((name) => name !== 'findings'))
      h.clock.advanceMs(hourMs - 1)
      expect(await run()).toEqual([])
      h.clock.advanceMs(1)
      const together = await Promise.all([run(), run()])
      expect(together.flat()).toEqual(['findings'])
      h.clock.advanceMs(hourMs)
      expect(await run()).toEqual([])
    })

    test('a clock that was years ahead keeps no job from being done when it is right again, and is told once', async () => {
      pass(1)
      const warnings: string[] = []
      const look = async () => {
        const timer = dailyTimer(options(), { warn: (_, message) => warnings.push(message) })
        await timer.running
        await timer.stop()
      }
      const claim = claimAt(h.clock.nowMs() + 3650 * dayMs)
      for (const name of all) {
        await h.db.inTransaction((tx) => claimDailyJob(tx, name, claim))
        // The process of that one was killed.
        if (name !== 'events') await h.db.inTransaction((tx) => finishDailyJob(tx, name, claim.day))
      }
      await look()
      expect(warnings).toEqual([expect.stringMatching(/clock/)])
      expect(await run()).toEqual([])
      pass(1)
      await look()
      expect(warnings).toHaveLength(1)
      expect(await run()).toEqual([])
    })

    test('what another server has done or begun whose day begins a little earlier is left to it', async () => {
      pass(1)
      const nowMs = h.clock.nowMs()
      h.clock.advanceMs(dayMs - (nowMs % dayMs) - 1000)
      const claim = claimAt(h.clock.nowMs() + 2000)
      for (const name of all) await h.db.inTransaction((tx) => claimDailyJob(tx, name, claim))
      expect(await run()).toEqual([])
      for (const name of all) await h.db.inTransaction((tx) => finishDailyJob(tx, name, claim.day))
      expect(await run()).toEqual([])
      h.clock.advanceMs(2000)
      expect(await run()).toEqual([])
    })

    test('in a new store the timer begins tomorrow: what was just imported stays as it came for the day', async () => {
      await h.db.inTransaction((tx) => tx.run('DELETE FROM daily_jobs'))
      const timer = dailyTimer(options(), { warn: () => undefined })
      await timer.running
      await timer.stop()
      expect(await run()).toEqual([])
      pass(1)
      expect(await run()).toEqual(all)
    })

    test('a browser is active for 30 days after it was last heard from', async () => {
      pass(30)
      await run()
      expect(await o.one('browsers')).toMatchObject({ isActive: true })
      pass(1)
      await run()
      expect(await o.one('browsers')).toMatchObject({ isActive: false })
      await o.ada.send(o.make.heartbeat())
      expect(await o.one('browsers')).toMatchObject({ isActive: true })
    })

    test('a browser that was not heard from for 90 days is removed, with its extensions and its credential', async () => {
      const { credential, browserId } = await enrollBrowser(h, o.caller, o.ada.employee.id)
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }), o.make.blockedUrl())
      pass(89)
      await asBrowser(h, credential, 'POST', '/events', { body: { events: [o.make.visit()] } })
      pass(2)
      await run()
      expect(await o.one('browsers')).toMatchObject({ id: browserId })
      expect(await o.list('browserExtensions')).toEqual([])
      expect(await o.one('detections')).toMatchObject({ browserId: null })
      expect(
        await h.db.all('SELECT * FROM browser_credentials WHERE browser_id = ?', [o.ada.browserId]),
      ).toEqual([])
    })

    test('a dormant browser that goes on calling is kept, shows nothing of it, and wakes with the license', async () => {
      const { id } = o.ada.employee
      const asking = await enrollBrowser(h, o.caller, id)
      const reporting = await enrollBrowser(h, o.caller, id)
      const license = (licensed: boolean) =>
        h.call(o.caller, 'PATCH', `/v1/employees/${id}`, { body: { licensed } })
      const ask = async () => (await asBrowser(h, asking.credential, 'GET', '/policy')).body
      const visit = async () => (await report(h, reporting.credential, [o.make.visit()])).body
      await license(false)
      const before = await o.list('browsers')
      for (const days of [60, 31, 60]) {
        pass(days)
        expect([await ask(), await visit()]).toEqual([{ dormant: true }, { dormant: true }])
        await run()
      }
      const called = before.filter(({ id }) => [asking.browserId, reporting.browserId].includes(id))
      expect(await o.list('browsers')).toEqual(called.map((shown) => ({ ...shown, isActive: false })))
      await license(true)
      expect([await ask(), await visit()]).toMatchObject([{ version: expect.any(String) }, { accepted: 1 }])
      await license(false)
      pass(91)
      await run()
      expect(await o.list('browsers')).toEqual([])
    })

    test('more browsers than are looked at in one go', async () => {
      const silent = Array.from({ length: 450 }, () =>
        aBrowser({ employeeId: o.ada.employee.id, isActive: true }),
      )
      const lastOnlineTimestamp = unixSeconds(h.clock)
      await put(
        h,
        o.caller.org,
        browsers,
        silent.map((browser) => ({ ...browser, lastOnlineTimestamp })),
      )
      pass(31)
      await run()
      expect(await o.list('browsers?isActive=true')).toEqual([])
      pass(60)
      await run()
      expect(await o.list('browsers')).toEqual([])
    })

    test('an app that is unused for 90 days is a finding; used again, it is resolved', async () => {
      await o.ada.send(o.make.oidcLogin(), o.make.login({ email: 'by-password@example.com' }))
      h.clock.advanceMs(90 * dayMs - 1000)
      await run()
      expect(await o.list('findings')).toEqual([])
      pass(1)
      await run()
      const [account] = await o.list('accounts')
      const finding = await o.one('findings')
      expect(finding).toMatchObject({
        type: 'UNUSED_THIRD_PARTY_APP',
        state: 'OPEN',
        accountId: account.id,
        creationTimestamp: unixSeconds(h.clock) - 2,
      })
      pass(1)
      await run()
      expect(await o.one('findings')).toEqual(finding)
    })

    test('an imported account whose last use is unknown counts as unused from its creation on', async () => {
      const created = unixSeconds(h.clock)
      const account = (days: number, oidcLogin: 'GOOGLE' | null, lastUsedTimestamp: number | null = null) => {
        const made = anAccount({
          employeeId: o.ada.employee.id,
          creationTimestamp: created - days * 24 * 60 * 60,
        })
        return { ...made, lastUsedTimestamp, loginMethods: { ...made.loginMethods, oidcLogin } }
      }
      const [old, young] = [account(89, 'GOOGLE'), account(80, 'GOOGLE')]
      const others = [account(200, null), account(200, 'GOOGLE', created)]
      await put(h, o.caller.org, accounts, [...others, old, young])
      const found = async () => (await o.list('findings')).map(({ accountId }) => accountId)
      pass(1)
      await run()
      expect(await found()).toEqual([])
      h.clock.advanceMs(1000)
      pass(1)
      await run()
      expect(await found()).toEqual([old.id])
      pass(9)
      await run()
      expect(await found()).toEqual([old.id, young.id])
    })

    test('an app that counts as unused later than before is no longer a finding the day after', async () => {
      await o.ada.send(o.make.oidcLogin())
      pass(91)
      await run()
      const finding = await o.one('findings')
      expect(finding).toMatchObject({ type: 'UNUSED_THIRD_PARTY_APP', state: 'OPEN' })
      const { thresholds } = defaultControls
      const controls = { ...defaultControls, thresholds: { ...thresholds, unusedAppDays: 120 } }
      await h.db.inTransaction((tx) => writeControls(tx, o.caller.org, controls, unixSeconds(h.clock)))
      pass(1)
      await run()
      expect(await o.one('findings')).toEqual({
        ...finding,
        state: 'RESOLVED',
        lastUpdatedTimestamp: unixSeconds(h.clock) - 1,
      })
    })

    test('an account stops being shared when the last of the others has not used it for 90 days', async () => {
      const bob = await o.person()
      await o.ada.send(o.make.login({ email: 'team@example.com' }))
      await bob.send(o.make.login({ email: 'team@example.com' }))
      pass(50)
      await run()
      expect(await o.one('findings')).toMatchObject({ type: 'SHARED_ACCOUNT', state: 'OPEN' })
      await o.ada.send(o.make.login({ email: 'team@example.com' }))
      pass(41)
      await run()
      expect(await o.one('findings')).toMatchObject({
        type: 'SHARED_ACCOUNT',
        state: 'RESOLVED',
        lastUpdatedTimestamp: unixSeconds(h.clock) - 1,
      })
    })

    test('events of what has happened are kept for 30 days', async () => {
      await subscribeEndpoint(h, o.caller.org)
      await o.ada.send(o.make.visit())
      const before = await eventsWritten(h, o.caller.org)
      expect(before).toHaveLength(1)
      pass(30)
      await run()
      expect(await eventsWritten(h, o.caller.org)).toEqual(expect.arrayContaining(before))
      h.clock.advanceMs(dayMs)
      await run()
      expect(await eventsWritten(h, o.caller.org)).not.toEqual(expect.arrayContaining(before))
      expect(await eventsWritten(h, o.caller.org, 'BROWSER')).toMatchObject([
        { type: 'UPDATE', new: { isActive: false } },
      ])
    })

    test('raw events are kept for 90 days, and dropped by whole weeks', async () => {
      await o.ada.send(o.make.visit())
      const week = Math.floor(h.clock.nowMs() / (7 * dayMs))
      pass(90)
      await run()
      expect(await rawEventWeeks(h.db)).toContain(week)
      pass(8)
      await run()
      expect(await rawEventWeeks(h.db)).not.toContain(week)
    })
  })
}
