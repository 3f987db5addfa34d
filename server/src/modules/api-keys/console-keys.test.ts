import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { goodPassword, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

const hourMs = 60 * 60 * 1000

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org)
    })

    const signIn = () => ada.call('POST', 'sign-in', { email: ada.email, password: goodPassword })
    const make = async (more: object = {}) => {
      await signIn()
      return ada.call('POST', 'keys', { name: 'siem', permission: 'READ_ONLY', ...more })
    }
    const asCaller = ({ key, id }: { key: string; id: string }): Caller => ({ org: ada.org, key, keyId: id })
    const works = async (caller: Caller) => (await h.call(caller, 'GET', '/v1/employees')).status === 200
    const listed = async (id: string) =>
      (await ada.call('GET', 'keys')).body.keys.find((key: { id: string }) => key.id === id)

    test('a new key works at once with its permission and holder', async () => {
      const { status, body } = await make({ name: '  siem  ' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        name: 'siem',
        permission: 'READ_ONLY',
        holder: ada.email,
        start: body.key.slice(0, 9),
        expiryTimestamp: null,
        curl: `curl -H 'x-api-key: ${body.key}' 'https://muster.test/v1/employees?limit=10'`,
      })
      expect(await works(asCaller(body))).toBe(true)
      const write = await h.call(asCaller(body), 'POST', '/v1/employees', {
        body: { email: 'x@example.com' },
      })
      expectProblem(write, 'read_only_key')
    })

    test('lists keys with their properties but without the key itself', async () => {
      const expiryTimestamp = unixSeconds(h.clock) + 7200
      const { body } = await make({ expiryTimestamp })
      await works(asCaller(body))
      await until('note of the use', async () => (await listed(body.id)).lastUsedTimestamp !== null)
      expect(await listed(body.id)).toEqual({
        id: body.id,
        name: 'siem',
        permission: 'READ_ONLY',
        holder: ada.email,
        start: body.start,
        state: 'ACTIVE',
        creationTimestamp: body.creationTimestamp,
        expiryTimestamp,
        lastUsedTimestamp: unixSeconds(h.clock),
        revokedTimestamp: null,
        replacedBy: null,
      })
      h.clock.advanceMs(2 * hourMs)
      await signIn()
      expect((await listed(body.id)).state).toBe('EXPIRED')
    })

    test.each([
      [{ name: '   ' }, 'name'],
      [{ name: 'a\u0007b' }, 'name'],
      [{ expiryTimestamp: 1000 }, 'expiryTimestamp'],
      [{ holder: 'nobody@example.com' }, 'holder'],
      [{ permission: 'OWNER' }, 'permission'],
      [{ org: 2 }, 'org'],
    ])('rejects a key with %j and names the member', async (more, name) => {
      const { status, body } = await make(more)
      expect(status).toBe(400)
      expect(body.errors).toEqual([expect.objectContaining({ in: 'body', name })])
    })

    test('a rotated key works during the overlap and then stops', async () => {
      const old = (await make()).body
      const { body } = await ada.call('POST', `keys/${old.id}/rotate`, { overlapSeconds: 3600 })
      expect(body).toMatchObject({ name: old.name, permission: old.permission, holder: old.holder })
      expect([await works(asCaller(old)), await works(asCaller(body))]).toEqual([true, true])
      h.clock.advanceMs(hourMs)
      expect([await works(asCaller(old)), await works(asCaller(body))]).toEqual([false, true])
      await signIn()
      expectProblem(await ada.call('POST', `keys/${old.id}/rotate`, { overlapSeconds: 0 }), 'conflict')
    })

    test.each([0, 3600])(
      'rotates a key only once, even concurrently, and then its successor: overlap %i',
      async (overlapSeconds) => {
        const old = (await make({ expiryTimestamp: unixSeconds(h.clock) + 7200 })).body
        const rotate = (id: string) => ada.call('POST', `keys/${id}/rotate`, { overlapSeconds })
        const answers = await Promise.all([rotate(old.id), rotate(old.id), rotate(old.id)])
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
        const next = answers.find(({ status }) => status === 200)?.body
        expect(next.expiryTimestamp - next.creationTimestamp).toBe(7200)
        const refused = await rotate(old.id)
        expectProblem(refused, 'conflict')
        expect(refused.body.message).toContain(next.start)
        expect(await listed(old.id)).toMatchObject({ replacedBy: next.id })
        expect((await rotate(next.id)).status).toBe(200)
      },
    )

    test('does not rotate a key that the role of its holder no longer allows', async () => {
      const bob = await signedIn(h, ada.org, 'FULL_ACCESS')
      const { body } = await make({ holder: bob.email })
      const rotate = () => ada.call('POST', `keys/${body.id}/rotate`, { overlapSeconds: 0 })
      await ada.call('DELETE', `administrators/${bob.id}`, { revokeKeys: false })
      const refused = await rotate()
      expectProblem(refused, 'conflict')
      expect(refused.body.message).toContain(bob.email)
      expect(await works(asCaller(body))).toBe(true)
    })

    test('a revoked key stops working and stays in the list', async () => {
      const { body } = await make()
      expect(await works(asCaller(body))).toBe(true)
      const revoked = await ada.call('DELETE', `keys/${body.id}`)
      expect(revoked.body).toMatchObject({ state: 'REVOKED', revokedTimestamp: unixSeconds(h.clock) })
      h.clock.advanceMs(1000)
      expect(await works(asCaller(body))).toBe(false)
      expect((await ada.call('DELETE', `keys/${body.id}`)).body).toEqual(revoked.body)
    })

    test('counts requests per key and hour, also after they were read', async () => {
      const { body } = await make()
      const other = (await make()).body
      const hours = async (id: string) => (await ada.call('GET', `keys/${id}/requests`)).body.hours
      const hourOf = () => Math.floor(h.clock.nowMs() / hourMs) * 3600
      h.clock.advanceMs(hourMs - (h.clock.nowMs() % hourMs))
      await signIn()
      const first = hourOf()
      for (let at = 0; at < 3; at++) await works(asCaller(body))
      expect(await hours(body.id)).toEqual([{ hourTimestamp: first, requests: 3 }])
      await works(asCaller(body))
      h.clock.advanceMs(hourMs - (h.clock.nowMs() % hourMs))
      await signIn()
      await works(asCaller(body))
      expect(await hours(body.id)).toEqual([
        { hourTimestamp: first, requests: 4 },
        { hourTimestamp: first + 3600, requests: 1 },
      ])
      expect(await hours(other.id)).toEqual([])
    })
  })
}
