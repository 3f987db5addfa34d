import { foundMaximum } from '@muster/contract/console/search/global-search'
import { accounts } from '@muster/contract/records/account'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBlockedUrl,
  aBrowser,
  aDetection,
  anAccount,
  anAppOther,
  anEmployee,
  asShownInDetection,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    let stranger: SignedIn
    const person = anEmployee({ email: 'quinn@example.com', firstName: 'Quinn', lastName: 'Zorro' })
    const account = anAccount({ email: 'quinn@example.com' })
    const host = anAppOther({ domain: 'wiki.quinnfield.example' })
    const browser = aBrowser({ email: 'quinn@example.com' })
    const blocked = aBlockedUrl({ url: '*.quinnfield.example' })
    const detection = aDetection({
      url: 'https://login.quinnfield.example/',
      employeeId: person.id,
      employee: asShownInDetection(person),
    })

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
      await put(h, org, employees, [person])
      await put(h, org, accounts, [account])
      await put(h, org, appsOther, [host])
      await put(h, org, browsers, [browser])
      await put(h, org, blockedUrls, [blocked])
      await put(h, org, detections, [detection])
      const crowd = Array.from({ length: foundMaximum + 1 }, (_, at) =>
        anAccount({ email: `crowd${at}@example.com` }),
      )
      await put(h, org, accounts, crowd)
    })

    const search = (text: string, who = reader) => who.call('GET', `search?text=${encodeURIComponent(text)}`)

    test('one request finds people, accounts, hosts, browsers and detections', async () => {
      expect((await search('quinn')).body).toEqual({
        employees: { records: [person], more: false },
        accounts: { records: [account], more: false },
        appsOther: { records: [host], more: false },
        browsers: { records: [browser], more: false },
        detections: { records: [detection], more: false },
        blockedUrls: { records: [blocked], more: false },
      })
      expect((await search('zorro quinn')).body).toEqual({
        employees: { records: [person], more: false },
        detections: { records: [detection], more: false },
      })
      expect((await search('nobody')).body).toEqual({})
    })

    test('of many matches the newest are returned, and that there are more', async () => {
      const found = (await search('crowd')).body.accounts
      const emails = found.records.map(({ email }: { email: string }) => email)
      expect(emails).toEqual([5, 4, 3, 2, 1].map((at) => `crowd${at}@example.com`))
      expect(found.more).toBe(true)
    })

    test('only administrators of the organization find its records, with a text of two characters or more', async () => {
      expect((await search('quinn', stranger)).body).toEqual({})
      expectProblem(await consoleBrowser(h).call('GET', 'search?text=quinn'), 'signed_out')
      for (const query of ['', '?text=q', `?text=${'q'.repeat(255)}`])
        expect((await reader.call('GET', `search${query}`)).body.errors).toMatchObject([{ name: 'text' }])
    })
  })
}
