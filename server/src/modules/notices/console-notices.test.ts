import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { issueKey } from '../api-keys/issue-key.ts'
import { queueNotices } from './notices.service.ts'

const day = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let owner: SignedIn
    let key: Caller
    beforeAll(async () => {
      const org = await h.addOrganization('first')
      owner = await signedIn(h, org)
      key = await h.addKey(org, 'FULL_ACCESS', { holder: 'ada@example.com' })
    })
    afterEach(async () => {
      await owner.call('DELETE', 'deprecation')
      await h.db.inTransaction((tx) => tx.run('DELETE FROM notices'))
    })
    const date = (days: number) => unixSeconds(h.clock) + days * day
    const set = (days: number, sunsetDays?: number, by = owner) =>
      by.call('PUT', 'deprecation', {
        deprecationTimestamp: date(days),
        ...(sunsetDays === undefined ? {} : { sunsetTimestamp: date(sunsetDays) }),
      })

    test('sends no deprecation headers while no date is set', async () => {
      const { headers } = await h.call(key, 'GET', '/v1/employees')
      expect(headers).not.toHaveProperty('deprecation')
      expect(headers).not.toHaveProperty('sunset')
      expect(headers).not.toHaveProperty('link')
      expect((await owner.call('GET', 'deprecation')).body).toMatchObject({
        deprecationTimestamp: null,
        holders: 1,
        changeable: true,
      })
    })

    test('sends deprecation headers with every response under /v1 once a date is set', async () => {
      const deprecation = `@${date(10)}`
      const sunset = new Date(date(20) * 1000).toUTCString()
      expect((await set(10, 20)).body).toMatchObject({
        deprecationTimestamp: date(10),
        messages: { waiting: 1 },
      })
      const page = '<https://muster.test/docs/versions/v1>'
      const link = `${page}; rel="deprecation"; type="text/html", ${page}; rel="sunset"; type="text/html"`
      const asked: [Caller | null, string, string, number][] = [
        [key, 'GET', '/v1/employees', 200],
        [key, 'HEAD', '/v1/employees', 200],
        [key, 'GET', '/v1/employees?limit=0', 400],
        [null, 'GET', '/v1/employees', 401],
        [key, 'GET', '/v1/nothing', 404],
        [key, 'PUT', '/v1/employees', 405],
      ]
      for (const [caller, method, path, status] of asked) {
        const answer = await h.call(caller, method, path)
        expect(answer).toMatchObject({ status, headers: { deprecation, sunset, link } })
      }
      for (let request = 0; request < 25; request += 1)
        await h.call(key, 'GET', '/v1/employees', { still: true })
      expect(await h.call(key, 'GET', '/v1/employees', { still: true })).toMatchObject({
        status: 429,
        headers: { deprecation, sunset },
      })
      expect((await h.call(null, 'GET', '/healthz')).headers).not.toHaveProperty('deprecation')
    })

    test('omits Sunset without an end date and shows the dates on the version page and in the reference', async () => {
      await set(3)
      const { headers } = await h.call(key, 'GET', '/v1/employees')
      expect(headers).toMatchObject({
        link: '<https://muster.test/docs/versions/v1>; rel="deprecation"; type="text/html"',
      })
      expect(headers).not.toHaveProperty('sunset')
      expect((await h.call(null, 'GET', '/docs/versions/v1')).text).toContain('Version v1 is deprecated from')
      expect((await h.call(null, 'GET', '/docs/versions/v2')).status).toBe(404)
      const marked = async () =>
        (await h.call(null, 'GET', '/openapi.json')).body.paths['/v1/employees'].get.deprecated
      expect(await marked()).toBeUndefined()
      h.clock.advanceMs(3 * day * 1000)
      expect(await marked()).toBe(true)
    })

    test('rejects invalid dates with a message for each', async () => {
      const fresh = await signedIn(h, owner.org)
      expect((await set(-1, -2, fresh)).body.errors).toEqual([
        { in: 'body', name: 'deprecationTimestamp', message: 'must be today (UTC) or later' },
        {
          in: 'body',
          name: 'sunsetTimestamp',
          message: 'must not be before the deprecation date',
        },
      ])
      expect((await fresh.call('GET', 'notices')).body.notices).toEqual([])
    })

    test('allows only owners of the first organization to change dates; others see them and their own mails', async () => {
      owner = await signedIn(h, owner.org)
      const other = await signedIn(h, await h.addOrganization('other'))
      const mate = await signedIn(h, owner.org, 'FULL_ACCESS')
      expect(await set(5, undefined, other)).toMatchObject({ status: 403, body: { code: 'role_too_low' } })
      expect(await set(5, undefined, mate)).toMatchObject({ status: 403 })
      expect(await other.call('DELETE', 'deprecation')).toMatchObject({ status: 403 })
      await set(5)
      expect((await other.call('GET', 'deprecation')).body).toMatchObject({
        deprecationTimestamp: date(5),
        holders: 0,
        messages: { waiting: 0 },
        changeable: false,
      })
      expect((await other.call('GET', 'notices')).body.notices).toEqual([])
      const mine = (await mate.call('GET', 'notices')).body.notices
      expect(mine).toMatchObject([{ kind: 'API_DEPRECATED', address: 'ada@example.com', state: 'PENDING' }])
      expect(await other.call('POST', `notices/${mine[0].id}/resend`)).toMatchObject({ status: 404 })
      await h.db.inTransaction((tx) => tx.run("UPDATE notices SET state = 'SENT'"))
      expect(await mate.call('POST', `notices/${mine[0].id}/resend`)).toMatchObject({ status: 409 })
      await h.db.inTransaction((tx) => tx.run("UPDATE notices SET state = 'FAILED', last_error = '550 no'"))
      expect((await mate.call('POST', `notices/${mine[0].id}/resend`)).body).toMatchObject({
        state: 'PENDING',
      })
    })

    test('notifies holders of later keys on creation, and nobody twice', async () => {
      owner = await signedIn(h, owner.org)
      await set(5)
      const plan = { name: 'late', permission: 'READ_ONLY', expiryTimestamp: null } as const
      const making = { nowMs: h.clock.nowMs(), actor: { source: 'CLI', user: 'test' } } as const
      for (const holder of ['bob@example.com', 'BOB@example.com', 'Ada@example.com'])
        await h.db.inTransaction((tx) => issueKey(tx, owner.org, { ...plan, holder }, making))
      const addresses = async () =>
        (await owner.call('GET', 'notices')).body.notices
          .map(({ address }: { address: string }) => address)
          .sort()
      expect(await addresses()).toEqual(['ada@example.com', 'bob@example.com'])
      await set(5)
      expect(await addresses()).toEqual(['ada@example.com', 'bob@example.com'])
      await set(6)
      expect((await owner.call('GET', 'deprecation')).body.messages).toMatchObject({ waiting: 2 })
    })

    test('withdrawing dates ends the headers and notifies everyone who was notified before', async () => {
      owner = await signedIn(h, owner.org)
      await set(5)
      const { noticeId } = (await h.db.get<{ noticeId: string }>(
        'SELECT notice_id AS "noticeId" FROM api_deprecations',
      )) ?? { noticeId: '' }
      await h.db.inTransaction(async (tx) => {
        await tx.run("UPDATE notices SET state = 'SENT' WHERE address = 'ada@example.com'")
        const facts = { version: 'v1', deprecationTimestamp: date(5), sunsetTimestamp: null, replaced: null }
        const waits = {
          org: owner.org,
          kind: 'API_DEPRECATED',
          subject: noticeId,
          address: 'waits@example.com',
        } as const
        await queueNotices(tx, [{ ...waits, facts }], h.clock.nowMs())
      })
      expect((await owner.call('DELETE', 'deprecation')).body).toMatchObject({ deprecationTimestamp: null })
      expect((await h.call(key, 'GET', '/v1/employees')).headers).not.toHaveProperty('deprecation')
      expect((await owner.call('GET', 'notices')).body.notices).toMatchObject([
        { kind: 'API_DEPRECATION_WITHDRAWN', address: 'ada@example.com', state: 'PENDING' },
        { kind: 'API_DEPRECATED', address: 'ada@example.com', state: 'SENT' },
      ])
    })
  })
}
