import { defaultControls } from '@muster/contract/records/controls'
import { beforeEach, describe, expect, test } from 'vitest'
import { aPassword } from '../../../../test/support/agent-events.ts'
import { asShownInDetection } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { eventReader, subscribeEndpoint } from '../../../../test/support/outbox-events.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { writeControls } from '../../kernel/organizations/organization-controls.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let read: ReturnType<typeof eventReader>
    beforeEach(async () => {
      await subscribeEndpoint(h, o.caller.org)
      read = eventReader(h, o.caller.org)
    })
    const eventsOf = async (object: string) => (await read()).filter((event) => event.object === object)

    test('events of an account have an empty list of mfaMethods instead of null', async () => {
      await o.ada.send(o.make.login({ password: aPassword() }))
      const account = await o.one('accounts')
      expect(account.mfaMethods).toBeNull()
      expect((await eventsOf('ACCOUNT')).map((event) => event.new)).toEqual([{ ...account, mfaMethods: [] }])
      await h.call(o.caller, 'DELETE', `/v1/accounts/${account.id}`)
      expect(await eventsOf('ACCOUNT')).toMatchObject([
        { type: 'DELETE', old: { mfaMethods: [] }, new: null },
      ])
    })

    test('events of a finding contain the employee like detections do, the API only the ID', async () => {
      await o.ada.send(o.make.login({ password: aPassword({ weakReasons: ['TOO_SHORT'] }) }))
      const employee = asShownInDetection(o.ada.employee)
      const { email } = o.ada.employee
      const finding = await o.one('findings?type=WEAK_PASSWORD')
      const ofWeak = async () =>
        (await eventsOf('FINDING')).filter((event) => JSON.stringify(event).includes('WEAK_PASSWORD'))
      const [opened] = await ofWeak()
      expect(opened).toMatchObject({
        description: `Weak password found on ${email}'s Zapier account.`,
        type: 'CREATE',
      })
      expect(opened?.new).toEqual({ ...finding, employee })
      await o.ada.send(o.make.login({ password: aPassword() }))
      expect(await ofWeak()).toMatchObject([
        {
          description: `Weak password on ${email}'s Zapier account was resolved.`,
          type: 'UPDATE',
          new: { employee },
          old: { employee },
        },
      ])
    })

    test('names the identity provider only for a password login there', async () => {
      const loginUrls = [
        'https://accounts.google.com/v3/signin',
        'https://acme.okta.com/login',
        'https://zapier.com/app/login',
      ]
      await o.ada.send(...loginUrls.map((loginUrl) => o.make.login({ loginUrl, password: aPassword() })))
      expect((await eventsOf('LOGIN')).map((event) => event.new)).toMatchObject([
        { loginType: 'PASSWORD_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
        { loginType: 'PASSWORD_LOGIN', identityProvider: 'OKTA' },
        { loginType: 'PASSWORD_LOGIN', identityProvider: null },
      ])
    })

    test('includes the reason that an employee gave in a banner', async () => {
      const banner = {
        id: 'genai',
        mode: 'REASON' as const,
        title: 'Not approved',
        subtext: '',
        buttonText: null,
      }
      const controls = { ...defaultControls, banners: [banner] }
      await h.db.inTransaction((tx) => writeControls(tx, o.caller.org, controls, unixSeconds(h.clock)))
      await o.ada.send(
        o.make.banner(),
        o.make.banner({ action: 'ACKNOWLEDGED', reason: 'A customer\nneeds it.' }),
      )
      const [shown, answered] = await eventsOf('APP_BANNER')
      expect(shown?.new).toMatchObject({ action: 'DISPLAYED', reason: null })
      expect(answered?.new).toMatchObject({ action: 'ACKNOWLEDGED', reason: 'A customer\nneeds it.' })
      expect(answered?.description).toBe(
        `${o.ada.employee.email} acknowledged the banner "Not approved" on Zapier from 127.0.0.1 (Chrome on Linux), giving the reason "A customer needs it.".`,
      )
    })
  })
}
