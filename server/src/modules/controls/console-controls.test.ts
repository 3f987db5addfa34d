import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { defaultControls } from '@muster/contract/records/controls'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { auditEventsDuring } from '../../../../test/support/audit.ts'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aBrowser, aBrowserExtension, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let ada: SignedIn
    let reader: SignedIn
    let stranger: SignedIn

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org, 'FULL_ACCESS')
      reader = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
    })

    const state = async (who = ada) => (await who.call('GET', 'controls')).body
    const change = async (part: object, seen?: string) =>
      ada.call('PATCH', 'controls', { seen: seen ?? (await state()).version, change: part })

    describe('the controls', () => {
      test('are the defaults until changed by member, which updates the policy', async () => {
        expect((await state()).controls).toEqual(defaultControls)
        const before = await policyRevision(h.db, ada.org)
        const { status, body } = await change({ contact: 'security@example.com', restrictedWords: ['acme'] })
        expect(status).toBe(200)
        expect(body.controls).toEqual({
          ...defaultControls,
          contact: 'security@example.com',
          restrictedWords: ['acme'],
        })
        expect(await state()).toEqual(body)
        expect(await policyRevision(h.db, ada.org)).toBeGreaterThan(before)
      })

      test('reject a change that is based on an old version', async () => {
        const { version } = await state()
        expect((await change({ contact: 'one@example.com' })).status).toBe(200)
        expectProblem(await change({ contact: 'two@example.com' }, version), 'conflict')
        expect((await state()).controls.contact).toBe('one@example.com')
      })

      test('reject invalid values with all mistakes', async () => {
        const before = await state()
        const rule = { appTypes: ['NO_SUCH_APP'], groups: [], mode: 'BLOCK' }
        const answer = await change({ clonedLoginPages: { mode: 'WARN', rules: [rule] } })
        expect(answer.status).toBe(400)
        expect(answer.body.errors.map(({ name }: { name: string }) => name)).toEqual([
          'clonedLoginPages.rules[0].groups',
          'clonedLoginPages.rules[0].appTypes[0]',
        ])
        for (const wrong of [
          { clonedLoginPages: { mode: 'EXPLODE', rules: [] } },
          { thresholds: { ...defaultControls.thresholds, typedLogins: 6 } },
          { nope: 1 },
        ])
          expect((await change(wrong)).status).toBe(400)
        expect(await state()).toEqual(before)
      })

      test('can be read by the organization and changed only by its editors', async () => {
        expect(await state(reader)).toEqual(await state())
        const body = { seen: (await state()).version, change: { contact: null } }
        expectProblem(await reader.call('PATCH', 'controls', body), 'role_too_low')
        expect((await state(stranger)).controls).toEqual(defaultControls)
        expectProblem(await stranger.call('PATCH', 'controls', body), 'conflict')
      })

      test('audit added and removed elements, also of long lists', async () => {
        const ids = Array.from({ length: 300 }, (_, at) => `extension-${at}`.padEnd(32, 'x'))
        const auditAfter = async (blockedExtensionIds: string[]) => {
          const [event] = await auditEventsDuring(h.db, ada.org, () => change({ blockedExtensionIds }))
          return event?.new
        }
        const changed = (old: unknown, now: readonly string[]) => ({
          setting: 'controls',
          changes: [{ name: 'blockedExtensionIds', old, new: now }],
        })
        await auditAfter(ids)
        expect(await auditAfter([...ids, 'one-more'])).toEqual(changed([], ['one-more']))
        expect(await auditAfter(['another', ...ids])).toEqual(changed(['one-more'], ['another']))
        expect(await auditAfter([])).toEqual(changed(['another', ...ids.slice(0, 285)], []))
        expect(await auditAfter(['short'])).toEqual(changed([], ['short']))
        expect(await auditAfter(['short', 'two'])).toEqual(changed(['short'], ['short', 'two']))
        await change({ blockedExtensionIds: [] })
      })

      test('offer products of the catalog, and groups and labels of the organization only', async () => {
        await put(h, ada.org, employees, [
          anEmployee({ groups: ['Sales', 'Leads'] }),
          anEmployee({ groups: ['Leads'] }),
        ])
        await put(h, ada.org, apps, [anApp({ labels: ['GenAI'] })])
        const { products, groups, labels } = (await reader.call('GET', 'controls/choices')).body
        expect(groups).toEqual(['Leads', 'Sales'])
        expect(labels).toEqual(['genai'])
        expect(products).toContainEqual({ appType: 'OKTA', friendlyName: 'Okta', identityProvider: true })
        expect((await stranger.call('GET', 'controls/choices')).body).toMatchObject({
          groups: [],
          labels: [],
        })
      })
    })

    test('counts licensed employees and their browsers in a scope, of the organization only', async () => {
      const { org } = await signedIn(h, await h.addOrganization('reach'))
      const who = await signedIn(h, org, 'READ_ONLY')
      const licensed = true
      const one = anEmployee({ licensed, groups: ['Sales'] })
      const other = anEmployee({ licensed, groups: ['Sales', 'Leads'] })
      const third = anEmployee({ licensed })
      // Browsers of unlicensed employees are dormant, so no control reaches them.
      const unlicensed = anEmployee({ groups: ['Sales'] })
      await put(h, org, employees, [one, other, third, unlicensed])
      await put(h, org, browsers, [
        aBrowser({ employeeId: one.id, isActive: true }),
        aBrowser({ employeeId: one.id, isActive: false }),
        aBrowser({ employeeId: other.id, isActive: true }),
        aBrowser({ employeeId: third.id, isActive: true }),
        aBrowser({ employeeId: unlicensed.id, isActive: true }),
      ])
      await put(h, org, apps, [
        anApp({ type: 'OKTA', labels: ['GenAI'] }),
        anApp({ type: 'ZAPIER', labels: [], approvalStatus: 'NOT_APPROVED' }),
      ])
      const reach = async (scope: object) => (await who.call('POST', 'controls/reach', scope)).body
      expect(await reach({})).toEqual({ employees: 3, allEmployees: 3, browsers: 3, apps: 2 })
      expect(await reach({ groups: ['Sales'], labels: ['genai'] })).toEqual({
        employees: 2,
        allEmployees: 3,
        browsers: 2,
        apps: 1,
      })
      expect(await reach({ groups: ['Sales'], employeeIds: [one.id], appTypes: ['GITHUB'] })).toEqual({
        employees: 1,
        allEmployees: 3,
        browsers: 1,
        apps: 0,
      })
      expect((await stranger.call('POST', 'controls/reach', { employeeIds: [one.id] })).body).toEqual({
        employees: 0,
        allEmployees: 0,
        browsers: 0,
        apps: 0,
      })
      expect((await who.call('POST', 'controls/reach', { groups: 'Sales' })).status).toBe(400)
    })

    test('counts installations of extensions in the requested order', async () => {
      const known = aBrowserExtension({ extensionId: 'a'.repeat(32), name: 'Helper' })
      await put(h, ada.org, browserExtensions, [
        known,
        aBrowserExtension({ extensionId: 'a'.repeat(32), name: 'Helper' }),
      ])
      const request = { extensionIds: ['b'.repeat(32), 'a'.repeat(32)] }
      const answer = await reader.call('POST', 'controls/extensions', request)
      expect(answer.body.extensions).toEqual([
        { extensionId: 'b'.repeat(32), name: '', browsers: 0 },
        { extensionId: 'a'.repeat(32), name: 'Helper', browsers: 2 },
      ])
      const strange = (await stranger.call('POST', 'controls/extensions', request)).body.extensions
      expect(strange[1]).toEqual({
        extensionId: 'a'.repeat(32),
        name: '',
        browsers: 0,
      })
    })

    describe('blocked URLs', () => {
      const listed = async (who = ada) =>
        (await who.call('GET', 'lists/blockedUrls')).body.records as { id: string; url: string }[]
      const add = (patterns: string[], who = ada) => who.call('POST', 'blocked-urls', { patterns })

      test('are added in bulk without duplicates; invalid ones are reported by index', async () => {
        const { status, body } = await add(['Example.NET', 'http://', 'example.net', '*.bad.example/a*', '*'])
        expect(status).toBe(200)
        expect(body).toMatchObject({ added: 2, known: 1 })
        expect(body.refused).toEqual([
          { index: 1, pattern: 'http://', message: expect.stringContaining('host'), publicSuffix: false },
          { index: 4, pattern: '*', message: expect.stringContaining('host'), publicSuffix: false },
        ])
        expect((await listed()).map(({ url }) => url).sort()).toEqual(['*.bad.example/a*', 'example.net'])
        expect((await add(['example.net'])).body).toEqual({ added: 0, known: 1, refused: [] })
      })

      test('of a public suffix are reported, and added after confirmation', async () => {
        const patterns = ['*.com', 'plain.example', 'a.example/\u202egpj']
        const { body } = await add(patterns)
        expect(body).toMatchObject({ added: 1, known: 0 })
        expect(body.refused).toEqual([
          {
            index: 0,
            pattern: '*.com',
            publicSuffix: true,
            message: 'must not block every site under .com, unless allowPublicSuffix is true',
          },
          {
            index: 2,
            pattern: patterns[2],
            publicSuffix: false,
            message: 'must not have control characters or spaces in its path',
          },
        ])
        const confirmed = { patterns: ['*.com'], allowPublicSuffix: true }
        expect((await ada.call('POST', 'blocked-urls', confirmed)).body).toMatchObject({
          added: 1,
          refused: [],
        })
      })

      test('are deleted by ID in the organization', async () => {
        await add(['gone.example'])
        const before = await policyRevision(h.db, ada.org)
        const gone = (await listed()).find(({ url }) => url === 'gone.example')
        const path = `blocked-urls/${gone?.id}`
        expectProblem(await stranger.call('DELETE', path), 'not_found')
        expectProblem(await reader.call('DELETE', path), 'role_too_low')
        expect((await ada.call('DELETE', path)).body).toEqual(gone)
        expectProblem(await ada.call('DELETE', path), 'not_found')
        expectProblem(await ada.call('DELETE', 'blocked-urls/nonsense'), 'not_found')
        expect((await listed()).map(({ url }) => url)).not.toContain('gone.example')
        expect(await policyRevision(h.db, ada.org)).toBeGreaterThan(before)
      })

      test('are not added by readers, in other organizations, or above the limit', async () => {
        expectProblem(await add(['a.example'], reader), 'role_too_low')
        expect((await add(Array.from({ length: 501 }, (_, at) => `h${at}.example`))).status).toBe(400)
        expect((await add([])).status).toBe(400)
        expect(await listed(stranger)).toEqual([])
      })
    })

    test('counts only stolen credentials of the organization', async () => {
      const of = (email: string, digit: string) => ({ email, passwordSha1: digit.repeat(40) })
      const credentials = [of('a@example.com', '1'), of('a@example.com', '2'), of('b@example.com', '1')]
      const added = await ada.call('POST', 'records/controls/stolenCredentials', { credentials })
      expect(added.body).toEqual({ count: 3, duplicates: 0 })
      expect((await reader.call('GET', 'stolen-credentials')).body).toEqual({ count: 3, addresses: 2 })
      expect((await stranger.call('GET', 'stolen-credentials')).body).toEqual({ count: 0, addresses: 0 })
    })
  })
}
