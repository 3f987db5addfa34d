import { type ConsoleListName, consoleLists } from '@muster/contract/console/console-lists'
import { csvColumnNames } from '@muster/contract/console/csv-columns'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { browsers } from '@muster/contract/records/browser'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowser,
  aDetection,
  aFinding,
  anAccount,
  anAccountOther,
  anApp,
  anAppOther,
  anEmployee,
  asShownInDetection,
  put,
  unknownId,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    const ada = anEmployee({ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' })
    const evil = anEmployee({ firstName: '=HYPERLINK("x")', lastName: null, email: '+1@example.com' })
    const browser = aBrowser({ employeeId: ada.id, browser: 'FIREFOX', version: '141.0.2' })
    const site = anAppOther({ domain: 'intranet.example.com' })
    const seen = { creationTimestamp: 1_763_712_000 }
    const account = anAccount({
      ...seen,
      employeeId: ada.id,
      appType: 'OKTA',
      email: 'a@x.example',
      lastUsedTimestamp: null,
    })

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      const { org } = reader
      await put(h, org, employees, [ada, evil])
      await put(h, org, browsers, [browser])
      await put(h, org, appsOther, [site])
      await put(h, org, apps, [anApp({ type: 'OWN_APP', friendlyName: 'Our own', ownerId: evil.id })])
      await put(h, org, accounts, [account])
      await put(h, org, accountsOther, [anAccountOther({ employeeId: evil.id, otherAppId: site.id })])
      await put(h, org, findings, [
        aFinding({
          ...seen,
          employeeId: ada.id,
          accountId: account.id,
          appType: 'OWN_APP',
          lastUpdatedTimestamp: 0,
        }),
        aFinding({ ...seen, employeeId: unknownId(), accountId: null, appType: null }),
      ])
      await put(h, org, detections, [
        aDetection({
          ...seen,
          employeeId: ada.id,
          employee: asShownInDetection(ada),
          browserId: browser.id,
          url: 'https://login.bad.example/a',
        }),
      ])
    })

    const file = (list: string, query = '') => reader.call('GET', `lists/${list}/export?format=csv${query}`)
    const cells = async (list: string, ...columns: string[]) => {
      const { status, text } = await file(list, columns.map((column) => `&column=${column}`).join(''))
      expect(status).toBe(200)
      return text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
    }

    test('contains names, addresses and ISO times beside IDs and UNIX seconds', async () => {
      expect(
        await cells(
          'findings',
          'employeeId',
          'employeeName',
          'employeeEmail',
          'accountEmail',
          'appType',
          'appName',
          'creationTime',
          'lastUpdatedTime',
        ),
      ).toEqual([
        [
          'employeeId',
          'employeeName',
          'employeeEmail',
          'accountEmail',
          'appType',
          'appName',
          'creationTime',
          'lastUpdatedTime',
        ],
        expect.arrayContaining(['', '2025-11-21T08:00:00Z']),
        [
          ada.id,
          'Ada Byron',
          'ada@example.com',
          'a@x.example',
          'OWN_APP',
          'Our own',
          '2025-11-21T08:00:00Z',
          '1970-01-01T00:00:00Z',
        ],
      ])
      expect(
        await cells('detections', 'employeeName', 'browserName', 'host', 'lastActivityTimestamp'),
      ).toEqual([
        ['employeeName', 'browserName', 'host', 'lastActivityTimestamp'],
        ['Ada Byron', 'Firefox 141', 'login.bad.example', '1763712000'],
      ])
      expect(await cells('accounts', 'appName', 'lastUsedTime', 'employeeName')).toEqual([
        ['appName', 'lastUsedTime', 'employeeName'],
        ['Okta', '', 'Ada Byron'],
      ])
      expect(await cells('browsers', 'browserName')).toEqual([['browserName'], ['Firefox 141']])
    })

    test('contains all columns by default, in the order of the record', async () => {
      const [header = []] = await cells('accounts')
      const members = [...Object.keys(accounts.record.properties), 'risk']
      expect(header).toEqual(csvColumnNames('accounts', members))
      const pairs = ['employeeId', 'employeeName', 'employeeEmail', 'appType', 'appName']
      expect(header.slice(1, 6)).toEqual(pairs)
      expect((await cells('detections'))[0]).not.toContain('employee')
    })

    test('contains the chosen columns in the requested order', async () => {
      expect(await cells('employees', 'email', 'name', 'id')).toEqual([
        ['email', 'name', 'id'],
        [`'+1@example.com`, `"'=HYPERLINK(""x"")"`, evil.id],
        ['ada@example.com', 'Ada Byron', ada.id],
      ])
    })

    test('names of related records are no formulas either', async () => {
      const [, row = []] = await cells('accountsOther', 'employeeEmail', 'employeeName', 'otherAppDomain')
      expect(row).toEqual([`'+1@example.com`, `"'=HYPERLINK(""x"")"`, 'intranet.example.com'])
      expect((await cells('apps', 'ownerName'))[1]).toEqual([`"'=HYPERLINK(""x"")"`])
    })

    test('every column of every list can be exported on its own', async () => {
      for (const [name, list] of Object.entries(consoleLists)) {
        const added = 'adds' in list ? Object.keys(list.adds.properties) : []
        const members = [...Object.keys(list.collection.record.properties), ...added]
        for (const column of csvColumnNames(name, members))
          expect((await cells(name as ConsoleListName, column))[0]).toEqual([column])
      }
    })

    test('refuses unknown columns, and columns of a JSON file', async () => {
      for (const path of ['employees/export?column=nope', 'employees/export?format=json&column=email']) {
        const { status, body } = await reader.call('GET', `lists/${path}`)
        expect(status).toBe(400)
        expect(body.errors).toEqual([expect.objectContaining({ in: 'query', name: 'column' })])
      }
    })
  })
}
