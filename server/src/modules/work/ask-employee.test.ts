import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aFinding, anAccount, anApp, anEmployee, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

const day = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    const app = anApp({ type: 'GITHUB', friendlyName: 'GitHub' })

    beforeAll(async () => {
      ada = await signedIn(h, await h.addOrganization('Northgate'), 'FULL_ACCESS')
      await put(h, ada.org, apps, [app])
    })

    const person = async (firstName: string, email = `${firstName.toLowerCase()}@example.com`) => {
      const employee = anEmployee({ firstName, email })
      const account = anAccount({ email, appId: app.id, appType: app.type, employeeId: employee.id })
      const ofAccount = {
        accountId: account.id,
        appId: app.id,
        appType: app.type,
        employeeId: employee.id,
        state: 'OPEN',
      } as const
      const made = [
        aFinding({ ...ofAccount, type: 'WEAK_PASSWORD' }),
        aFinding({ ...ofAccount, type: 'MFA_NOT_REGISTERED' }),
        aFinding({ ...ofAccount, type: 'SHARED_ACCOUNT' }),
        aFinding({ ...ofAccount, type: 'REUSED_PASSWORD', state: 'RESOLVED' }),
      ]
      await put(h, ada.org, employees, [employee])
      await put(h, ada.org, accounts, [account])
      await put(h, ada.org, findings, made)
      return { id: employee.id, email, findingIds: made.map(({ id }) => id) }
    }
    const preview = async (id: string) => (await ada.call('GET', `employees/${id}/request`)).body
    const ask = (id: string, by = ada) => by.call('POST', `employees/${id}/request`)
    const mailsTo = async (address: string) =>
      (await h.db.all<{ address: string }>('SELECT address FROM notices WHERE address = ?', [address])).length

    test('one e-mail is about all findings of a person that are to do, with the page where the password is changed', async () => {
      const rosa = await person('Rosa')
      await ada.call('POST', 'work', {
        list: 'findings',
        ids: [rosa.findingIds[2]],
        change: { status: 'SNOOZED', untilTimestamp: unixSeconds(h.clock) + day },
      })
      const shown = await preview(rosa.id)
      expect(shown).toMatchObject({ address: rosa.email, findings: 2, nextTimestamp: null })
      expect(shown.subject).toBe('Northgate asks you to secure your accounts')
      expect(shown.text).toContain('Hello Rosa,')
      expect(shown.text).toContain('Your password for this account is easy to guess.')
      expect(shown.text).toContain('- GitHub, rosa@example.com')
      expect(shown.text).toMatch(/Change the password of GitHub:\nhttps:\/\/github\.com\//)
      expect(shown.text).not.toContain('Several people use this account.')
      expect(await mailsTo(rosa.email)).toBe(0)
      expect((await ask(rosa.id)).status).toBe(200)
      expect(await mailsTo(rosa.email)).toBe(1)
      const histories = await Promise.all(
        rosa.findingIds.map(async (id) => (await ada.call('GET', `work/${id}`)).body.entries[0]?.kind),
      )
      expect(histories).toEqual(['ASKED', 'ASKED', 'STATUS', undefined])
      const { notices } = (await ada.call('GET', 'notices')).body
      expect(notices[0]).toMatchObject({ kind: 'FINDINGS_REQUEST', about: 'Asks to resolve 2 findings' })
    })

    test('a person is asked at most once a week', async () => {
      const { id, email } = await person('Tom')
      const askedAt = unixSeconds(h.clock)
      await ask(id)
      expect(await ask(id)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('less than 7 days ago') },
      })
      expect((await preview(id)).nextTimestamp).toBe(askedAt + 7 * day)
      const olga = await person('Olga')
      h.clock.advanceMs((7 * day - 10) * 1000)
      const again = await signedIn(h, ada.org)
      expect((await ask(id, again)).status).toBe(409)
      h.clock.advanceMs(11_000)
      expect((await ask(id, again)).status).toBe(200)
      expect(await mailsTo(email)).toBe(2)
      expect(await mailsTo(olga.email)).toBe(0)
      ada = await signedIn(h, ada.org, 'FULL_ACCESS')
    })

    test('all people with a matching finding get one e-mail each, and none who was asked before', async () => {
      const [eva, fred, gina] = [await person('Eva'), await person('Fred'), await person('Gina')]
      await ask(fred.id)
      const query = [eva, fred, gina].map(({ id }) => `employeeId=${id}`).join('&')
      const { body } = await ada.call('POST', 'work/requests', { query })
      expect(body).toEqual({ found: 12, changed: 2, cursor: null })
      for (const { email } of [eva, fred, gina]) expect(await mailsTo(email)).toBe(1)
      expect((await ada.call('POST', 'work/requests', { ids: eva.findingIds })).body.changed).toBe(0)
    })

    test('nobody is asked without a reason, and only full access may ask', async () => {
      const idle = anEmployee()
      await put(h, ada.org, employees, [idle])
      expect((await ask(idle.id)).body.detail).toBe('This employee has no finding that is to do.')
      expect((await ask(unknownId())).status).toBe(404)
      const reader = await signedIn(h, ada.org, 'READ_ONLY')
      const { id } = await person('Hugo')
      expect((await ask(id, reader)).status).toBe(403)
      expect((await reader.call('POST', 'work/requests', { query: '' })).status).toBe(403)
      expect((await ada.call('POST', 'work/requests', {})).status).toBe(400)
    })
  })
}
