import { beforeEach, describe, expect, test } from 'vitest'
import { anExtension } from '../../../../test/support/agent-events.ts'
import { browserFacts } from '../../../../test/support/agents.ts'
import { expectProblem } from '../../../../test/support/answers.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { useObserved } from '../../../../test/support/reporting-browsers.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const o = useObserved(h)
    let owner: SignedIn
    beforeEach(async () => {
      owner = await signedIn(h, o.caller.org)
    })

    const tokens = async () => (await owner.call('GET', 'enrollment-tokens')).body.tokens
    const create = (name: string, who = owner) => who.call('POST', 'enrollment-tokens', { name })
    const enroll = async (token: string, profileEmail: string) =>
      h.app.inject({
        method: 'POST',
        url: '/agent/v1/enrol',
        payload: { token, browser: browserFacts({ profileEmail }) },
      })
    const connection = async (id: string) => (await owner.call('GET', `browsers/${id}/connection`)).body

    test('a token is shown once; its uses are counted, and no browser enrolls after it is revoked', async () => {
      const { body } = await create('laptops')
      expect(body.token).toMatch(/^met_/)
      expect(await tokens()).toEqual([
        {
          id: body.id,
          name: 'laptops',
          creationTimestamp: unixSeconds(h.clock),
          revokedTimestamp: null,
          lastUsedTimestamp: null,
          uses: 0,
        },
      ])
      for (const name of ['one', 'two'])
        expect((await enroll(body.token, `${name}-${o.caller.org}@example.com`)).statusCode).toBe(200)
      const [used] = await tokens()
      expect(used).toMatchObject({ uses: 2, lastUsedTimestamp: unixSeconds(h.clock) })
      expect(JSON.stringify(await owner.call('GET', 'enrollment-tokens'))).not.toContain(body.token)

      expect((await owner.call('DELETE', `enrollment-tokens/${body.id}`)).status).toBe(200)
      expect((await enroll(body.token, `three-${o.caller.org}@example.com`)).statusCode).toBe(409)
      expect((await tokens())[0].revokedTimestamp).toBe(unixSeconds(h.clock))
    })

    test('tokens need full access and recent re-authentication, and stay in their organization', async () => {
      const reader = await signedIn(h, o.caller.org, 'READ_ONLY')
      const { body } = await create('laptops')
      expect((await reader.call('GET', 'enrollment-tokens')).status).toBe(200)
      expectProblem(await create('mine', reader), 'role_too_low')
      const stranger = await signedIn(h, await h.addOrganization(`other-${o.caller.org}`))
      expect((await stranger.call('GET', 'enrollment-tokens')).body.tokens).toEqual([])
      expectProblem(await stranger.call('DELETE', `enrollment-tokens/${body.id}`), 'not_found')
      h.clock.advanceMs(11 * 60_000)
      expectProblem(await create('late'), 'reauthentication_required')
    })

    test('the connection of a browser says why it is dormant', async () => {
      const { browserId, employee } = o.ada
      expect(await connection(browserId)).toEqual({
        credential: 'ACTIVE',
        revokedTimestamp: null,
        dormantBecause: null,
        lastDormantCallTimestamp: null,
        removedAfterDays: 90,
        silent: false,
      })
      await h.call(o.caller, 'PATCH', `/v1/employees/${employee.id}`, { body: { licensed: false } })
      expect(await connection(browserId)).toMatchObject({ dormantBecause: 'NO_LICENSE' })
      const bob = await o.person()
      await h.call(o.caller, 'POST', `/v1/employees/${bob.employee.id}/merge`, {
        body: { employeeIds: [employee.id] },
      })
      expect(await connection(browserId)).toMatchObject({ dormantBecause: 'MERGED' })
      expectProblem(await owner.call('GET', 'browsers/none/connection'), 'not_found')
    })

    test('a revoked browser cannot report; its record stays', async () => {
      const { browserId } = o.ada
      for (const _ of [1, 2])
        expect((await owner.call('POST', `browsers/${browserId}/revoke`)).status).toBe(200)
      expect(await connection(browserId)).toMatchObject({
        credential: 'REVOKED',
        revokedTimestamp: unixSeconds(h.clock),
      })
      await expect(o.ada.send(o.make.visit())).rejects.toThrow('401')
      expect(await o.list('browsers')).toHaveLength(1)
    })

    test('a removed browser is gone with its extensions; its detections stay', async () => {
      const { browserId } = o.ada
      await o.ada.send(o.make.extensions({ extensions: [anExtension()] }), o.make.pageThreat())
      expect((await owner.call('DELETE', `browsers/${browserId}`)).status).toBe(200)
      expect(await o.list('browsers')).toEqual([])
      expect(await o.list('browserExtensions')).toEqual([])
      expect(await o.one('detections')).toMatchObject({ browserId: null })
      await expect(o.ada.send(o.make.visit())).rejects.toThrow('401')
      expectProblem(await owner.call('DELETE', `browsers/${browserId}`), 'not_found')
    })
  })
}
