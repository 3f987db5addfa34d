import { describe, expect, test } from 'vitest'
import { signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { changeSettings } from '../../../../test/support/settings.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { queueKeyExpiryNotices, queueWebhookDisabledNotices } from '../notices/queue-notices.ts'

const daySeconds = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const mailed = async (org: number, kind: string) => {
      const sql = 'SELECT address FROM notices WHERE org = ? AND kind = ? ORDER BY address'
      const rows = await h.db.all<{ address: string }>(sql, [org, kind])
      return rows.map(({ address }) => address)
    }

    test('mails about a disabled webhook go to all administrators, to owners, or to nobody', async () => {
      const org = await h.addOrganization('webhooks')
      const owner = await signedIn(h, org)
      const reader = await signedIn(h, org, 'READ_ONLY')
      const webhook = { org, id: 'one', name: 'chat', url: 'https://hooks.example.com/x' }
      const disable = () => {
        h.clock.advanceMs(1000)
        const { webhookAlerts } = h.settings.of(org)
        return h.db.inTransaction((tx) =>
          queueWebhookDisabledNotices(tx, webhook, h.clock.nowMs(), webhookAlerts),
        )
      }
      await changeSettings(owner, { webhook_alerts: 'none' })
      await disable()
      expect(await mailed(org, 'WEBHOOK_SWITCHED_OFF')).toEqual([])
      await changeSettings(owner, { webhook_alerts: 'owners' })
      await disable()
      expect(await mailed(org, 'WEBHOOK_SWITCHED_OFF')).toEqual([owner.email])
      await changeSettings(owner, { webhook_alerts: null })
      await disable()
      expect(await mailed(org, 'WEBHOOK_SWITCHED_OFF')).toEqual([owner.email, owner.email, reader.email])
    })

    test('holders of keys are notified as early as their organization wants', async () => {
      const [early, never] = [await h.addOrganization('early'), await h.addOrganization('never')]
      await changeSettings(await signedIn(h, early), { key_expiry_alert_days: '30' })
      await changeSettings(await signedIn(h, never), { key_expiry_alert_days: '0' })
      const expiresIn = (days: number) => ({ expiryTimestamp: unixSeconds(h.clock) + days * daySeconds })
      await h.addKey(early, 'READ_ONLY', { holder: 'soon@example.com', ...expiresIn(29) })
      await h.addKey(early, 'READ_ONLY', { holder: 'later@example.com', ...expiresIn(31) })
      await h.addKey(never, 'READ_ONLY', { holder: 'never@example.com', ...expiresIn(1) })
      const daysOf = (org: number) => h.settings.of(org).keyExpiryAlertDays
      await queueKeyExpiryNotices(h.db, h.clock.nowMs(), daysOf)
      expect(await mailed(early, 'KEY_EXPIRES')).toEqual(['soon@example.com'])
      expect(await mailed(never, 'KEY_EXPIRES')).toEqual([])
    })
  })
}
