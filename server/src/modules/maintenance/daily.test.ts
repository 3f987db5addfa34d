import { accounts } from '@muster/contract/records/account'
import { browsers } from '@muster/contract/records/browser'
import { defaultControls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import { anExtension, report } from '../../../../test/support/agent-events.ts'
import { asBrowser, enrollBrowser } from '../../../../test/support/agents.ts'
import { aBrowser, anAccount, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { eventsWritten, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { repeat } from '../../kernel/jobs/background-jobs.ts'
import { claimDailyJob, finishDailyJob } from '../../kernel/jobs/daily-jobs.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { rawEventWeeks } from '../ingest/raw-events.service.ts'
import { runDailyJobs } from './daily.ts'
import { dailyJob } from './daily-job.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const claimAt = (nowMs: number) => ({ day: Math.floor(nowMs / dayMs), nowMs, untilMs: nowMs + hourMs })
const all = ['figures', 'accounts', 'browsers', 'events', 'findings', 'priorities', 'reports', 'raw events']

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const options = () => ({ db: h.db, clock: h.clock, settingsOf: orgSettingsReader(), rawEventDays: 90 })
    const pass = (days: number) => h.clock.advanceMs(days * dayMs)
    const run = () => runDailyJobs(options())
    const start = (warn: (message: string) => void = () => undefined) => {
      const log = { warn: (_facts: object, message: string) => warn(message) }
      return repeat(dailyJob(options(), log), log)
    }

    test('runs each job once a day across concurrent processes', async () => {
      pass(1)
      const results = await Promise.all(Array.from({ length: 4 }, run))
      expect(results.flat().sort()).toEqual(all.toSorted())
      expect(await run()).toEqual([])
      pass(1)
      expect(await run()).toEqual(all)
    })

    test('runs due jobs at start, and stop waits for them', async () => {
      pass(1)
      const job = start()
      await job.idle
      await job.stop()
      expect(await run()).toEqual([])
    })

    test('an aborted job is due again and run by the next process', async () => {
      pass(1)
      await start(() => expect.unreachable()).stop()
      await h.addOrganization('one more')
      const stopping = new AbortController()
      const terms = orgSettingsReader()
      const settingsOf: typeof terms = (...asked) => {
        stopping.abort()
        return terms(...asked)
      }
      const stopped = runDailyJobs({ ...options(), settingsOf, signal: stopping.signal })
      await expect(stopped).rejects.toThrow(stopping.signal.reason)
      expect(await run()).toEqual(['findings', 'priorities', 'reports', 'raw events'])
    })

    test('a job of a crashed process is run once by another after an hour', async () => {
      pass(1)
      const claim = claimAt(h.clock.nowMs())
      expect(await h.db.inTransaction((tx) => claimDailyJob(tx, 'findings', claim))).toEqual({
        isClaimed: true,
      })
      expect(await run()).toEqual(all.filter((name) => name !== 'findings'))
      h.clock.advanceMs(hourMs - 1)
      expect(await run()).toEqual([])
      h.clock.advanceMs(1)
      const results = await Promise.all([run(), run()])
      expect(results.flat()).toEqual(['findings'])
      h.clock.advanceMs(hourMs)
      expect(await run()).toEqual([])
    })

    test('runs jobs recorded on a future day by a wrong clock, and warns once', async () => {
      pass(1)
      const warnings: string[] = []
      const runJob = async () => {
        const job = start((message) => warnings.push(message))
        await job.idle
        await job.stop()
      }
      const claim = claimAt(h.clock.nowMs() + 3650 * dayMs)
      for (const name of all) {
        await h.db.inTransaction((tx) => claimDailyJob(tx, name, claim))
        // Simulates a crash during the job "events".
        if (name !== 'events') await h.db.inTransaction((tx) => finishDailyJob(tx, name, claim.day))
      }
      await runJob()
      expect(warnings).toEqual([expect.stringMatching(/clock/)])
      expect(await run()).toEqual([])
      pass(1)
      await runJob()
      expect(warnings).toHaveLength(1)
      expect(await run()).toEqual([])
    })

    test('skips jobs that a server with a slightly faster clock has done or started for the next day', async () => {
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

    test('starts on the next day in a new store, to leave imported records unchanged', async () => {
      await h.db.inTransaction((tx) => tx.run('DELETE FROM daily_jobs'))
      const job = start()
      await job.idle
      await job.stop()
      expect(await run()).toEqual([])
      pass(1)
      expect(await run()).toEqual(all)
    })

    test('marks a browser as inactive 30 days after its last contact', async () => {
      pass(30)
      await run()
      expect(await o.one('browsers')).toMatchObject({ isActive: true })
      pass(1)
      await run()
      expect(await o.one('browsers')).toMatchObject({ isActive: false })
      await o.ada.send(o.make.heartbeat())
      expect(await o.one('browsers')).toMatchObject({ isActive: true })
    })

    test('removes a browser 90 days after its last contact, with its extensions and credential', async () => {
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

    test('keeps a dormant browser that stays in contact and reactivates it with the license', async () => {
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

    test('handles more browsers than one query returns', async () => {
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

    test('opens a finding for an app unused for 90 days and resolves it when the app is used', async () => {
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

    test('an imported account without a last use counts as unused since its creation', async () => {
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

    test('resolves a finding on the next day after the threshold was raised', async () => {
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

    test('an account is no longer shared when the others have not used it for 90 days', async () => {
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

    test('deletes events after 30 days', async () => {
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

    test('deletes raw events after 90 days in whole weeks', async () => {
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
