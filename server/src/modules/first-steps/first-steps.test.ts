import { browsers } from '@muster/contract/records/browser'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { addRule } from '../../../../test/support/alert-world.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aBrowser, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let owner: SignedIn
    let writer: SignedIn

    beforeAll(async () => {
      org = await h.addOrganization('default')
      owner = await signedIn(h, org)
      writer = await signedIn(h, org, 'FULL_ACCESS')
    })

    const read = async (who: SignedIn) => (await who.call('GET', 'first-steps')).body
    const openSteps = async (who: SignedIn) =>
      (await read(who)).steps
        .filter(({ done }: { done: boolean }) => !done)
        .map(({ step }: { step: string }) => step)

    test('the checklist has the steps that an administrator may take, and checks what exists', async () => {
      expect(await openSteps(owner)).toEqual([
        'ORGANIZATION',
        'EMPLOYEES',
        'BROWSER',
        'SINGLE_SIGN_ON',
        'WEBHOOK',
      ])
      expect(await openSteps(writer)).toEqual(['EMPLOYEES', 'BROWSER', 'WEBHOOK'])
      expect((await read(await signedIn(h, org, 'READ_ONLY'))).steps).toEqual([])

      await owner.call('PATCH', 'settings/organization', { name: 'Engine Works' })
      await put(h, org, employees, [anEmployee()])
      await put(h, org, browsers, [aBrowser()])
      await addRule(owner, { target: { url: 'https://hooks.example.com/' } })
      expect(await openSteps(writer)).toEqual(['WEBHOOK'])
      const webhook = await owner.call('POST', 'webhooks', {
        name: 'siem',
        url: 'https://hooks.example.com/',
      })
      expect(webhook.status).toBe(200)
      expect(await openSteps(owner)).toEqual(['SINGLE_SIGN_ON'])
      expect(await openSteps(writer)).toEqual([])
    })

    test('dismissing hides it for one administrator only', async () => {
      expect((await writer.call('POST', 'first-steps/dismiss')).status).toBe(200)
      expect((await read(writer)).dismissed).toBe(true)
      expect((await read(owner)).dismissed).toBe(false)
    })
  })
}
