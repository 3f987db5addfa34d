import { accounts } from '@muster/contract/records/account'
import { browsers } from '@muster/contract/records/browser'
import { describe, expect, test } from 'vitest'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBrowser, anAccount, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { runDailyJobs } from './daily.ts'
import { previewRetention } from './retention.ts'

const dayMs = 86_400_000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    const pass = (days: number) => h.clock.advanceMs(days * dayMs)
    const retention = { unusedAccountDays: 200, silentBrowserDays: 60 }
    const removed: string[] = []
    const run = (wanted?: typeof retention) =>
      runDailyJobs({
        db: h.db,
        clock: h.clock,
        settingsOf: orgSettingsReader(),
        rawEventDays: 90,
        ...(wanted && { retentionOf: () => wanted }),
        onRemoved: (what, count) => removed.push(`${what} ${count}`),
      })
    const ids = async (list: string) => (await o.list(list)).map(({ id }) => id)

    test('accounts are deleted after the days without use, each with an audit event; used ones stay', async () => {
      await o.ada.send(o.make.login({ email: 'old@example.com' }))
      pass(150)
      await o.ada.send(o.make.login({ email: 'new@example.com', loginUrl: 'https://slack.com/signin' }))
      const neverUsed = anAccount({
        employeeId: o.ada.employee.id,
        lastUsedTimestamp: null,
        creationTimestamp: unixSeconds(h.clock) - 300 * 86_400,
      })
      await put(h, o.caller.org, accounts, [neverUsed])
      pass(60)
      const options = { ...retention, rawEventDays: 90 }
      expect(await previewRetention(h.db, o.caller.org, options, h.clock.nowMs())).toMatchObject({
        accounts: 2,
      })
      removed.length = 0
      const events = await auditEventsDuring(h.db, o.caller.org, () => run(retention))
      expect(events.map(({ object, actor }) => [object, actor])).toEqual([
        ['ACCOUNT_FORGOTTEN', null],
        ['ACCOUNT_FORGOTTEN', null],
      ])
      expect((await o.list('accounts')).map(({ email }) => email)).toEqual(['new@example.com'])
      expect(removed).toContain('accounts 2')
      expect(await previewRetention(h.db, o.caller.org, options, h.clock.nowMs())).toMatchObject({
        accounts: 0,
      })
    })

    test('by default, accounts are kept for good', async () => {
      await o.ada.send(o.make.login({ email: 'old@example.com' }))
      pass(3000)
      await run()
      expect(await o.list('accounts')).toHaveLength(1)
    })

    test('browsers are removed after the days of the setting', async () => {
      const silent = aBrowser({
        employeeId: o.ada.employee.id,
        lastOnlineTimestamp: unixSeconds(h.clock) - 61 * 86_400,
      })
      await put(h, o.caller.org, browsers, [silent])
      pass(1)
      const options = { ...retention, rawEventDays: 90 }
      expect(await previewRetention(h.db, o.caller.org, options, h.clock.nowMs())).toMatchObject({
        browsers: 1,
      })
      await run()
      expect(await ids('browsers')).toContain(silent.id)
      pass(1)
      await run(retention)
      expect(await ids('browsers')).toEqual([o.ada.browserId])
    })
  })

  describe(`${store}, command line`, () => {
    const cli = useCommandLine(store)

    test('retention preview counts, deletes nothing, and takes other settings as flags', async () => {
      const old = anAccount({ lastUsedTimestamp: 1_600_000_000, creationTimestamp: 1_600_000_000 })
      await cli.run('import', cli.file('accounts.jsonl', [old]))
      expect((await cli.run('retention preview')).stdout).toContain('kept')
      expect(await cli.json('retention preview', '--unused-account-days', '365')).toMatchObject({
        unusedAccountDays: 365,
        organizations: [{ organization: 'default', accounts: 1, browsers: 0, events: 0, rawEvents: 0 }],
      })
      const files = await cli.json('export', 'out')
      expect(files.records.accounts).toBe(1)
    })
  })
}
