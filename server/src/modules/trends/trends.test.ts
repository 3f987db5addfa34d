import type { ListLink } from '@muster/contract/console/figure-links'
import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import { type Report, type Trends, trendPeriods } from '@muster/contract/console/trends/console-trends'
import {
  type FlowTotal,
  flowFigures,
  flowNames,
  flowTotals,
  type LevelName,
  levelFigures,
  levelNames,
  meanResolveDays,
} from '@muster/contract/console/trends/daily-figures'
import {
  type FlowKey,
  type LinkedCount,
  levelNow,
  levelsOf,
  reportFlow,
  reportFlows,
  trendFlow,
} from '@muster/contract/console/trends/trend-links'
import { type Account, accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { detections, detectionTypes } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { type Finding, findingStates, findings, findingTypes } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import {
  aBrowser,
  aDetection,
  aFinding,
  anAccount,
  anApp,
  anAppOther,
  anEmployee,
  put,
} from '../../../../test/support/fixtures.ts'
import { type Caller, useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { keepDailyFigures } from './daily-figures.service.ts'

const day = 86_400
const keys = [...flowNames, ...(Object.keys(flowTotals) as FlowTotal[])] as readonly FlowKey[]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(55)
    const pick = <T>(values: readonly T[]): T => random.pick(values)
    const maybe = () => pick([true, false])
    let reader: SignedIn
    let caller: Caller

    const now = () => unixSeconds(h.clock)
    const many = <T>(count: number, days: number, make: (creationTimestamp: number) => T) =>
      Array.from({ length: count }, () => make(now() - random.below(days * day)))

    const randomFindings = (count: number, days: number) =>
      many(count, days, (creationTimestamp) =>
        aFinding({
          creationTimestamp,
          lastUpdatedTimestamp: creationTimestamp + random.below(now() - creationTimestamp + 1),
          type: pick(findingTypes),
          state: pick(findingStates),
        }),
      )

    beforeAll(async () => {
      h.clock.advanceMs(10 * 60 * 60 * 1000)
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      const { org } = reader
      caller = await h.addKey(org)
      const people = many(60, 100, (creationTimestamp) =>
        anEmployee({ creationTimestamp, licensed: maybe() }),
      )
      await put(h, org, employees, people)
      await put(
        h,
        org,
        browsers,
        many(70, 100, (creationTimestamp) =>
          aBrowser({ creationTimestamp, employeeId: pick(people).id, isActive: maybe() }),
        ),
      )
      const { loginMethods } = anAccount()
      const method = () => pick([null, null, 'OKTA'])
      await put(
        h,
        org,
        accounts,
        many(300, 200, (creationTimestamp) =>
          anAccount({
            creationTimestamp,
            mfaRegistered: pick([true, false, null]),
            loginMethods: {
              ...loginMethods,
              passwordLogin: maybe(),
              oktaSwaLogin: maybe(),
              oidcLogin: method(),
              samlLogin: method(),
              vendorSsoLogin: method(),
              fedCmLogin: method(),
            },
          }),
        ),
      )
      await put(h, org, findings, randomFindings(400, 800))
      await put(h, org, findings, randomFindings(200, 90))
      await put(
        h,
        org,
        detections,
        many(300, 400, (creationTimestamp) =>
          aDetection({ creationTimestamp, detectionType: pick(detectionTypes), archived: maybe() }),
        ),
      )
      await put(
        h,
        org,
        apps,
        many(60, 300, (creationTimestamp) => anApp({ creationTimestamp })),
      )
      await put(
        h,
        org,
        appsOther,
        many(60, 300, (creationTimestamp) => anAppOther({ creationTimestamp, hidden: maybe() })),
      )
    })

    /** Advances the clock and signs in again. */
    const passDays = async (days: number) => {
      h.clock.advanceMs(days * day * 1000)
      reader = await signedIn(h, reader.org, 'READ_ONLY')
    }

    const all = async <T>(path: string): Promise<T[]> => {
      const { status, body } = await h.call(caller, 'GET', `/v1/${path}`)
      expect(status).toBe(200)
      expect(body.nextToken).toBeUndefined()
      return body['the service']
    }
    const query = (filters: ListLink['filters'], limit: string) => {
      const asked = new URLSearchParams({ limit })
      for (const [name, values] of Object.entries(filters))
        for (const value of [values].flat()) asked.append(name, value)
      return asked
    }
    /** Counts the rows of a list over `/v1`. All filters of flows exist there. */
    const rowsOf = async ({ list, filters }: ListLink) =>
      (await all(`${list}?${query(filters, '1000')}`)).length
    /** Counts the rows of a list in the console. */
    const shownIn = async ({ list, filters }: ListLink): Promise<number> => {
      const asked = query(filters, '')
      asked.delete('limit')
      const { status, body } = await reader.call('GET', `lists/${list}/count?${asked}`)
      expect(status).toBe(200)
      return body.count
    }
    const windowOf = (key: FlowKey, from: number, to: number): ListLink => {
      const { list, filters, time } = { ...flowFigures, ...flowTotals }[key]
      return { list, filters: { ...filters, [`${time}After`]: String(from), [`${time}Before`]: String(to) } }
    }

    async function expectedLevels(): Promise<Record<LevelName, number>> {
      const [allAccounts, allFindings] = [
        await all<Account>('accounts?limit=1000'),
        await all<Finding>('findings?limit=1000'),
      ]
      const active = new Set(
        (await all<Browser>('browsers?limit=1000&isActive=true')).map(({ employeeId }) => employeeId),
      )
      const licensed = await all<Employee>('employees?limit=1000&licensed=true')
      const seen = {
        PASSWORD: 'passwordLogin',
        OIDC: 'oidcLogin',
        SAML: 'samlLogin',
        OKTA_SWA: 'oktaSwaLogin',
        VENDOR_SSO: 'vendorSsoLogin',
        FEDCM: 'fedCmLogin',
      } as const
      const withAny = (methods: readonly (keyof typeof seen)[]) =>
        allAccounts.filter((account) => methods.some((one) => account.loginMethods[seen[one]])).length
      const withMfa = (state: boolean | null) =>
        allAccounts.filter(({ mfaRegistered }) => mfaRegistered === state).length
      return Object.fromEntries([
        ...findingTypes.map((type) => [
          `open.${type}`,
          allFindings.filter((one) => one.type === type && one.state === 'OPEN').length,
        ]),
        ['accounts', allAccounts.length],
        ['mfa.REGISTERED', withMfa(true)],
        ['mfa.NOT_REGISTERED', withMfa(false)],
        ['mfa.UNKNOWN', withMfa(null)],
        ...consoleLoginMethods.map((one) => [`signIn.${one}`, withAny([one])]),
        ['signIn.SSO', withAny(['OIDC', 'SAML', 'VENDOR_SSO', 'FEDCM'])],
        ['signIn.ANY', withAny(consoleLoginMethods)],
        ['licensed', licensed.length],
        ['covered', licensed.filter(({ id }) => active.has(id)).length],
      ]) as Record<LevelName, number>
    }

    const readTrends = async (period: string) => (await reader.call<Trends>('GET', `trends/${period}`)).body
    const readReport = async (id: string) => (await reader.call<Report>('GET', `reports/${id}`)).body

    /** Counts all flows of the page about a period over `/v1`. */
    async function checkTrends(period: (typeof trendPeriods)[number]) {
      const trends = await readTrends(period)
      const shown: unknown[] = []
      const expected: unknown[] = []
      const add = async (key: FlowKey, counted: LinkedCount, from: number, to: number) => {
        const link = windowOf(key, from, to)
        shown.push([key, from, counted])
        expected.push([key, from, { count: await rowsOf(link), link }])
      }
      for (const key of keys) {
        const { total, weeks } = trendFlow(trends, key)
        await add(key, total, trends.weekTimestamps[0] ?? 0, trends.endTimestamp)
        for (const [week, from] of trends.weekTimestamps.entries())
          if (key in flowTotals || week % 7 === 0)
            await add(key, weeks[week] ?? { count: -1, link: undefined }, from, from + 7 * day)
      }
      expect(shown).toEqual(expected)
      return trends
    }

    test('every flow equals the number of records over /v1, before anything was stored', async () => {
      for (const period of trendPeriods) {
        const trends = await checkTrends(period)
        expect(trends.levelsFromTimestamp).toBeNull()
        expect(trends.endTimestamp).toBe(now() - (now() % day))
      }
    })

    test('every current level equals the number of records over /v1 and of rows in its list', async () => {
      const trends = await readTrends('LAST_90_DAYS')
      expect(levelsOf(trends.now)).toEqual(await expectedLevels())
      for (const name of levelNames) {
        const { count, link } = levelNow(trends, name)
        expect([name, link]).toEqual([name, levelFigures[name]])
        expect([name, await shownIn(link)]).toEqual([name, count])
      }
    })

    test('a report of a month and of a quarter equals counts over /v1, and compares with the period before', async () => {
      for (const [id, from, to, previous] of [
        ['2025-11', '2025-11-01', '2025-12-01', '2025-10-01'],
        ['2025-Q3', '2025-07-01', '2025-10-01', '2025-04-01'],
      ] as const) {
        const at = (date: string) => Date.parse(date) / 1000
        const report = await readReport(id)
        expect(report).toMatchObject({ fromTimestamp: at(from), toTimestamp: at(to), levels: null })
        for (const key of keys) {
          const link = windowOf(key, at(from), at(to))
          expect([key, reportFlow(report, key)]).toEqual([
            key,
            { count: await rowsOf(link), link, before: await rowsOf(windowOf(key, at(previous), at(from))) },
          ])
        }
        const closed = await all<Finding>(
          `findings?${query(windowOf('closed', at(from), at(to)).filters, '1000')}`,
        )
        const seconds = closed.map((one) => one.lastUpdatedTimestamp - one.creationTimestamp)
        const mean = seconds.reduce((sum, one) => sum + one, 0) / seconds.length / day
        expect(meanResolveDays(reportFlows(report, 'count'))).toBeCloseTo(mean, 6)
      }
    })

    test('the report of the current month ends yesterday and compares as many days of the month before', async () => {
      const at = (date: string) => Date.parse(date) / 1000
      await passDays(9)
      expect(await readReport('2026-01')).toMatchObject({
        fromTimestamp: at('2026-01-01'),
        toTimestamp: at('2026-01-10'),
        endTimestamp: at('2026-02-01'),
        previousFromTimestamp: at('2025-12-01'),
        previousToTimestamp: at('2025-12-10'),
      })
    })

    test('a report has the worst apps and detections, and none in the future', async () => {
      const { org } = reader
      const [app, other] = [anApp({ friendlyName: 'Wiki' }), anApp({ friendlyName: 'Mail' })]
      await put(h, org, apps, [app, other])
      const about = (one: typeof app, count: number) =>
        Array.from({ length: count }, () =>
          aFinding({ appId: one.id, state: 'OPEN', creationTimestamp: now(), lastUpdatedTimestamp: now() }),
        )
      await put(h, org, findings, [...about(app, 3), ...about(other, 150)])
      await put(
        h,
        org,
        detections,
        (['LOW', 'CRITICAL', 'MEDIUM'] as const).map((severity) =>
          aDetection({ severity, creationTimestamp: Date.parse('2021-02-03') / 1000 }),
        ),
      )
      const { apps: worst, detections: severe } = await readReport('2021-02')
      expect(worst.find(({ id }) => id === other.id)).toMatchObject({ name: 'Mail', openFindings: 150 })
      expect(severe.map(({ severity }) => severity)).toEqual(['CRITICAL', 'MEDIUM', 'LOW'])
      for (const id of ['2026-02', '2026-Q2', '2026-13', '2026', '2026-Q5', '1970-01', 'nonsense'])
        expect((await reader.call('GET', `reports/${id}`)).status).toBe(404)
      expect((await reader.call('GET', 'trends/LAST_DECADE')).status).toBe(404)
    })

    test('stored days equal what was counted from records, whichever process stores them', async () => {
      const { org } = reader
      await Promise.all(Array.from({ length: 3 }, () => keepDailyFigures(h.db, org, now())))
      await passDays(1 / 24 + 0.01)
      const trends = await checkTrends('LAST_YEAR')
      expect(trends.levelsFromTimestamp).toBe(trends.endTimestamp - day)
      expect(trends.levels.slice(0, -1).every((week) => week === null)).toBe(true)
      expect(levelsOf(trends.levels.at(-1) ?? [])).toEqual(await expectedLevels())
    })

    test('a stored day keeps its figures, and has no link once its list has other rows', async () => {
      const { org } = reader
      const before = trendFlow(await readTrends('LAST_90_DAYS'), 'opened')
      await put(h, org, findings, [aFinding({ creationTimestamp: now() - 10 * day })])
      await keepDailyFigures(h.db, org, now())
      await passDays(1 / 24 + 0.01)
      const { total, weeks } = trendFlow(await readTrends('LAST_90_DAYS'), 'opened')
      expect(total).toEqual({ count: before.total.count, link: undefined })
      expect(weeks.filter(({ link }) => link === undefined)).toHaveLength(1)
    })

    test('days on which no server ran have flows but no levels', async () => {
      const { org } = reader
      await passDays(3)
      await keepDailyFigures(h.db, org, now())
      const rows = await h.db.all<{ day: number; counted: number }>(
        'SELECT day, CASE WHEN levels IS NULL THEN 0 ELSE 1 END AS counted FROM daily_figures WHERE org = ? ORDER BY day DESC LIMIT 4',
        [org],
      )
      const today = Math.floor(now() / day)
      expect(rows).toEqual([
        { day: today - 1, counted: 1 },
        { day: today - 2, counted: 0 },
        { day: today - 3, counted: 0 },
        { day: today - 4, counted: 1 },
      ])
    })
  })
}
