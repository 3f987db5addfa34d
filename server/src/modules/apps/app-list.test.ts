import { type ProductCategoryId, productCategories } from '@muster/contract/catalog/product-categories'
import { products } from '@muster/contract/catalog/products'
import type { AppFigures } from '@muster/contract/console/console-apps'
import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import { type Account, accounts } from '@muster/contract/records/account'
import { type App, approvalStatuses, apps, sensitivityLevels } from '@muster/contract/records/app'
import { employees } from '@muster/contract/records/employee'
import { type Finding, findingStates, findings } from '@muster/contract/records/finding'
import { riskLevelOf } from '@muster/contract/risk/risk-levels'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { aFinding, anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { loginMethodBits } from '../../kernel/store/derived-columns.ts'
import { getRecordsByIds } from '../../kernel/store/records.ts'
import { erasePerson } from '../employees/erase.ts'
import { refreshMarkedScores } from '../risk/risk-job.ts'

const day = 86_400
const start = 1_763_712_000
type Row = App & AppFigures

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(33)
    const pick = <T>(values: readonly T[]): T => random.pick(values)
    let admin: SignedIn
    let caller: Caller

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      admin = await signedIn(h, org, 'FULL_ACCESS')
      caller = await h.addKey(org)
      const people = Array.from({ length: 25 }, () => anEmployee())
      await put(h, org, employees, people)
      const made = Array.from({ length: 40 }, (_, at) =>
        anApp({
          type: products[at * 31]?.appType ?? 'OKTA',
          friendlyName: `App ${at}`,
          sensitivityLevel: pick([null, ...sensitivityLevels]),
          approvalStatus: pick([null, ...approvalStatuses]),
        }),
      )
      await put(h, org, apps, [...made, anApp({ type: 'NOT_IN_THE_CATALOG', friendlyName: 'Own' })])
      const methods = anAccount().loginMethods
      await put(
        h,
        org,
        accounts,
        Array.from({ length: 400 }, (_, at) => {
          const app = pick(made.slice(0, 30))
          return anAccount({
            email: `user${at}@example.com`,
            appId: app.id,
            appType: app.type,
            employeeId: pick(people).id,
            lastUsedTimestamp: pick([null, start - random.below(30 * day), start - random.below(90 * day)]),
            loginMethods: {
              ...methods,
              passwordLogin: pick([true, false]),
              samlLogin: pick([null, null, 'OKTA']),
              fedCmLogin: pick([null, null, null, 'GOOGLE']),
            },
          })
        }),
      )
      await put(
        h,
        org,
        findings,
        Array.from({ length: 200 }, () => {
          const app = pick([null, ...made])
          return aFinding({
            state: pick(findingStates),
            appId: app?.id ?? null,
            appType: app?.type ?? null,
            accountId: null,
            employeeId: pick(people).id,
          })
        }),
      )
    })

    /** Highest scores of the open findings of apps, by app. */
    const scores = new Map<string, number>()

    const all = async <T>(path: string): Promise<T[]> =>
      (await h.call(caller, 'GET', `${path}?limit=1000`)).body['the service']

    /** Reads the list of apps, in small pages. */
    async function listed(query = ''): Promise<Row[]> {
      await refreshMarkedScores({ db: h.db, clock: h.clock })
      const rows: Row[] = []
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`
        const { status, body } = await admin.call('GET', `lists/apps?limit=7&${query}${next}`)
        expect(status).toBe(200)
        rows.push(...body.records)
        cursor = body.cursor
      } while (cursor !== null)
      return rows
    }

    /** Counts the rows of the apps from the records of `/v1`, in order of creation. */
    async function expected(): Promise<Row[]> {
      const [allApps, allAccounts, allFindings] = [
        await all<App>('/v1/apps'),
        await all<Account>('/v1/accounts'),
        await all<Finding>('/v1/findings'),
      ]
      await refreshMarkedScores({ db: h.db, clock: h.clock })
      const { body } = await admin.call('GET', 'lists/findings?limit=500&state=OPEN')
      scores.clear()
      for (const { appId, priorityScore } of body.records)
        scores.set(appId, Math.max(scores.get(appId) ?? 0, priorityScore))
      return allApps.map((app) => {
        const mine = allAccounts.filter(({ appId }) => appId === app.id)
        const bits = mine.reduce((mask, account) => mask | loginMethodBits(account), 0)
        const used = mine.flatMap(({ lastUsedTimestamp }) => lastUsedTimestamp ?? [])
        return {
          ...app,
          category: products.find(({ appType }) => appType === app.type)?.categories?.[0] ?? null,
          people: new Set(mine.map(({ employeeId }) => employeeId)).size,
          accounts: mine.length,
          openFindings: allFindings.filter(({ appId, state }) => appId === app.id && state === 'OPEN').length,
          risk: riskLevelOf(scores.get(app.id) ?? null),
          lastUsedTimestamp: used.length > 0 ? Math.max(...used) : null,
          signInMethods: consoleLoginMethods.filter((_, bit) => ((bits >> bit) & 1) === 1),
        }
      })
    }

    const sortValues: Readonly<Record<string, (row: Row) => string | number | null>> = {
      people: ({ people }) => people,
      accounts: (row) => row.accounts,
      openFindings: ({ openFindings }) => openFindings,
      risk: ({ id }) => scores.get(id) ?? null,
      lastUsedTimestamp: ({ lastUsedTimestamp }) => lastUsedTimestamp,
      category: ({ category }) => category && productCategories[category as ProductCategoryId].name,
      sensitivityLevel: ({ sensitivityLevel }) =>
        sensitivityLevel && -sensitivityLevels.indexOf(sensitivityLevel),
      approvalStatus: ({ approvalStatus }) => approvalStatus && approvalStatuses.indexOf(approvalStatus),
      signInMethods: ({ signInMethods }) =>
        signInMethods.reduce((mask, method) => mask | (1 << consoleLoginMethods.indexOf(method)), 0),
    }

    function sorted(rows: readonly Row[], member: string, descending: boolean): Row[] {
      const rankOf = sortValues[member] ?? (() => null)
      const inOrder = descending ? rows.toReversed() : [...rows]
      return inOrder.sort((one, other) => {
        const [a, b] = [rankOf(one), rankOf(other)]
        if (a === b) return 0
        if (a === null) return 1
        if (b === null) return -1
        return (a < b ? -1 : 1) * (descending ? -1 : 1)
      })
    }

    test.each(Object.keys(sortValues))(
      'sorts by %s in both directions, with figures that equal counts over /v1',
      async (member) => {
        const rows = await expected()
        expect(await listed(`sort=-${member}`)).toEqual(sorted(rows, member, true))
        expect(await listed(`sort=${member}`)).toEqual(sorted(rows, member, false))
      },
    )

    const filters: readonly [query: string, matches: (row: Row) => boolean][] = [
      ['category=HR&category=MARKETING', ({ category }) => category === 'HR' || category === 'MARKETING'],
      ['signInMethod=SAML', ({ signInMethods }) => signInMethods.includes('SAML')],
      [
        'signInMethod=FEDCM&signInMethod=OIDC',
        ({ signInMethods }) => signInMethods.some((method) => method === 'FEDCM' || method === 'OIDC'),
      ],
      ['openFindingsAtLeast=3', ({ openFindings }) => openFindings >= 3],
      ['peopleAtLeast=10', ({ people }) => people >= 10],
      [
        'accountsAtLeast=15&sensitivityLevel=HIGH',
        (row) => row.accounts >= 15 && row.sensitivityLevel === 'HIGH',
      ],
      [
        `lastUsedTimestampAfter=${start - 2 * day}`,
        ({ lastUsedTimestamp }) => lastUsedTimestamp !== null && lastUsedTimestamp >= start - 2 * day,
      ],
      [
        `lastUsedTimestampBefore=${start - 2 * day}&search=app`,
        ({ lastUsedTimestamp }) => lastUsedTimestamp !== null && lastUsedTimestamp < start - 2 * day,
      ],
    ]

    test.each(filters)('list, count and CSV file have the apps with %s', async (query, matches) => {
      const rows = (await expected()).filter(matches)
      expect(await listed(`${query}&sort=people`)).toEqual(sorted(rows, 'people', false))
      expect((await admin.call('GET', `lists/apps/count?${query}`)).body).toEqual({
        count: rows.length,
        more: false,
      })
      const columns = 'column=id&column=people&column=categoryName&column=signInMethodNames'
      const { text } = await admin.call('GET', `lists/apps/export?${columns}&${query}&sort=creationTimestamp`)
      const lines = text.split('\r\n').slice(1, -1)
      expect(lines.map((line: string) => line.split(',').slice(0, 2))).toEqual(
        rows.map(({ id, people }) => [id, String(people)]),
      )
    })

    test('every figure equals the number of rows in its list', async () => {
      const count = async (path: string) => (await admin.call('GET', `lists/${path}`)).body.count
      for (const row of await listed('sort=-accounts')) {
        const rows = {
          people: await count(`employees/count?appId=${row.id}`),
          accounts: await count(`accounts/count?appId=${row.id}`),
          openFindings: await count(`findings/count?appId=${row.id}&state=OPEN`),
        }
        expect(rows).toEqual({ people: row.people, accounts: row.accounts, openFindings: row.openFindings })
      }
    })

    test('the figures follow forgotten accounts, removed methods, merged, unmerged and erased people', async () => {
      const [first, second, third] = await all<{ id: string }>('/v1/employees')
      const [account, other] = await all<Account>('/v1/accounts')
      const steps: [string, string, unknown?][] = [
        ['DELETE', `/v1/accounts/${account?.id}`],
        ['DELETE', `/v1/accounts/${other?.id}/loginMethods?loginMethod=USERNAME_PASSWORD`],
        ['POST', `/v1/employees/${first?.id}/merge`, { employeeIds: [second?.id] }],
        ['POST', `/v1/employees/${second?.id}/unmerge`],
      ]
      for (const [method, path, body] of steps) {
        const { status } = await h.call(caller, method, path, body === undefined ? {} : { body })
        expect([path, status]).toEqual([path, 200])
        expect(await listed('sort=creationTimestamp')).toEqual(await expected())
      }
      const { org } = admin
      const by = { actor: { type: 'SYSTEM' as const }, timestamp: unixSeconds(h.clock) }
      await h.db.inTransaction(async (tx) => {
        const person = await getRecordsByIds(tx, employees, org, [String(third?.id)])
        await erasePerson(tx, org, person, (address) => address, by as never)
      })
      expect(await listed('sort=creationTimestamp')).toEqual(await expected())
    })
  })
}
