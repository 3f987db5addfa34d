import { createHash } from 'node:crypto'
import { defaultControls } from '@muster/contract/records/controls'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aBlockedUrl, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { credentialOfBrowser, insertBrowserCredential } from '../browsers/browser-credentials.service.ts'
import { leakedRangeFile, readLeakedRange } from '../credentials/leaked-range.service.ts'
import { findEnrollmentToken } from './enrollment-tokens.service.ts'

const product = {
  appType: 'INTRANET_OF_ACME',
  friendlyName: 'Acme intranet',
  website: 'https://intranet.acme.example',
  description: 'Tells news of Acme to its employees.',
  domains: ['intranet.acme.example'],
  loginHosts: ['intranet.acme.example'],
}

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    const inStore = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      const db = await openStore({ dataDir, databaseUrl }, Math.floor(Date.now() / 1000))
      return work(db).finally(() => db.close())
    }
    const revision = () => inStore((db) => policyRevision(db, 1))
    const set = (change: object, ...more: string[]) =>
      cli.run('controls set', cli.file('change.json', [change]), ...more)

    describe('enrollment-tokens', () => {
      test('create shows the token once and stores its hash', async () => {
        const created = await cli.json('enrollment-tokens create --name laptops')
        expect(created).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'laptops',
          creationTimestamp: expect.any(Number),
          token: expect.stringMatching(/^met_[\w-]{43}$/),
        })
        const stored = await inStore((db) => findEnrollmentToken(db, hashToken(created.token)))
        expect(stored?.id).toBe(created.id)
        expect(JSON.stringify(stored)).not.toContain(created.token.slice(4))
        expect(JSON.stringify(await cli.json('enrollment-tokens list'))).not.toContain(created.token.slice(4))
      })

      test('create prints only the token to standard output', async () => {
        const { code, stdout, stderr } = await cli.run('enrollment-tokens create --name laptops')
        expect(code).toBe(0)
        expect(stdout).toMatch(/^met_[\w-]{43}\n$/)
        expect(stderr).toContain(`{"serverUrl":"https://localhost:8443","enrolmentToken":"${stdout.trim()}"}`)
      })

      test('list shows the tokens of the organization, revoke revokes one', async () => {
        const { id } = await cli.json('enrollment-tokens create --name laptops')
        await cli.run('org add emea')
        expect(await cli.json('enrollment-tokens list --org emea')).toEqual([])
        expect((await cli.run('enrollment-tokens revoke', id, '--org', 'emea')).code).toBe(1)
        expect((await cli.json('enrollment-tokens list'))[0].revokedTimestamp).toBeNull()
        const { code, stdout } = await cli.run('enrollment-tokens revoke', id)
        expect({ code, stdout }).toEqual({
          code: 0,
          stdout: `Revoked the enrollment token laptops (${id}).\n`,
        })
        expect((await cli.run('enrollment-tokens list')).stdout).toMatch(/laptops +revoked/)
        expect((await cli.json('enrollment-tokens list'))[0].revokedTimestamp).toEqual(expect.any(Number))
      })
    })

    describe('controls', () => {
      test('show prints the defaults until something is set', async () => {
        await cli.run('org add emea')
        expect(await cli.json('controls show')).toEqual(defaultControls)
        expect(JSON.parse((await cli.run('controls show')).stdout)).toEqual(defaultControls)
      })

      test('set changes only named members and updates the policy', async () => {
        await set({ clonedLoginPages: { mode: 'BLOCK' }, thresholds: { typedLogins: 3 } })
        const first = await revision()
        expect(first).toBeGreaterThan(0)
        const rules = [{ groups: ['Engineers'], appTypes: ['OKTA'], mode: 'OFF' }]
        const { code } = await set({ clonedLoginPages: { rules }, contact: 'it@example.com' })
        expect(code).toBe(0)
        expect(await cli.json('controls show')).toEqual({
          ...defaultControls,
          clonedLoginPages: { mode: 'BLOCK', rules },
          thresholds: { ...defaultControls.thresholds, typedLogins: 3 },
          contact: 'it@example.com',
        })
        expect(await revision()).toBeGreaterThan(first)
      })

      test('set without a change does not update the policy', async () => {
        await set({ contact: 'it@example.com' })
        const before = await revision()
        expect((await set({ contact: 'it@example.com' })).code).toBe(0)
        expect(await revision()).toBe(before)
      })

      test('set reports all mistakes with the expected values, and changes nothing', async () => {
        const banner = { id: 'a', mode: 'INFORM', title: 'Mind', subtext: '', buttonText: null }
        const { code, stderr } = await set({
          banners: [
            { ...banner, labels: [] },
            { ...banner, appTypes: ['CHATGTP'] },
          ],
          thresholds: { typedLogins: 6 },
        })
        expect(code).toBe(1)
        expect(stderr).toBe(`change.json is invalid. Nothing was changed.
- banners[0].labels must not be empty; leave it out for a rule that applies to all
- banners[1].appTypes[0] must be the token of a product of muster catalog list, not CHATGTP. Did you mean CHATGPT?
- banners[1].id must not be the same as in banners[0]
- thresholds.typedLogins must be between 1 and 5
`)
        expect(await cli.json('controls show')).toEqual(defaultControls)
      })

      test('set rejects unknown members and modes', async () => {
        const { code, stderr } = await set({ phishingTools: { mode: 'STOP' }, contacts: 'x' })
        expect(code).toBe(1)
        expect(stderr).toContain('- phishingTools.mode must be one of OFF, MONITOR, WARN, BLOCK')
        expect(stderr).toContain('- contacts is not a member of this object; it takes protectedPasswords,')
      })

      test('set rejects invalid JSON, other values than objects, and missing files', async () => {
        expect(await cli.run('controls set', cli.file('x.json', ['{']))).toMatchObject({ code: 1 })
        expect((await cli.run('controls set', cli.file('y.json', ['[]']))).stderr).toContain(
          '- controls must be a JSON object',
        )
        expect((await cli.run('controls set', 'nowhere.json')).stderr).toContain(
          'nowhere.json cannot be read: ENOENT',
        )
      })

      test('controls belong to one organization', async () => {
        await cli.run('org add emea')
        await set({ contact: 'it@example.com' }, '--org', 'emea')
        expect((await cli.json('controls show')).contact).toBeNull()
        expect((await cli.json('controls show --org emea')).contact).toBe('it@example.com')
      })
    })

    describe('catalog', () => {
      const add = (value: unknown) => cli.run('catalog add', cli.file('p.json', [JSON.stringify(value)]))

      test('add adds a product, which controls can name then', async () => {
        const { code, stdout } = await add(product)
        expect({ code, stdout }).toEqual({ code: 0, stdout: 'Added to the catalog: INTRANET_OF_ACME.\n' })
        expect(await cli.json('catalog list --own')).toEqual([product])
        const all = await cli.json('catalog list')
        expect(all).toContainEqual(product)
        expect(all.length).toBeGreaterThan(250)
        expect((await set({ protectedAppTypes: ['INTRANET_OF_ACME'] })).code).toBe(0)
        expect(await revision()).toBeGreaterThan(0)
      })

      test('add replaces a product with the same token', async () => {
        await add(product)
        const changed = { ...product, friendlyName: 'The intranet of Acme' }
        expect((await add([changed])).code).toBe(0)
        expect(await cli.json('catalog list --own')).toEqual([changed])
      })

      test('add reports all mistakes of schema and content, and adds nothing', async () => {
        const shapes = await add([
          { ...product, appType: 'intranet' },
          { ...product, domains: [] },
        ])
        expect(shapes.code).toBe(1)
        expect(shapes.stderr).toContain('- products[0].appType must match')
        expect(shapes.stderr).toContain('- products[1].domains must have at least 1 element')
        const sense = await add({ ...product, domains: ['intranet.acme.example', 'slack.com'] })
        expect(sense.stderr).toContain(
          '- products INTRANET_OF_ACME: the domain slack.com is there already, of SLACK',
        )
        expect(await cli.json('catalog list --own')).toEqual([])
      })

      test('remove removes only added products', async () => {
        await add(product)
        expect((await cli.run('catalog remove SLACK')).stderr).toContain('has not added a product "SLACK"')
        expect((await cli.run('catalog remove INTRANET_OF_ACM')).stderr).toContain(
          'Did you mean INTRANET_OF_ACME?',
        )
        expect((await cli.run('catalog remove INTRANET_OF_ACME')).code).toBe(0)
        expect(await cli.json('catalog list --own')).toEqual([])
      })

      test('remove rejects a product that the controls name, and says where', async () => {
        await add(product)
        const appTypes = ['INTRANET_OF_ACME']
        const rules = [{ mode: 'OFF' }, { appTypes: ['SLACK', ...appTypes], mode: 'WARN' }]
        const banner = { id: 'news', appTypes, mode: 'INFORM', title: 'News', subtext: '', buttonText: null }
        const named = {
          protectedAppTypes: ['OKTA', ...appTypes],
          phishingTools: { rules },
          banners: [banner],
        }
        expect((await set(named)).code).toBe(0)
        const { code, stderr } = await cli.run('catalog remove INTRANET_OF_ACME')
        expect(code).toBe(1)
        expect(stderr).toContain(
          'phishingTools.rules[1].appTypes[1], banners[0].appTypes[0], protectedAppTypes[1]',
        )
        expect(await cli.json('catalog list --own')).toEqual([product])
        await set({ protectedAppTypes: null, phishingTools: { rules: [] }, banners: [] })
        expect((await cli.run('catalog remove INTRANET_OF_ACME')).code).toBe(0)
        expect((await set({ contact: 'security@acme.example' })).code).toBe(0)
      })
    })

    test('browsers revoke revokes the credential of a browser of the organization', async () => {
      await cli.run('org add emea')
      const credential = { org: 1, browserId: 'b1', employeeId: 'e1', hash: 'h', creationTimestamp: 1 }
      await inStore((db) => db.inTransaction((tx) => insertBrowserCredential(tx, credential)))
      const stored = () => inStore((db) => credentialOfBrowser(db, 1, 'b1'))
      expect((await cli.run('browsers revoke b1 --org emea')).code).toBe(1)
      expect((await stored())?.revokedTimestamp).toBeNull()
      expect((await cli.run('browsers revoke b1')).code).toBe(0)
      expect((await stored())?.revokedTimestamp).toEqual(expect.any(Number))
      expect((await cli.run('browsers revoke b2')).stderr).toContain('No enrolled browser "b2"')
    })

    test('an import of policy data updates the policy once', async () => {
      const [example, other] = [aBlockedUrl(), anApp()]
      await cli.run('import', cli.file('employees.jsonl', [anEmployee()]))
      expect(await revision()).toBe(0)
      await cli.run('import', cli.file('blockedUrls.jsonl', [example]))
      const first = await revision()
      expect(first).toBeGreaterThan(0)
      await cli.run('import', cli.file('blockedUrls.jsonl', [example]))
      expect(await revision()).toBe(first)
      await cli.run('import', cli.file('apps.jsonl', [other]))
      expect(await revision()).toBeGreaterThan(first)
    })

    describe('range load', () => {
      const hash = createHash('sha1').update('password').digest('hex').toUpperCase()

      test('loads a list and updates the policies of all browsers', async () => {
        await cli.run('org add emea')
        const file = cli.file('leaked.txt', [`${hash}:37`, `${'F'.repeat(40)}:1`])
        expect(await cli.json('range load', file)).toEqual({ passwords: 2, repeated: 0 })
        expect(await readLeakedRange(leakedRangeFile(cli.dataDir), '5BAA6')).toEqual([
          { suffix: hash.slice(5), count: 37 },
        ])
        for (const org of [1, 2]) expect(await inStore((db) => policyRevision(db, org))).toBeGreaterThan(0)
      })

      test('rejects a missing file and invalid lines, with the line number', async () => {
        const wrong = await cli.run('range load', cli.file('leaked.txt', [`${hash}:37`, 'password:1']))
        expect(wrong.code).toBe(1)
        expect(wrong.stderr).toContain('leaked.txt: Line 2 must be a SHA-1')
        const missing = await cli.run('range load', 'nowhere.txt')
        expect(missing.stderr).toContain('nowhere.txt cannot be loaded: ENOENT')
        expect(await readLeakedRange(leakedRangeFile(cli.dataDir), '5BAA6')).toBeUndefined()
      })
    })
  })
}
