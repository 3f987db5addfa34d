import { consoleLists } from '@muster/contract/console/console-lists'
import { roleCovers, roles } from '@muster/contract/console/console-operation'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  accessOf,
  bodyFor,
  pathWith,
  type ServedRoute,
  servedRoutes,
} from '../../../../test/support/console-routes.ts'
import { exampleRequests } from '../../../../test/support/example-requests.ts'
import { unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { wholeRows } from '../../../../test/support/whole-rows.ts'

/** Guarantees for every console route. The routes come from the router itself, so undeclared ones are included. */
for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let routes: ServedRoute[]

    beforeAll(async () => {
      ada = await signedIn(h, await h.addOrganization('default'))
      // Browsers come to these two by redirects, from the identity provider's site to the second: see oidc.test.ts.
      const isRedirect = (path: string) => path.startsWith('/console/api/oidc/')
      routes = servedRoutes(h.app, '/console/api/').filter(
        ({ path }) => !path.includes('*') && !isRedirect(path),
      )
    })

    const named = ({ method, path }: ServedRoute) => `${method} ${path}`
    const ask = (who: Pick<SignedIn, 'call'>, route: ServedRoute, id: string, headers = {}) =>
      who.call(route.method, pathWith(route, id), bodyFor(route, id), { 'x-request-id': 'same', ...headers })
    const open = (route: ServedRoute) => ['PUBLIC', 'SECOND_FACTOR'].includes(accessOf(route))

    /** Rows of an organization in all tables except sessions. */
    const rowsOf = async (org: number): Promise<Map<string, Record<string, unknown>[]>> => {
      const sql =
        store === 'sqlite'
          ? "SELECT m.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'org'"
          : "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'org'"
      const tables = (await h.db.all<{ name: string }>(sql)).map(({ name }) => name)
      const kept = tables.filter((name) => name !== 'console_sessions').sort()
      const found = await Promise.all(kept.map((name) => wholeRows(h.db, name, org)))
      return new Map(kept.map((name, at) => [name, sorted(found[at] ?? [])]))
    }
    const sorted = (rows: Record<string, unknown>[]) =>
      rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

    test('the router knows exactly the lists, the records and the declared operations', () => {
      const paths = new Set(routes.map(named))
      expect(paths.size).toBe(routes.length)
      for (const name of Object.keys(consoleLists))
        expect(paths).toContain(`GET /console/api/lists/${name}/export`)
      expect(paths).toContain('PATCH /console/api/records/detections/:id')
      expect(paths).toContain('DELETE /console/api/sign-in-methods/passkeys/:id')
    })

    test('without a session only public operations respond', async () => {
      for (const route of routes.filter((one) => !open(one))) {
        const answer = await ask(consoleBrowser(h), route, unknownId())
        expect([named(route), answer.status, answer.body.code]).toEqual([named(route), 401, 'signed_out'])
      }
    })

    test('no route responds to another site, and every response has the security headers', async () => {
      for (const route of routes) {
        const answer = await ask(ada, route, unknownId(), { 'sec-fetch-site': 'cross-site' })
        expect([named(route), answer.body.code]).toEqual([named(route), 'cross_site_request'])
        expect(answer.headers).toMatchObject({
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        })
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      }
    })

    test.each(['READ_ONLY', 'FULL_ACCESS'] as const)(
      '%s is refused operations that need a higher role',
      async (role) => {
        const person = await signedIn(h, ada.org, role)
        const before = await rowsOf(ada.org)
        const higher = routes.filter((route) => {
          const access = accessOf(route)
          return roles.some((needed) => needed === access && !roleCovers(role, needed))
        })
        expect(higher.length).toBeGreaterThan(0)
        for (const route of higher) {
          const answer = await ask(person, route, unknownId())
          expect([named(route), answer.status, answer.body.code]).toEqual([named(route), 403, 'role_too_low'])
        }
        expect(await rowsOf(ada.org)).toEqual(before)
      },
    )

    test('unknown and unstorable IDs return a client error', async () => {
      const broken: unknown[] = []
      for (const route of routes.filter(({ path }) => path.includes(':'))) {
        for (const id of ['\u0000', 'x'.repeat(65)]) {
          const { status } = await ada.call(route.method, pathWith(route, id), bodyFor(route, unknownId()))
          if (status >= 500) broken.push([named(route), id, status])
        }
      }
      expect(broken).toEqual([])
    })

    test('no route redirects the browser', async () => {
      const elsewhere = ['returnTo', 'next', 'redirect', 'url'].map(
        (name) => `${name}=https%3A%2F%2Fevil.example`,
      )
      for (const route of routes.filter(({ method }) => method === 'GET')) {
        const { headers } = await ada.call('GET', `${pathWith(route, unknownId())}?${elsewhere.join('&')}`)
        expect([named(route), headers.location ?? '']).toEqual([
          named(route),
          expect.not.stringContaining('evil'),
        ])
      }
    })

    test('records of another organization are not found', async () => {
      await exampleRequests(h, ada.org)
      await ada.call('POST', 'keys', { name: 'ours', permission: 'READ_ONLY' })
      // Create whatever the contract's examples allow, so there is a record of each kind.
      const making = routes.filter(
        ({ method, path }) => method === 'POST' && !path.includes(':') && !path.includes('sign-'),
      )
      for (const route of making) await ask(ada, route, unknownId())
      await signedIn(h, ada.org, 'READ_ONLY')
      const stranger = await signedIn(h, await h.addOrganization('other'))
      const before = await rowsOf(ada.org)
      const ids = [...before.values()].flatMap((rows) =>
        rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])).slice(0, 1),
      )
      for (const table of ['api_keys', 'invitations', 'saved_filters', 'employees', 'detections'])
        expect(before.get(table)).not.toEqual([])

      const withIds = routes.filter(
        (route) => !open(route) && (route.path.includes(':') || named(route) in namesInBody),
      )
      for (const route of withIds) {
        const missing = unknownId()
        const unknown = await ask(stranger, route, missing)
        for (const id of new Set(ids)) {
          const answer = await ask(stranger, route, id)
          const same = (text: string, theirs: string) => text.replaceAll(theirs, 'ID')
          expect([named(route), answer.status, same(answer.text, id)]).toEqual([
            named(route),
            unknown.status,
            same(unknown.text, missing),
          ])
        }
      }
      expect(await rowsOf(ada.org)).toEqual(before)
      const session = await ada.call('GET', 'session')
      expect(session.body.state).toBe('SIGNED_IN')
      expectProblem(await stranger.call('GET', `records/detections/${unknownId()}`), 'not_found')
    })
  })
}

/** Routes without an ID in the path that name a record in the body. */
const namesInBody: Readonly<Record<string, true>> = {
  'POST /console/api/enrollment-mails': true,
  'POST /console/api/controls/reach': true,
}
