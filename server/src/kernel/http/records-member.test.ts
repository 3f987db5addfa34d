import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { describe, expect, test } from 'vitest'
import { expectAnswer } from '../../../../test/support/answers.ts'
import { allOperations, exampleRequests } from '../../../../test/support/example-requests.ts'
import { anAccount, anAccountUser, anApp, put, storeAccountUsers } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const lists = allOperations.filter(([, { kind }]) => kind === 'list')

for (const store of STORES) {
  describe(`${store}, with the setting recordsMember`, () => {
    const h = useHarness(store, { recordsMember: 'result' })

    test.each(lists)('%s has its records under result, and not under the default', async (name) => {
      const caller = await h.addCaller()
      const { url } = (await exampleRequests(h, caller.org))[name]
      const { body } = await h.call(caller, 'GET', url)
      expect(Object.keys(body)).toEqual(['result', 'paging'])
      expect(body.result.length).toBeGreaterThan(0)
      expect(body.paging).toEqual({ moreResults: false, nextToken: null, next: null })
    })

    test('paging and single records are the same', async () => {
      const caller = await h.addCaller()
      const records = [anApp(), anApp()]
      await put(h, caller.org, apps, records)
      const first = await h.call(caller, 'GET', '/v1/apps?limit=1')
      const { nextToken } = first.body.paging
      expectAnswer(first, {
        result: records.slice(0, 1),
        paging: { moreResults: true, nextToken, next: '1' },
      })
      const last = { moreResults: false, nextToken: null, next: null }
      expectAnswer(await h.call(caller, 'GET', `/v1/apps?nextToken=${nextToken}`), {
        result: records.slice(1),
        paging: last,
      })
      expectAnswer(await h.call(caller, 'GET', `/v1/apps/${records[0]?.id}`), records[0])
    })

    test('the list of users of an account uses the setting, too', async () => {
      const caller = await h.addCaller()
      const account = anAccount()
      const use = anAccountUser()
      await put(h, caller.org, accounts, [account])
      await storeAccountUsers(h, caller.org, account.id, [use])
      const answer = await h.call(caller, 'GET', `/v1/accounts/${account.id}/usedBy`)
      expect(answer.body.result).toEqual([use])
    })

    test('the OpenAPI document uses the setting', async () => {
      const { body } = await h.call(null, 'GET', '/openapi.json')
      const pages = Object.entries(body.components.schemas).filter(([name]) => name.endsWith('Page'))
      expect(pages.length).toBe(11)
      for (const [, schema] of pages)
        expect(Object.keys((schema as { properties: object }).properties)).toEqual(['result', 'paging'])
    })
  })
}
