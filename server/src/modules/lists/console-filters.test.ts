import { accounts, type LoginMethods } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections, severities } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anApp,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

const noLogin: LoginMethods = {
  passwordLogin: false,
  lastPasswordLoginTimestamp: null,
  oidcLogin: null,
  lastOidcLoginTimestamp: null,
  samlLogin: null,
  lastSamlLoginTimestamp: null,
  oktaSwaLogin: false,
  lastOktaSwaLoginTimestamp: null,
  vendorSsoLogin: null,
  lastVendorSsoLoginTimestamp: null,
  fedCmLogin: null,
  lastFedCmLoginTimestamp: null,
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    const ada = anEmployee({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Byron', licensed: true })
    const zoe = anEmployee({ email: 'z@example.com', firstName: 'Zoë', lastName: 'Änder', groups: ['Sales'] })
    const emil = anEmployee({ email: 'emil@example.com', firstName: 'Émil', lastName: null })
    const nameless = anEmployee({
      email: 'Bare@example.com',
      firstName: null,
      lastName: null,
      licensed: true,
    })

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      const { org } = reader
      await put(h, org, employees, [zoe, ada, nameless, emil])
      await put(h, org, browsers, [
        aBrowser({ email: 'one', employeeId: ada.id, isActive: true }),
        aBrowser({ email: 'two', employeeId: zoe.id, isActive: true }),
        aBrowser({ email: 'three', employeeId: nameless.id, isActive: false }),
      ])
      const extension = (name: string, hostPermissions: string[], enabled = true) =>
        aBrowserExtension({ name, hostPermissions, enabled })
      await put(h, org, browserExtensions, [
        extension('all', ['<all_urls>', 'https://*/*']),
        extension('schemes', ['*://*/*']),
        extension('one', ['https://*.example.com/*']),
        extension('none', []),
        extension('web', ['http://*/*', 'https://*/*'], false),
      ])
      const account = (email: string, mfaRegistered: boolean | null, methods: Partial<LoginMethods>) =>
        anAccount({ email, mfaRegistered, passwordId: null, loginMethods: { ...noLogin, ...methods } })
      await put(h, org, accounts, [
        account('a', true, { passwordLogin: true }),
        account('b', false, { passwordLogin: true, oidcLogin: 'GOOGLE_WORKSPACE' }),
        account('c', null, { samlLogin: 'OKTA', oktaSwaLogin: true }),
        account('d', null, {}),
        { ...account('e', true, { fedCmLogin: 'GOOGLE', vendorSsoLogin: 'OKTA' }), passwordId: 'p' },
      ])
      await put(
        h,
        org,
        apps,
        ['Zapier', 'éclair', 'Slack', 'asana'].map((friendlyName, at) =>
          anApp({
            friendlyName,
            type: friendlyName === 'éclair' ? 'ECLAIR' : friendlyName.toUpperCase(),
            labels: at < 2 ? ['GenAI'] : ['Core'],
          }),
        ),
      )
      await put(h, org, findings, [
        aFinding({ employeeId: zoe.id, appType: 'SLACK' }),
        aFinding({ employeeId: ada.id, appType: 'ZAPIER' }),
        aFinding({ employeeId: null, appType: 'ECLAIR' }),
      ])
      await put(
        h,
        org,
        detections,
        (['LOW', 'CRITICAL', 'MEDIUM', 'HIGH', 'CRITICAL'] as const).map((severity, at) =>
          aDetection({ severity, url: `https://${at}.example/` }),
        ),
      )
    })

    /** Returns a member of all records of a list, in pages of two. */
    async function listed(list: string, query: string, member: string): Promise<unknown[]> {
      const found: unknown[] = []
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`
        const { body } = await reader.call('GET', `lists/${list}?limit=2&${query}${next}`)
        found.push(...body.records.map((record: Record<string, unknown>) => record[member]))
        cursor = body.cursor
      } while (cursor !== null)
      return found
    }

    test('sorts employees and apps by name, ignoring case and accents', async () => {
      const names = ['ada@example.com', 'Bare@example.com', 'emil@example.com', 'z@example.com']
      expect(await listed('employees', 'sort=name', 'email')).toEqual(names)
      expect(await listed('employees', 'sort=-name', 'email')).toEqual(names.toReversed())
      const byName = ['asana', 'éclair', 'Slack', 'Zapier']
      expect(await listed('apps', 'sort=friendlyName', 'friendlyName')).toEqual(byName)
      expect(await listed('apps', 'sort=-friendlyName&type=SLACK&type=ASANA', 'friendlyName')).toEqual([
        ...['Slack', 'asana'],
      ])
    })

    test('the sort order follows a changed name', async () => {
      const { org } = await signedIn(h, await h.addOrganization('renamed'))
      const who = await signedIn(h, org)
      const first = anEmployee({ firstName: 'Anna', lastName: 'A' })
      const second = anEmployee({ firstName: 'Bea', lastName: 'B' })
      await put(h, org, employees, [first, second])
      const order = async () =>
        (await who.call('GET', 'lists/employees?sort=name')).body.records.map(({ id }: { id: string }) => id)
      expect(await order()).toEqual([first.id, second.id])
      await who.call('PATCH', `records/employees/${first.id}`, { firstName: 'Zora' })
      expect(await order()).toEqual([second.id, first.id])
    })

    test('sorts detections by severity', async () => {
      const worst = ['CRITICAL', 'CRITICAL', 'HIGH', 'MEDIUM', 'LOW']
      expect(await listed('detections', 'sort=-severity', 'severity')).toEqual(worst)
      expect(await listed('detections', 'sort=severity', 'severity')).toEqual(worst.toReversed())
      expect(severities.toReversed()).toEqual([...new Set(worst)])
    })

    test.each([
      ['employees', 'activeBrowser=true', 'email', ['z@example.com', 'ada@example.com']],
      ['employees', 'activeBrowser=false', 'email', ['Bare@example.com', 'emil@example.com']],
      ['employees', 'activeBrowser=false&licensed=true', 'email', ['Bare@example.com']],
      [
        'employees',
        `employeeId=${ada.id}&employeeId=${emil.id}`,
        'email',
        ['ada@example.com', 'emil@example.com'],
      ],
      ['employees', 'group=Sales&group=None', 'email', ['z@example.com']],
      ['employees', `except=${ada.id}`, 'email', ['z@example.com', 'Bare@example.com', 'emil@example.com']],
      ['browsers', 'licensed=true', 'email', ['one', 'three']],
      ['browsers', 'licensed=false', 'email', ['two']],
      ['browsers', 'group=Sales', 'email', ['two']],
      ['accounts', 'mfa=REGISTERED', 'email', ['a', 'e']],
      ['accounts', 'mfa=NOT_REGISTERED', 'email', ['b']],
      ['accounts', 'mfa=UNKNOWN', 'email', ['c', 'd']],
      ['accounts', 'mfa=UNKNOWN&mfa=NOT_REGISTERED', 'email', ['b', 'c', 'd']],
      ['accounts', 'loginMethod=PASSWORD', 'email', ['a', 'b']],
      ['accounts', 'loginMethod=OIDC', 'email', ['b']],
      ['accounts', 'loginMethod=SAML', 'email', ['c']],
      ['accounts', 'loginMethod=OKTA_SWA&loginMethod=FEDCM', 'email', ['c', 'e']],
      ['accounts', 'loginMethod=VENDOR_SSO', 'email', ['e']],
      ['browserExtensions', 'everySite=true', 'name', ['all', 'schemes', 'web']],
      ['browserExtensions', 'everySite=false', 'name', ['one', 'none']],
      ['browserExtensions', 'everySite=true&everySite=false&enabled=false', 'name', ['web']],
      ['accounts', 'passwordSeen=true', 'email', ['e']],
      ['accounts', 'passwordSeen=false&mfa=REGISTERED', 'email', ['a']],
      ['apps', 'anyLabel=genai&anyLabel=none', 'friendlyName', ['Zapier', 'éclair']],
      ['findings', 'search=zoe', 'appType', ['SLACK']],
      ['findings', 'search=%C3%84nder', 'appType', ['SLACK']],
      ['findings', 'search=Ada%20byron', 'appType', ['ZAPIER']],
      ['findings', 'search=ada@EXAMPLE', 'appType', ['ZAPIER']],
      ['findings', 'search=example.com', 'appType', ['SLACK', 'ZAPIER']],
      ['findings', 'search=eclair', 'appType', ['ECLAIR']],
      ['findings', 'search=ada%20zapier', 'appType', ['ZAPIER']],
      ['findings', 'search=ada%20slack', 'appType', []],
      ['detections', 'search=nobody', 'url', []],
    ])('%s?%s', async (list, query, member, expected) => {
      expect(await listed(list, `${query}&sort=creationTimestamp`, member)).toEqual(expected)
      expect((await reader.call('GET', `lists/${list}/count?${query}`)).body).toEqual({
        count: expected.length,
        more: false,
      })
    })

    test('finds accounts by second factor and login methods as soon as these change', async () => {
      const who = await signedIn(h, await h.addOrganization('changed'))
      const account = anAccount({ loginMethods: { ...noLogin, passwordLogin: true, oidcLogin: 'OKTA' } })
      await put(h, who.org, accounts, [account])
      const removed = await who.call(
        'DELETE',
        `records/accounts/${account.id}/loginMethods?loginMethod=USERNAME_PASSWORD`,
      )
      expect(removed.status).toBe(200)
      for (const [method, count] of [
        ['PASSWORD', 0],
        ['OIDC', 1],
      ])
        expect((await who.call('GET', `lists/accounts/count?loginMethod=${method}`)).body.count).toBe(count)
    })
  })
}
