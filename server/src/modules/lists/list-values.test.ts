import {
  type ConsoleListName,
  type ConsoleValues,
  consoleLists,
} from '@muster/contract/console/console-lists'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../../../test/support/answers.ts'
import { consoleBrowser, type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowserExtension,
  aFinding,
  anAccount,
  anAccountOther,
  anApp,
  anAppOther,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { valueParameters } from './list-values.ts'

const names = Object.keys(consoleLists) as ConsoleListName[]
const long = `${'x'.repeat(250)}é end`.padStart(256, 'y').slice(0, 256)

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn
    let stranger: SignedIn
    const site = anAppOther({ domain: 'intranet.example.com' })

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      stranger = await signedIn(h, await h.addOrganization('other'))
      const { org } = reader
      const first = anEmployee({
        department: 'Sales',
        location: 'Köln',
        groups: ['Leads', 'All'],
        licensed: true,
      })
      await put(h, org, employees, [
        first,
        anEmployee({ department: 'Sales', location: 'London', groups: ['All'] }),
        anEmployee({ department: 'Research', location: null, groups: [long.slice(0, 128)] }),
        anEmployee({ department: 'Only of a merged one', mergedIntoId: first.id }),
      ])
      await put(
        h,
        org,
        accounts,
        Array.from({ length: 7 }, (_, at) => anAccount({ appType: at < 2 ? 'OKTA' : 'GOOGLE_WORKSPACE' })),
      )
      await put(h, org, apps, [anApp({ type: 'OKTA', labels: ['GenAI', 'Core'] })])
      await put(h, org, appsOther, [site])
      await put(h, org, accountsOther, [anAccountOther({ otherAppId: site.id })])
      await put(h, org, findings, [
        aFinding({ type: 'WEAK_PASSWORD', state: 'OPEN', employeeId: first.id }),
        aFinding({ type: 'WEAK_PASSWORD', state: 'RESOLVED', employeeId: first.id }),
        aFinding({ type: 'SHARED_ACCOUNT', state: 'OPEN' }),
      ])
      await put(
        h,
        org,
        browserExtensions,
        Array.from({ length: 60 }, (_, at) =>
          aBrowserExtension({
            extensionId: `extension ${String(at).padStart(2, '0')}`,
            permissions: ['tabs'],
          }),
        ),
      )
    })

    const values = async (list: string, query: string, who = reader) => {
      const { status, body } = await who.call<ConsoleValues>('GET', `lists/${list}/values?${query}`)
      expect(status).toBe(200)
      return body
    }
    const counted = async (list: string, query: string, who = reader) =>
      (await values(list, query, who)).values.map(({ value, count }) => [value, count])

    test('returns the existing values with the number of records of each', async () => {
      expect(await counted('employees', 'of=department')).toEqual([
        ['Research', 1],
        ['Sales', 2],
      ])
      expect(await counted('employees', 'of=group')).toEqual([
        ['All', 2],
        ['Leads', 1],
        [long.slice(0, 128), 1],
      ])
      expect(await counted('browserExtensions', 'of=permissions')).toEqual([['tabs', 60]])
      expect(await counted('apps', 'of=labels')).toEqual([
        ['core', 1],
        ['genai', 1],
      ])
    })

    test('enumeration counts respect the other filters but not the filter itself', async () => {
      const open = await counted('findings', 'of=type&state=OPEN')
      expect(open.filter(([, count]) => count !== 0)).toEqual([
        ['SHARED_ACCOUNT', 1],
        ['WEAK_PASSWORD', 1],
      ])
      expect(open).toHaveLength(8)
      expect(await counted('employees', 'of=licensed')).toEqual([
        ['true', 1],
        ['false', 2],
      ])
    })

    test('finds values by part of their text or name, ignoring case and accents', async () => {
      const okta = { value: 'OKTA', text: 'Okta', count: 2 }
      expect(await values('accounts', 'of=appType&text=okta')).toEqual({ values: [okta], more: false })
      expect(await counted('accounts', 'of=appType&text=google%20w')).toEqual([['GOOGLE_WORKSPACE', 5]])
      expect(await counted('accounts', 'of=appType&text=GOOGLE_')).toEqual([['GOOGLE_WORKSPACE', 5]])
      expect(await counted('employees', 'of=location&text=KOLN')).toEqual([['Köln', 1]])
      const named = { value: site.id, text: site.domain, count: 1 }
      expect((await values('accountsOther', 'of=otherAppId&text=intranet')).values).toEqual([named])
      expect(await counted('accounts', 'of=appType&text=nothing')).toEqual([])
    })

    test('returns at most thirty values and whether there are more', async () => {
      const all = await values('browserExtensions', 'of=extensionId')
      expect(all.values).toHaveLength(30)
      expect(all.more).toBe(true)
      const some = await values('browserExtensions', 'of=extensionId&text=extension%205')
      expect(some.values).toHaveLength(10)
      expect(some.more).toBe(false)
    })

    test('returns values for every enumerable filter of every list', async () => {
      for (const name of names) {
        const of = valueParameters(consoleLists[name]).find((parameter) => parameter.name === 'of')
        for (const filter of (of as unknown as { schema: { enum: string[] } }).schema.enum)
          expect(await values(name, `of=${filter}`)).toMatchObject({ values: expect.any(Array) })
      }
    })

    test('refuses a filter without enumerable values, and an unknown one', async () => {
      for (const query of ['of=email', 'of=nope', 'text=a', 'of=department&sort=email']) {
        const { status, body } = await reader.call('GET', `lists/employees/values?${query}`)
        expect(status).toBe(400)
        expect(body.errors).toEqual([expect.objectContaining({ in: 'query' })])
      }
    })

    test('returns nothing of another organization, and nothing without a session', async () => {
      expect(await counted('employees', 'of=department', stranger)).toEqual([])
      expect(await counted('accounts', 'of=appType', stranger)).toEqual([])
      expectProblem(await consoleBrowser(h).call('GET', 'lists/employees/values?of=department'), 'signed_out')
    })
  })
}
