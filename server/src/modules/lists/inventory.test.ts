import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apps } from '@muster/contract/records/app'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { goodPassword, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aBrowserExtension, anApp, anEmployee, put, unknownId } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { getRecordsByIds, removeRecord, updateRecord } from '../../kernel/store/records.ts'

const store = 'https://clients2.google.com/service/update2/crx'

for (const name of STORES) {
  describe(name, () => {
    const h = useHarness(name)
    let ada: SignedIn
    let bob: SignedIn
    let stranger: SignedIn
    const person = anEmployee({ email: 'eve@example.com' })
    const [one, two] = [unknownId(), unknownId()]
    const install = (members: object) =>
      aBrowserExtension({
        extensionId: 'cookie',
        name: 'Cookie Editor',
        employeeId: one,
        version: '1.0',
        updateUrl: store,
        permissions: ['cookies'],
        hostPermissions: [],
        enabled: true,
        deploymentMode: 'MANUAL',
        creationTimestamp: 1_763_000_000,
        ...members,
      })
    const note = install({ extensionId: 'note', name: 'Notes', permissions: ['storage'] })

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      ada = await signedIn(h, org)
      bob = await signedIn(h, org, 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
      await put(h, org, employees, [person])
      await put(h, org, browserExtensions, [
        install({}),
        install({ version: '1.1', enabled: false, permissions: ['cookies', 'tabs'] }),
        install({ employeeId: two, version: '1.1', hostPermissions: ['https://*/*'], updateUrl: null }),
        note,
      ])
    })

    const counting = async (who = bob) => (await who.call('GET', 'extension-counting')).body
    let countedSince = 0
    /** Returns the groups after the count that a request starts has finished. */
    const groups = async (query = '', who = bob) => {
      const look = () => who.call('GET', `lists/extensionGroups?sort=-browsers${query}`)
      await until('counts of extensions', async () => {
        await look()
        const { running, countedTimestamp } = await counting(who)
        return countedTimestamp !== null && countedTimestamp >= countedSince && !running
      })
      return (await look()).body.records
    }
    const idsOf = async (query: string) => (await groups(query)).map(({ id }: { id: string }) => id)
    /** Advances past the minimum interval between counts, whatever its duration. All sessions expire. */
    const later = async () => {
      h.clock.advanceMs(60 * 60_000)
      countedSince = unixSeconds(h.clock)
      for (const who of [ada, bob, stranger])
        await who.call('POST', 'sign-in', { email: who.email, password: goodPassword })
    }

    test('an extension is listed once for all browsers, with its installations and combined permissions', async () => {
      const [cookie, notes] = await groups()
      expect(cookie).toEqual({
        id: 'cookie',
        extensionId: 'cookie',
        name: 'Cookie Editor',
        description: expect.any(String),
        browsers: 3,
        enabledBrowsers: 2,
        people: 2,
        versionCount: 2,
        versions: [
          { version: '1.1', browsers: 2 },
          { version: '1.0', browsers: 1 },
        ],
        permissions: ['cookies', 'tabs'],
        permissionCount: 2,
        hostPermissions: ['https://*/*'],
        hostPermissionCount: 1,
        hostReach: 'EVERY_SITE',
        risk: 'HIGH',
        riskScore: 210,
        source: 'STORE',
        deploymentModes: ['MANUAL'],
        blocked: false,
        creationTimestamp: 1_763_000_000,
      })
      expect(notes).toMatchObject({ id: 'note', risk: 'LOW', hostReach: 'NO_SITE', browsers: 1, people: 1 })
      expect(await counting()).toEqual({ countedTimestamp: expect.any(Number), running: false })
    })

    test('finds extensions by name, risk, reach and permission, and sorts them by installations and capability', async () => {
      expect(await idsOf('&search=EDITOR')).toEqual(['cookie'])
      expect(await idsOf('&risk=LOW')).toEqual(['note'])
      expect(await idsOf('&hostReach=EVERY_SITE')).toEqual(['cookie'])
      expect(await idsOf('&permissions=tabs')).toEqual(['cookie'])
      expect(await idsOf('&browsersAtLeast=2')).toEqual(['cookie'])
      const sorted = await bob.call('GET', 'lists/extensionGroups?sort=riskScore&limit=1')
      expect(sorted.body.records[0].id).toBe('note')
      const next = await bob.call('GET', `lists/extensionGroups?sort=riskScore&cursor=${sorted.body.cursor}`)
      expect(next.body.records.map(({ id }: { id: string }) => id)).toEqual(['cookie'])
      expect((await bob.call('GET', 'lists/extensionGroups/count')).body).toEqual({ count: 2, more: false })
      expect((await stranger.call('GET', 'lists/extensionGroups')).body.records).toEqual([])
    })

    test('returns the page to change a password of an app of the own organization only', async () => {
      const [known, unknown] = [
        anApp({ type: 'GITHUB', website: 'https://github.com' }),
        anApp({ type: 'ZAPIER', website: 'https://zapier.com' }),
      ]
      await put(h, bob.org, apps, [known, unknown])
      const pageOf = (id: string, who = bob) => who.call('GET', `apps/${id}/password-page`)
      expect((await pageOf(known.id)).body).toEqual({
        url: 'https://github.com/settings/security',
        changesPassword: true,
      })
      expect((await pageOf(unknown.id)).body).toEqual({ url: 'https://zapier.com', changesPassword: false })
      expectProblem(await pageOf(known.id, stranger), 'not_found')
      expectProblem(await pageOf(unknownId()), 'not_found')
    })

    test('a truncated description does not hide other extensions', async () => {
      const who = await signedIn(h, await h.addOrganization('long'))
      const long = install({ extensionId: 'long', description: `x${'😀'.repeat(1100)}` })
      await put(h, who.org, browserExtensions, [long, note])
      expect((await groups('', who)).map(({ id }: { id: string }) => id).sort()).toEqual(['long', 'note'])
      for (const [text, id] of [
        ['editor', 'long'],
        ['notes', 'note'],
      ]) {
        const { status, body } = await who.call('GET', `lists/extensionGroups?search=${text}`)
        expect(status).toBe(200)
        expect(body.records).toEqual([expect.objectContaining({ id })])
      }
    })

    test('a block shows at once; installations and removals show after the next count', async () => {
      const block = async (ids: string[]) => {
        const { version } = (await ada.call('GET', 'controls')).body
        const body = { seen: version, change: { blockedExtensionIds: ids } }
        expect((await ada.call('PATCH', 'controls', body)).status).toBe(200)
      }
      await block(['note', 'nobody-has-it'])
      expect(await idsOf('&blocked=true')).toEqual(['note'])
      await block([])
      expect(await idsOf('&blocked=true')).toEqual([])

      await put(h, ada.org, browserExtensions, [install({ extensionId: 'new', name: 'New' })])
      await h.db.inTransaction(async (tx) => {
        for (const stored of await getRecordsByIds(tx, browserExtensions, ada.org, [note.id]))
          await removeRecord(tx, browserExtensions, ada.org, stored)
      })
      await later()
      expect((await idsOf('')).sort()).toEqual(['cookie', 'new'])
    })

    test('finds installations by their name and extension ID, also by a later name', async () => {
      const found = async (text: string) => {
        const query = `search=${encodeURIComponent(text)}&sort=creationTimestamp`
        const { records } = (await bob.call('GET', `lists/browserExtensions?${query}`)).body
        return records.map(({ name: title }: { name: string }) => title)
      }
      const long = `${'ß'.repeat(255)}_ tail`
      const [odd, renamed] = [install({ extensionId: 'ODD-id', name: long }), install({ name: 'Before' })]
      await put(h, ada.org, browserExtensions, [odd])
      await put(h, ada.org, browserExtensions, [renamed, install({ name: 'Cookie EDITOR 2' })])
      expect(await found('cookie editor 2')).toEqual(['Cookie EDITOR 2'])
      expect(await found('2 cookie')).toEqual(['Cookie EDITOR 2'])
      expect(await found('ß odd')).toEqual([long])
      expect(await found('odd-ID')).toEqual([long])
      expect(await found('ßß_')).toEqual([long])
      expect(await found('before')).toEqual(['Before'])
      await h.db.inTransaction(async (tx) => {
        for (const stored of await getRecordsByIds(tx, browserExtensions, ada.org, [renamed.id])) {
          const record = { ...stored.record, name: '100% "After"' }
          await updateRecord(tx, browserExtensions, ada.org, stored, { record })
        }
      })
      expect(await found('before')).toEqual([])
      expect(await found('% "after"')).toEqual(['100% "After"'])
      expect(await found('nobody has it')).toEqual([])
      const { body } = await stranger.call('GET', 'lists/browserExtensions?search=cookie')
      expect(body.records).toEqual([])
      const count = await bob.call('GET', 'lists/browserExtensions/count?search=100%25')
      expect(count.body).toEqual({ count: 1, more: false })
    })

    test('mails an enrollment link to the employee, with a rate limit', async () => {
      const mail = () => ada.call('POST', 'enrollment-mails', { employeeId: person.id })
      const { status, body } = await mail()
      expect(status).toBe(200)
      expect(body).toMatchObject({ email: person.email, sentBy: 'FILE' })
      const folder = join(h.dataDir, 'mail')
      const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      const sent = texts.filter((text) => text.includes(`To: ${person.email}`))
      expect(sent).toHaveLength(1)
      expect(sent[0]).toContain('Connect your browser to default')
      const page = await h.app.inject({ method: 'GET', url: new URL(body.link).pathname })
      expect(page.statusCode).toBe(200)

      expect((await mail()).status).toBe(200)
      expect((await mail()).status).toBe(200)
      const refused = await mail()
      expectProblem(refused, 'rate_limited')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expectProblem(await stranger.call('POST', 'enrollment-mails', { employeeId: person.id }), 'not_found')
      expectProblem(await bob.call('POST', 'enrollment-mails', { employeeId: person.id }), 'role_too_low')
    })
  })
}
