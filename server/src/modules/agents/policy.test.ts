import { gunzipSync } from 'node:zlib'
import { products } from '@muster/contract/catalog/products'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import type { Controls } from '@muster/contract/records/controls'
import { employees } from '@muster/contract/records/employee'
import { describe, expect, test } from 'vitest'
import { addLicensed, asBrowser, enrollBrowser } from '../../../../test/support/agents.ts'
import { aBlockedUrl, anApp, anAppOther, anEmployee, put } from '../../../../test/support/fixtures.ts'
import {
  type Caller,
  type HarnessResponse,
  startHarness,
  useHarness,
} from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../kernel/lib/secrets/secret.ts'
import { givenOrganizationName } from '../../kernel/organizations/organizations.ts'
import { removeAllRecords } from '../../kernel/store/records.ts'
import { removeCatalogProduct } from '../catalog/catalog-products.service.ts'
import { addCatalogProducts } from '../catalog/change-catalog.ts'
import { changeControls } from '../controls/change-controls.ts'
import { insertStolenCredentials } from '../credentials/stolen-credentials.service.ts'

const banner = {
  id: 'genai',
  mode: 'INFORM',
  title: 'Mind',
  subtext: 'Take care.',
  buttonText: null,
} as const
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
    const h = useHarness(store)

    /** An organization with one employee's browser. */
    async function setUp(members: Parameters<typeof addLicensed>[2] = {}) {
      const caller = await h.addCaller()
      const employee = await addLicensed(h, caller, members)
      const { credential, policyVersion } = await enrollBrowser(h, caller, employee.id)
      const get = (headers: Record<string, string> = {}): Promise<HarnessResponse> =>
        asBrowser(h, credential, 'GET', '/policy', { headers })
      return { caller, employee, credential, policyVersion, get, v1: `/v1/employees/${employee.id}` }
    }
    const control = ({ org }: Caller, change: Partial<Controls>) =>
      h.db.inTransaction((tx) => changeControls(tx, org, change, unixSeconds(h.clock)))

    test('a browser of a new organization gets the default policy', async () => {
      const { employee, get, policyVersion } = await setUp()
      const answer = await get()
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        etag: `"${policyVersion}"`,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
      const protection = { mode: 'MONITOR', byApp: {} }
      const providers = products.filter(({ identityProvider }) => identityProvider !== undefined)
      expect(answer.body).toEqual({
        version: policyVersion,
        heartbeatSeconds: 300,
        organizationName: expect.any(String),
        contact: null,
        blockedUrls: [],
        protectedPasswords: protection,
        protectedAppTypes: providers.map(({ appType }) => appType),
        clonedLoginPages: protection,
        phishingTools: protection,
        maliciousCopyPaste: protection,
        banners: [],
        blockedExtensionIds: [],
        badExtensions: [],
        restrictedWords: [],
        leakedLookup: false,
        stolenCredentials: [],
        workIdentities: [`@${employee.email.split('@')[1]}`],
        products: [],
      })
    })

    test('returns 304 without a body if the browser has the version', async () => {
      const { get, policyVersion } = await setUp()
      for (const tag of [`"${policyVersion}"`, `W/"${policyVersion}"`, `"old", "${policyVersion}"`]) {
        const { status, text, headers } = await get({ 'if-none-match': tag })
        expect({ status, text, etag: headers.etag }).toEqual({
          status: 304,
          text: '',
          etag: `"${policyVersion}"`,
        })
      }
      expect((await get({ 'if-none-match': policyVersion })).status).toBe(200)
      expect((await get({ 'if-none-match': '"0-0"' })).status).toBe(200)
    })

    test('a policy contains only blocked URLs, controls, banners and products of its organization', async () => {
      const { caller, get } = await setUp()
      const other = await setUp()
      const { id, url } = (
        await h.call(caller, 'POST', '/v1/controls/blockedUrls', { body: { url: 'https://Bad.example/*' } })
      ).body
      await put(h, caller.org, apps, [anApp({ type: 'CHATGPT', approvalStatus: 'NOT_APPROVED' })])
      await put(h, caller.org, appsOther, [anAppOther({ domain: 'wiki.acme.example' })])
      await control(caller, {
        banners: [{ ...banner, approvalStatuses: ['NOT_APPROVED'] }],
        blockedExtensionIds: ['aaaa'],
        badExtensions: [{ extensionId: 'bbbb', risk: 'HIGH' }],
        restrictedWords: ['acme'],
        contact: 'security@acme.example',
        protectedAppTypes: ['OKTA'],
      })
      await h.db.inTransaction((tx) => addCatalogProducts(tx, caller.org, product, 1))
      expect((await get()).body).toMatchObject({
        blockedUrls: [{ id, url }],
        banners: [
          {
            id: 'genai',
            appType: 'CHATGPT',
            domain: null,
            mode: 'INFORM',
            title: 'Mind',
            subtext: 'Take care.',
            buttonText: null,
          },
        ],
        blockedExtensionIds: ['aaaa'],
        badExtensions: [{ extensionId: 'bbbb', risk: 'HIGH' }],
        restrictedWords: ['acme'],
        contact: 'security@acme.example',
        protectedAppTypes: ['OKTA'],
        products: [
          {
            appType: product.appType,
            friendlyName: product.friendlyName,
            domains: product.domains,
            loginHosts: product.loginHosts,
          },
        ],
      })
      expect((await other.get()).body).toMatchObject({
        blockedUrls: [],
        banners: [],
        contact: null,
        products: [],
      })
    })

    test('an unnamed organization has an empty name', async () => {
      const unnamed = await h.addOrganization('default')
      const named = await h.addOrganization('Acme Works')
      expect(await givenOrganizationName(h.db, unnamed)).toBeNull()
      expect(await givenOrganizationName(h.db, named)).toBe('Acme Works')
    })

    test('an added identity provider includes all members that browsers need to recognize it', async () => {
      const { caller, get } = await setUp()
      const provider = {
        appType: 'ACME_SIGN_IN',
        friendlyName: 'Acme Sign-in',
        website: 'https://sso.acme.example',
        description: 'Signs employees in.',
        domains: ['sso.acme.example'],
        loginHosts: ['sso.acme.example'],
        identityProvider: 'ACME_SIGN_IN',
        brandWords: ['Acme'],
        hostPatterns: ['*.sso.acme.example'],
      }
      await h.db.inTransaction((tx) => addCatalogProducts(tx, caller.org, provider, 1))
      const { website: _, description: __, ...sent } = provider
      const { products, protectedAppTypes } = (await get()).body
      expect(products).toEqual([sent])
      expect(protectedAppTypes).toContain('ACME_SIGN_IN')
    })

    test('a banner for every app applies to catalog apps and, by registrable domain, to apps (other)', async () => {
      const { caller, get } = await setUp()
      await put(h, caller.org, appsOther, [
        anAppOther({ domain: 'wiki.acme.example' }),
        anAppOther({ domain: 'mail.acme.example' }),
      ])
      await control(caller, { banners: [banner] })
      const { banners } = (await get()).body
      expect(banners).toEqual([
        expect.objectContaining({ appType: null, domain: 'acme.example', title: 'Mind' }),
        expect.objectContaining({ appType: null, domain: null, title: 'Mind' }),
      ])
    })

    test('a policy contains the stolen credentials of all addresses of its employee, without the addresses', async () => {
      const { caller, get } = await setUp({
        email: 'Ada@acme.example',
        secondaryEmails: ['ada.byron@acme.example'],
      })
      const credentials = [
        { email: 'ada@ACME.example', password: 'one' },
        { email: 'ada.byron@acme.example', password: 'two' },
        { email: 'bob@acme.example', password: 'three' },
      ]
      await h.call(caller, 'POST', '/v1/controls/stolenCredentials', { body: { credentials } })
      const { body, text } = await get()
      expect(body.stolenCredentials).toHaveLength(2)
      for (const credential of body.stolenCredentials)
        expect(credential).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          salt: expect.stringMatching(/^[0-9a-f]{32}$/),
          iterations: 100_000,
          hash: expect.stringMatching(/^[0-9a-f]{32}$/),
        })
      expect(text).not.toMatch(/\b(?:ada|bob)\b/i)
    })

    test('a policy contains many stolen credentials of its employee', async () => {
      const { caller, employee, get } = await setUp()
      const { addressHmac: key } = deriveKeys(Buffer.alloc(32, 7))
      const rows = Array.from({ length: 1001 }, (_, at) => ({
        id: newId(at),
        source: null,
        addressHmac: addressHmac(key, caller.org, employee.email),
        addressEncrypted: '',
        salt: '00'.repeat(16),
        iterations: 100_000,
        hash: at.toString(16).padStart(32, '0'),
      }))
      await h.db.inTransaction((tx) => insertStolenCredentials(tx, caller.org, rows, 1))
      const { stolenCredentials } = (await get()).body
      expect(new Set(stolenCredentials.map(({ id }: { id: string }) => id))).toEqual(
        new Set(rows.map(({ id }) => id)),
      )
    })

    test('a large policy is compressed if the client accepts it', async () => {
      const { caller, credential, get } = await setUp()
      const urls = Array.from({ length: 2000 }, () => aBlockedUrl())
      await put(h, caller.org, blockedUrls, urls)
      await control(caller, { contact: 'it@acme.example' })
      const plain = await get()
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(plain.body.blockedUrls).toEqual(urls.map(({ id, url }) => ({ id, url })))
      const answer = await h.app.inject({
        url: '/agent/v1/policy',
        headers: { authorization: `Bearer ${credential}`, 'accept-encoding': 'gzip, br' },
      })
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text)
    })

    describe('the version', () => {
      type SetUp = Awaited<ReturnType<typeof setUp>>
      const withBanner = ({ caller }: SetUp) =>
        control(caller, { banners: [{ ...banner, approvalStatuses: ['NOT_APPROVED'] }] })
      const patchApp =
        (body: object) =>
        async ({ caller }: SetUp) => {
          const app = (await h.call(caller, 'GET', '/v1/apps')).body['the service'][0]
          await h.call(caller, 'PATCH', `/v1/apps/${app.id}`, { body })
        }
      const addLabel = async ({ caller }: SetUp) => {
        const app = (await h.call(caller, 'GET', '/v1/apps')).body['the service'][0]
        await h.call(caller, 'POST', `/v1/apps/${app.id}/labels`, { body: { label: 'Fresh' } })
      }
      const post =
        (url: string, body?: object) =>
        ({ caller }: SetUp) =>
          h.call(caller, 'POST', url, body ? { body } : {})
      const nothing = async () => undefined

      test.each<[string, (s: SetUp) => Promise<unknown>, (s: SetUp) => Promise<unknown>]>([
        ['a URL is blocked', nothing, post('/v1/controls/blockedUrls', { url: 'bad.example' })],
        [
          'the blocked URLs are deleted',
          post('/v1/controls/blockedUrls', { url: 'bad.example' }),
          ({ caller }) => h.call(caller, 'DELETE', '/v1/controls/blockedUrls'),
        ],
        [
          'a stolen credential is added',
          nothing,
          post('/v1/controls/stolenCredentials', { credentials: [{ email: 'a@b.example', password: 'x' }] }),
        ],
        ['the controls change', nothing, ({ caller }) => control(caller, { contact: 'a@b.example' })],
        [
          'a product is added',
          nothing,
          ({ caller }) => h.db.inTransaction((tx) => addCatalogProducts(tx, caller.org, product, 1)),
        ],
        [
          'a product is removed',
          ({ caller }) => h.db.inTransaction((tx) => addCatalogProducts(tx, caller.org, product, 1)),
          ({ caller }) =>
            h.db.inTransaction((tx) => removeCatalogProduct(tx, caller.org, product.appType, 1)),
        ],
        [
          'the status of an app changes while there are banners',
          withBanner,
          patchApp({ approvalStatus: 'APPROVED' }),
        ],
        ['an app gets a label while there are banners', withBanner, addLabel],
        [
          'the employee joins a group',
          nothing,
          ({ caller, v1 }) => h.call(caller, 'POST', `${v1}/groups`, { body: { group: 'New' } }),
        ],
        [
          'the address of the employee changes',
          nothing,
          ({ caller, v1, employee }) =>
            h.call(caller, 'PATCH', v1, { body: { email: `new.${employee.email}` } }),
        ],
        [
          'another is merged into the employee',
          nothing,
          async ({ caller, v1 }) => {
            const second = anEmployee()
            await put(h, caller.org, employees, [second])
            await h.call(caller, 'POST', `${v1}/merge`, { body: { employeeIds: [second.id] } })
          },
        ],
      ])('changes when %s', async (_, before, change) => {
        const s = await setUp()
        await put(h, s.caller.org, apps, [anApp({ type: 'ZAPIER', approvalStatus: null, labels: [] })])
        await before(s)
        const { version } = (await s.get()).body
        await change(s)
        expect((await s.get()).body.version).not.toBe(version)
      })

      test.each<[string, (s: SetUp) => Promise<unknown>, (s: SetUp) => Promise<unknown>]>([
        ['time passes', nothing, async () => h.clock.advanceMs(3_600_000)],
        [
          'a URL is blocked that was blocked',
          post('/v1/controls/blockedUrls', { url: 'bad.example' }),
          post('/v1/controls/blockedUrls', { url: 'BAD.example' }),
        ],
        ['nothing is deleted', nothing, ({ caller }) => h.call(caller, 'DELETE', '/v1/controls/blockedUrls')],
        [
          'stolen credentials come again',
          post('/v1/controls/stolenCredentials', { credentials: [{ email: 'a@b.example', password: 'x' }] }),
          post('/v1/controls/stolenCredentials', { credentials: [{ email: 'a@b.example', password: 'x' }] }),
        ],
        [
          'the status of an app changes while there are no banners',
          nothing,
          patchApp({ approvalStatus: 'APPROVED' }),
        ],
        ['the notes of an app change', withBanner, patchApp({ notes: 'Ends in March.' })],
        [
          'the name of the employee changes',
          nothing,
          ({ caller, v1 }) => h.call(caller, 'PATCH', v1, { body: { firstName: 'Augusta' } }),
        ],
        ['another employee is added', nothing, post('/v1/employees', { email: 'someone.else@b.example' })],
        [
          'another organization changes its controls',
          nothing,
          async () => control(await h.addCaller(), { contact: 'a@b.example' }),
        ],
      ])('does not change when %s', async (_, before, change) => {
        const s = await setUp()
        await put(h, s.caller.org, apps, [anApp({ type: 'ZAPIER', approvalStatus: null, labels: [] })])
        await before(s)
        const { version } = (await s.get()).body
        await change(s)
        expect((await s.get({ 'if-none-match': `"${version}"` })).status).toBe(304)
      })

      test('is never reused for another policy, not even after a restore', async () => {
        const { caller, get } = await setUp()
        await control(caller, { contact: 'first@b.example' })
        const before = (await get()).body.version
        // Like a restored backup: an older revision without the later changes.
        await h.db.inTransaction(async (tx) => {
          await tx.run('UPDATE organizations SET policy_revision = 1 WHERE no = ?', [caller.org])
          await removeAllRecords(tx, blockedUrls, caller.org)
        })
        await control(caller, { contact: 'second@b.example' })
        expect((await get()).body.version).not.toBe(before)
      })
    })
  })
}

test('a restart updates the policies only if the heartbeat changed', async () => {
  const h = await startHarness('sqlite')
  const caller = await h.addCaller()
  const { credential } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
  const { version } = (await asBrowser(h, credential, 'GET', '/policy')).body
  const restartWith = async (agentHeartbeatSeconds: number) => {
    const app = { agentHeartbeatSeconds }
    const other = await startHarness('sqlite', { app, storeSeen: () => h.db })
    const { body } = await asBrowser(other, credential, 'GET', '/policy')
    await other.close()
    return body
  }
  expect(await restartWith(300)).toMatchObject({ version, heartbeatSeconds: 300 })
  const changed = await restartWith(5)
  expect(changed.heartbeatSeconds).toBe(5)
  expect(changed.version).not.toBe(version)
  await h.close()
})
