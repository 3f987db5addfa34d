import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aFinding, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { removeAdministratorRow } from '../administrators/administrators.service.ts'
import { noticeMail } from '../notices/notice-mail.ts'
import { listNoticeRows } from '../notices/notices.service.ts'
import { queueMonthlyReports } from './report-mail.service.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let reader: SignedIn

    beforeAll(async () => {
      org = await h.addOrganization('Northgate')
      reader = await signedIn(h, org, 'READ_ONLY')
      const app = anApp({ friendlyName: 'Wiki <b>' })
      await put(h, org, employees, [anEmployee({ licensed: true })])
      await put(h, org, apps, [app])
      const december = Date.parse('2025-12-10') / 1000
      const times = { creationTimestamp: december, lastUpdatedTimestamp: december }
      await put(h, org, findings, [
        aFinding({ ...times, state: 'OPEN', type: 'WEAK_PASSWORD', appId: app.id }),
      ])
    })

    const queue = () => queueMonthlyReports(h.db, org, h.clock.nowMs())
    const mails = () => listNoticeRows(h.db, org, 10)

    test('only administrators who want it get the report, once per month', async () => {
      expect((await reader.call('GET', 'report-mail')).body).toEqual({ subscribed: false })
      expect(await queue()).toBe(0)
      for (let times = 0; times < 2; times += 1)
        expect((await reader.call('PUT', 'report-mail', { subscribed: true })).body).toEqual({
          subscribed: true,
        })
      expect((await reader.call('GET', 'report-mail')).body).toEqual({ subscribed: true })
      const queued = await Promise.all(Array.from({ length: 8 }, queue))
      expect(queued.reduce((sum, count) => sum + count, 0)).toBe(1)
      expect(await queue()).toBe(0)
      expect(await mails()).toMatchObject([{ kind: 'MONTHLY_REPORT', subject: '2025-12', state: 'PENDING' }])
    })

    test('the mail has the figures in tables, as text and as HTML, without remote content', async () => {
      const [notice] = await mails()
      if (!notice) throw new Error('no mail')
      const origin = { publicUrl: 'https://muster.test', nowSeconds: unixSeconds(h.clock) }
      const mail = await noticeMail(h.db, notice, origin)
      expect(mail?.subject).toBe('Security report of Northgate: December 2025')
      expect(mail?.text).toMatch(/Findings opened +1 +new/)
      expect(mail?.text).toContain('https://muster.test/console/reports/2025-12')
      expect(mail?.html).toMatch(/<th scope="row"[^>]*><bdi>Weak password<\/bdi><\/th><td[^>]*><bdi>1<\/bdi>/)
      expect(mail?.html).toContain('Wiki &#60;b&#62;')
      expect(mail?.html).not.toMatch(/<img|<script|<link|src=/)
    })

    test('the next month has its own mail; nobody gets it after unsubscribing or being removed', async () => {
      h.clock.advanceMs(31 * 86_400_000)
      expect(await queue()).toBe(1)
      h.clock.advanceMs(28 * 86_400_000)
      const other = await signedIn(h, org, 'READ_ONLY')
      const gone = await signedIn(h, org, 'READ_ONLY')
      await other.call('PUT', 'report-mail', { subscribed: true })
      await gone.call('PUT', 'report-mail', { subscribed: true })
      await other.call('PUT', 'report-mail', { subscribed: false })
      const { administrator } = (await gone.call('GET', 'session')).body
      await h.db.inTransaction((tx) => removeAdministratorRow(tx, org, administrator.id))
      expect(await queue()).toBe(1)
      const rows = await h.db.all('SELECT administrator_id FROM report_subscriptions WHERE org = ?', [org])
      expect(rows).toHaveLength(1)
    })
  })
}
