import { accounts } from '@muster/contract/records/account'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { signedIn } from '../../../../test/support/console-browser.ts'
import { anAccount, put } from '../../../../test/support/fixtures.ts'
import { startHarness, useHarness } from '../../../../test/support/harness.ts'
import { changeSettings, seenSetting } from '../../../../test/support/settings.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { orgSettingsReader } from '../agents/org-settings.ts'
import { runDailyJobs } from '../maintenance/daily.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    test('each organization has its own retention, and the daily jobs follow it', async () => {
      const first = await h.addCaller()
      const second = await h.addCaller()
      const owner = await signedIn(h, first.org)
      const old = unixSeconds(h.clock) - 300 * 86_400
      for (const { org } of [first, second]) {
        const account = anAccount({ lastUsedTimestamp: old, creationTimestamp: old })
        await put(h, org, accounts, [account])
      }
      await changeSettings(owner, { unused_account_days: '200' })
      expect(await seenSetting(owner, 'unused_account_days')).toMatchObject({ value: '200', fallback: '0' })
      expect(await seenSetting(owner, 'raw_event_days')).toMatchObject({ value: '90', changeable: false })
      h.clock.advanceMs(86_400_000)
      await runDailyJobs({
        db: h.db,
        clock: h.clock,
        settingsOf: orgSettingsReader(),
        rawEventDays: 90,
        retentionOf: h.settings.of,
      })
      const count = async (caller: typeof first) =>
        (await h.call(caller, 'GET', '/v1/accounts')).body['the service'].length
      expect([await count(first), await count(second)]).toEqual([0, 1])
      // The session of a day ago has ended.
      const again = await signedIn(h, first.org)
      await changeSettings(again, { unused_account_days: null })
      expect(await seenSetting(again, 'unused_account_days')).toMatchObject({ source: 'default', value: '0' })
    })
  })

  describe(`${store}, on the command line`, () => {
    const cli = useCommandLine(store)

    test('muster config and muster doctor show the settings from the console, without secrets', async () => {
      const databaseUrl = cli.settings.MUSTER_DATABASE_URL
      const h = await startHarness(store, { place: { dataDir: cli.dataDir, databaseUrl } })
      // The master key of the harness.
      Object.assign(cli.settings, { MUSTER_SECRET_KEY: '07'.repeat(32) })
      const owner = await signedIn(h, await h.addOrganization('default'))
      await changeSettings(owner, {
        smtp_url: 'smtp://muster@mail.invalid',
        smtp_password: 'password-of-the-test',
        silent_browser_days: '60',
      })
      const { stdout } = await cli.run('config --json')
      const { settings } = JSON.parse(stdout) as {
        settings: { name: string; value: unknown; source: string }[]
      }
      expect(settings.filter(({ source }) => source === 'console')).toMatchObject([
        { name: 'smtp_url', value: 'smtp://muster@mail.invalid' },
        { name: 'smtp_password', value: '***' },
        { name: 'silent_browser_days', value: 60 },
      ])
      expect(stdout).not.toContain('password-of-the-test')
      const doctor = await cli.run('doctor --json --port 0 --metrics-port 0')
      expect(doctor.stdout).toContain('The mail server mail.invalid, set in the console, cannot be used')
      expect(doctor.stdout).not.toContain('password-of-the-test')
      await h.close()
    })
  })
}
