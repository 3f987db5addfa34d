import type { AuditEntry } from '@muster/contract/console/console-audit'
import { sharedFiltersMaximum } from '@muster/contract/console/search/console-saved-filters'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let bob: SignedIn
    let eve: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org)
      bob = await signedIn(h, org, 'FULL_ACCESS')
      eve = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
    })

    const save = (who: SignedIn, name: string, more: object = {}) =>
      who.call('POST', 'saved-filters', { list: 'accounts', name, query: 'search=a', ...more })
    const named = async (who: SignedIn) => (await who.call('GET', 'saved-filters')).body.filters
    const names = async (who: SignedIn) => (await named(who)).map(({ name }: { name: string }) => name)
    const change = (who: SignedIn, id: string, body: object) => who.call('PATCH', `saved-filters/${id}`, body)
    const remove = (who: SignedIn, id: string) => who.call('DELETE', `saved-filters/${id}`)
    const sharingEvents = async () => {
      const { body } = await ada.call('GET', 'audit?object=SETTING_UPDATED&limit=100')
      const settings = (body.records as AuditEntry[]).map(
        ({ event }) => 'setting' in event.new && event.new.setting,
      )
      return settings.filter((setting) => setting === 'shared filters').length
    }

    test('each administrator has their own saved filters, up to a maximum, and they are not audited', async () => {
      const first = (await save(eve, ' Mine ')).body
      expect(first).toMatchObject({
        list: 'accounts',
        name: 'Mine',
        query: 'search=a',
        shared: false,
        own: true,
      })
      expect((await save(eve, 'Mine', { query: 'search=b' })).body).toEqual({ ...first, query: 'search=b' })
      expect(await named(eve)).toHaveLength(1)
      expect(await named(ada)).toEqual([])
      expectProblem(await remove(ada, first.id), 'not_found')
      expectProblem(await change(ada, first.id, { name: 'x' }), 'not_found')
      expect((await save(eve, 'x', { list: 'nothing' })).status).toBe(400)

      for (let at = 1; at < 100; at++) await save(eve, `Filter ${at}`)
      expectProblem(await save(eve, 'One more'), 'conflict')
      expect((await save(eve, 'Filter 7', { query: 'search=c' })).status).toBe(200)
      expect((await remove(eve, first.id)).status).toBe(200)
      expect((await save(eve, 'One more')).status).toBe(200)
      expect(await sharingEvents()).toBe(0)
    })

    test('a shared filter is seen by all administrators of the organization, with its owner', async () => {
      const { id } = (await save(bob, 'Without MFA', { shared: true })).body
      const seen = (await named(ada)).find((one: { id: string }) => one.id === id)
      expect(seen).toMatchObject({
        name: 'Without MFA',
        shared: true,
        own: false,
        ownerName: expect.any(String),
      })
      expect(await names(eve)).toContain('Without MFA')
      expect(await named(stranger)).toEqual([])
      expectProblem(await remove(stranger, id), 'not_found')
      expect(await sharingEvents()).toBe(1)
      await change(bob, id, { shared: false })
      expect(await names(ada)).not.toContain('Without MFA')
      expect(await sharingEvents()).toBe(2)
      expect((await remove(bob, id)).status).toBe(200)
      expect(await sharingEvents()).toBe(2)
    })

    test('its owner and administrators with full access change it, others do not', async () => {
      expectProblem(await save(eve, 'Filter 8', { shared: true }), 'role_too_low')
      const { id } = (await save(bob, 'Shared', { shared: true })).body
      for (const refused of [await change(eve, id, { query: 'search=z' }), await remove(eve, id)])
        expectProblem(refused, 'role_too_low')
      expect((await change(ada, id, { name: 'Renamed', query: 'search=d' })).body).toMatchObject({
        name: 'Renamed',
        query: 'search=d',
        own: false,
      })
      await save(bob, 'Personal')
      expectProblem(await change(ada, id, { name: 'Personal' }), 'conflict')
      expect((await remove(ada, id)).status).toBe(200)
      expect(await names(bob)).toEqual(['Personal'])
    })

    test('an organization shares a limited number of filters', async () => {
      const owners = await Promise.all([1, 2, 3].map(() => signedIn(h, stranger.org)))
      const all = Array.from({ length: sharedFiltersMaximum }, (_, at) => at)
      for (const at of all) await save(owners[at % 3] as SignedIn, `Filter ${at}`, { shared: true })
      expectProblem(await save(stranger, 'One more', { shared: true }), 'conflict')
      expect(await named(stranger)).toHaveLength(sharedFiltersMaximum)
    })

    test('shared filters stay when their owner is removed, personal ones do not', async () => {
      const { id } = (await save(bob, 'Team', { shared: true })).body
      await save(bob, 'Secret')
      expect((await ada.call('DELETE', `administrators/${bob.id}`, { revokeKeys: false })).status).toBe(200)
      const left = await h.db.all('SELECT name FROM saved_filters WHERE administrator_id = ?', [bob.id])
      expect(left).toEqual([{ name: 'Team' }])
      const orphan = (await named(ada)).find((one: { id: string }) => one.id === id)
      expect(orphan).toMatchObject({ shared: true, own: false, ownerName: null })
      expectProblem(await change(ada, id, { shared: false }), 'conflict')
      expect((await change(ada, id, { query: 'search=e' })).status).toBe(200)
      expect((await remove(ada, id)).status).toBe(200)
    })
  })
}
