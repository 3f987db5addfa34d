import { apps } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { describe, expect, test } from 'vitest'
import { signedIn } from '../../../../test/support/console-browser.ts'
import { anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Caller, type HarnessResponse, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../lib/clock.ts'

/** Returns the URL of the next page in a Link header (RFC 8288), relative to the server. */
const nextOf = ({ headers }: HarnessResponse): string | undefined =>
  /<https:\/\/muster\.test(\/[^>]*)>; rel="next"/.exec(String(headers.link))?.[1]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)

    /** Follows the links from a first URL and returns every page. */
    async function follow(caller: Caller, from: string): Promise<HarnessResponse[]> {
      const pages: HarnessResponse[] = []
      for (
        let url: string | undefined = from;
        url !== undefined;
        url = nextOf(pages.at(-1) as HarnessResponse)
      )
        pages.push(await h.call(caller, 'GET', url))
      return pages
    }
    const emailsIn = (pages: HarnessResponse[]): string[] =>
      pages.flatMap(({ body }) => body['the service'].map(({ email }: { email: string }) => email))

    async function withEmployees() {
      const caller = await h.addCaller()
      const all = Array.from({ length: 5 }, (_, at) => anEmployee({ email: `ä+${at}&x=1@example.com` }))
      await put(h, caller.org, employees, [...all, anEmployee({ email: 'else@example.com' })])
      return { caller, emails: all.map(({ email }) => email) }
    }

    test.each([
      ['a token', '/v1/employees?limit=2&email=%C3%A4%2B', 'nextToken'],
      ['an offset', '/v1/employees?offset=0&limit=2&email=%C3%A4%2B', 'offset'],
    ])('the links lead through a list by %s with the same filters and limit', async (_, first, name) => {
      const { caller, emails } = await withEmployees()
      const pages = await follow(caller, first)
      expect(emailsIn(pages)).toEqual(emails)
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
      const queries = pages.slice(0, 2).map((page) => new URLSearchParams(nextOf(page)?.split('?')[1]))
      for (const query of queries) expect([...query.keys()].sort()).toEqual(['email', 'limit', name].sort())
      expect(pages.at(-1)?.headers).not.toHaveProperty('link')
    })

    test('repeated filters are kept, and characters that end a link are escaped', async () => {
      const caller = await h.addCaller()
      const labels = ['a', 'b>']
      await put(h, caller.org, apps, [anApp({ labels }), anApp({ labels })])
      const page = await h.call(caller, 'GET', '/v1/apps?labels=a&labels=b>&offset=0&limit=1')
      expect(page.headers.link).toBe(
        '<https://muster.test/v1/apps?labels=a&labels=b%3E&limit=1&offset=1>; rel="next"',
      )
      expect(await follow(caller, '/v1/apps?labels=a&labels=b>&offset=0&limit=1')).toHaveLength(2)
    })

    test('HEAD has the link, a get and a rejected list have none', async () => {
      const { caller } = await withEmployees()
      expect(nextOf(await h.call(caller, 'HEAD', '/v1/employees?limit=1'))).toContain('nextToken=')
      const { body } = await h.call(caller, 'GET', '/v1/employees?limit=1')
      const { id } = body['the service'][0]
      for (const url of [`/v1/employees/${id}`, '/v1/employees?limit=0'])
        expect((await h.call(caller, 'GET', url)).headers).not.toHaveProperty('link')
    })

    describe('of a deprecated version', () => {
      const first = useHarness(store)

      test('the link is added to those of the deprecation', async () => {
        const org = await first.addOrganization('default')
        const owner = await signedIn(first, org, 'OWNER')
        await put(first, org, employees, [anEmployee(), anEmployee()])
        const deprecationTimestamp = unixSeconds(first.clock) + 86_400
        expect((await owner.call('PUT', 'deprecation', { deprecationTimestamp })).status).toBe(200)
        const page = await first.call(await first.addKey(org), 'GET', '/v1/employees?limit=1')
        expect(page.headers.link).toMatch(/^<[^>]+>; rel="next", <[^>]+>; rel="deprecation"/)
      })
    })
  })
}
