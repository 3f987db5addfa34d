import { type ConsoleListName, consoleLists } from '@muster/contract/console/console-lists'
import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const names = Object.keys(consoleLists) as ConsoleListName[]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
      const used = (at: number) =>
        anAccount({ email: `a${at}@example.com`, lastUsedTimestamp: 1_763_000_000 + at })
      await put(h, org, accounts, [3, 1, 2].map(used))
      await put(
        h,
        org,
        employees,
        ['Bob', 'ada', 'Carol'].map((name) => anEmployee({ email: `${name}@example.com` })),
      )
      await put(h, org, apps, [anApp({ friendlyName: '=cmd|calc', description: 'a, "b"\nc' })])
    })

    const emails = (body: { records: { email: string }[] }) => body.records.map(({ email }) => email)

    test.each(names)('%s: every sort, search, count and export works', async (name) => {
      for (const member of consoleLists[name].sorts)
        for (const sort of [member, `-${member}`])
          expect((await reader.call('GET', `lists/${name}?sort=${sort}`)).body).toEqual({
            records: expect.any(Array),
            cursor: null,
          })
      expect((await reader.call('GET', `lists/${name}?search=a`)).status).toBe(200)
      expect((await reader.call('GET', `lists/${name}/count`)).body).toEqual({
        count: expect.any(Number),
        more: false,
      })
      for (const format of ['csv', 'json'])
        expect((await reader.call('GET', `lists/${name}/export?format=${format}`)).status).toBe(200)
    })

    test('a cursor continues the list in the requested order', async () => {
      const first = await reader.call('GET', 'lists/accounts?sort=-lastUsedTimestamp&limit=2')
      expect(emails(first.body)).toEqual(['a3@example.com', 'a2@example.com'])
      const { cursor } = first.body
      const second = await reader.call(
        'GET',
        `lists/accounts?sort=-lastUsedTimestamp&limit=2&cursor=${cursor}`,
      )
      expect(emails(second.body)).toEqual(['a1@example.com'])
      expect(second.body.cursor).toBeNull()
      const byEmail = await reader.call('GET', 'lists/employees?sort=email')
      expect(emails(byEmail.body)).toEqual(['ada@example.com', 'Bob@example.com', 'Carol@example.com'])
    })

    test('reports each invalid query parameter', async () => {
      for (const [query, name] of [
        ['sort=email', 'sort'],
        ['limit=501', 'limit'],
        ['nope=1', 'nope'],
        ['cursor=%7B%7D', 'cursor'],
        [`cursor=${Buffer.from('["x",1]').toString('base64url')}`, 'cursor'],
        ['lastUsedTimestampAfter=x', 'lastUsedTimestampAfter'],
      ]) {
        const { status, body } = await reader.call('GET', `lists/accounts?${query}`)
        expect(status).toBe(400)
        expect(body.errors).toEqual([expect.objectContaining({ in: 'query', name })])
      }
      const cursor = Buffer.from(JSON.stringify(['\u0000', 1])).toString('base64url')
      const { status, body } = await reader.call('GET', `lists/employees?sort=email&cursor=${cursor}`)
      expect(status).toBe(400)
      expect(body.errors).toEqual([expect.objectContaining({ in: 'query', name: 'cursor' })])
    })

    test('records of another organization are never listed, counted, found or exported, with any cursor', async () => {
      const { cursor } = (await reader.call('GET', 'lists/accounts?limit=1')).body
      for (const query of ['', '?search=example', `?cursor=${cursor}`, '?sort=-lastUsedTimestamp'])
        expect((await stranger.call('GET', `lists/accounts${query}`)).body).toEqual({
          records: [],
          cursor: null,
        })
      expect((await stranger.call('GET', 'lists/employees?sort=email')).body.records).toEqual([])
      expect((await stranger.call('GET', 'lists/accounts/count')).body).toEqual({ count: 0, more: false })
      expect((await stranger.call('GET', 'lists/accounts/export?format=json')).body).toEqual([])
    })

    test('refuses requests without a session or from another site', async () => {
      for (const path of ['lists/accounts', 'lists/accounts/count', 'lists/accounts/export']) {
        expectProblem(await consoleBrowser(h).call('GET', path), 'signed_out')
        const headers = { 'sec-fetch-site': 'cross-site' }
        expectProblem(await reader.call('GET', path, undefined, headers), 'cross_site_request')
      }
    })

    test('an export contains all matching records, and no cell is a formula', async () => {
      const csv = await reader.call('GET', 'lists/apps/export?format=csv')
      expect(csv.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="apps.csv"',
      })
      expect(csv.text).toContain(`'=cmd|calc`)
      expect(csv.text).toContain('"a, ""b""\nc"')
      const json = await reader.call(
        'GET',
        'lists/accounts/export?format=json&sort=lastUsedTimestamp&search=A2@',
      )
      expect(json.body.map(({ email }: { email: string }) => email)).toEqual(['a2@example.com'])
      const file = (sort: string) => reader.call('GET', `lists/accounts/export?format=json&sort=${sort}`)
      const inOrder = ['a3@example.com', 'a1@example.com', 'a2@example.com']
      expect(emails({ records: (await file('lastUsedTimestamp')).body })).toEqual(inOrder)
      expect(emails({ records: (await file('-lastUsedTimestamp')).body })).toEqual(inOrder.reverse())
    })
  })
}
