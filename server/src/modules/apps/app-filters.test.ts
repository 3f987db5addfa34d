import { products } from '@muster/contract/catalog/products'
import { creationPeriods } from '@muster/contract/console/console-filters'
import { type App, apps, sensitivityLevels } from '@muster/contract/records/app'
import { type Finding, findingStates, findings, findingTypes } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { aFinding, anApp, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { upsertCatalogProducts } from '../catalog/catalog-products.service.ts'

const day = 86_400

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    const random = seededRandom(21)
    const pick = <T>(values: readonly T[]): T => random.pick(values)
    let reader: SignedIn
    let storedApps: App[]
    let storedFindings: Finding[]

    beforeAll(async () => {
      const org = await h.addOrganization('default')
      reader = await signedIn(h, org, 'READ_ONLY')
      const now = unixSeconds(h.clock)
      const [example] = products
      if (!example) throw new Error('the catalog is empty')
      const own = { ...example, appType: 'IN_HOUSE_AI', categories: ['AI' as const] }
      await h.db.inTransaction((tx) => upsertCatalogProducts(tx, org, [own], now))
      const types = ['IN_HOUSE_AI', ...products.slice(0, 400).map(({ appType }) => appType)]
      const made = Array.from({ length: 60 }, (_, at) =>
        anApp({
          type: types[at * 6] ?? 'NO_SUCH_TYPE',
          sensitivityLevel: pick([null, ...sensitivityLevels]),
          creationTimestamp: now - random.below(60 * day),
        }),
      )
      await put(h, org, apps, made)
      const some = Array.from({ length: 300 }, () => {
        const app = pick([null, ...made])
        return aFinding({
          type: pick(findingTypes),
          state: pick(findingStates),
          appId: app?.id ?? null,
          appType: app?.type ?? null,
          creationTimestamp: now - random.below(60 * day),
        })
      })
      await put(h, org, findings, some)
      const caller = await h.addKey(org)
      const all = async (path: string) =>
        (await h.call(caller, 'GET', `${path}?limit=1000`)).body['the service']
      storedApps = await all('/v1/apps')
      storedFindings = await all('/v1/findings')
      expect(storedFindings).toHaveLength(300)
    })

    const mainCategory = (type: string) =>
      type === 'IN_HOUSE_AI' ? 'AI' : products.find(({ appType }) => appType === type)?.categories?.[0]

    /** Returns the IDs of the findings of `/v1` that match, newest first. */
    const expected = (query: URLSearchParams): string[] => {
      const byId = new Map(storedApps.map((app) => [app.id, app]))
      const meets = (name: string, value: string | null | undefined) =>
        !query.has(name) || query.getAll(name).includes(String(value))
      const [period] = query.getAll('createdWithin')
      const after =
        period === undefined
          ? 0
          : unixSeconds(h.clock) - creationPeriods[period as keyof typeof creationPeriods]
      return storedFindings
        .filter((finding) => {
          const app = byId.get(String(finding.appId))
          return (
            meets('type', finding.type) &&
            meets('state', finding.state) &&
            meets('appSensitivity', app?.sensitivityLevel) &&
            meets('appCategory', app && mainCategory(app.type)) &&
            finding.creationTimestamp >= after
          )
        })
        .map(({ id }) => id)
        .toReversed()
    }

    const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 })
    const anyQuery = fc
      .record({
        type: some(findingTypes),
        state: some(findingStates),
        appSensitivity: some(sensitivityLevels),
        appCategory: some(['AI', 'HR', 'FINANCE', 'SECURITY', 'MARKETING', 'CLOUD']),
        createdWithin: fc.uniqueArray(fc.constantFrom(...Object.keys(creationPeriods)), { maxLength: 1 }),
      })
      .map((filters) => {
        const query = new URLSearchParams()
        for (const [name, values] of Object.entries(filters))
          for (const value of values) query.append(name, value)
        return query
      })

    test('list, count and CSV file have exactly the findings of /v1 that match', async () => {
      const property = fc.asyncProperty(anyQuery, async (query) => {
        const ids = expected(query)
        const list = await reader.call('GET', `lists/findings?limit=500&${query}`)
        expect(list.body.records.map(({ id }: Finding) => id)).toEqual(ids)
        const count = await reader.call('GET', `lists/findings/count?${query}`)
        expect(count.body).toEqual({ count: ids.length, more: false })
        const file = await reader.call('GET', `lists/findings/export?column=id&${query}`)
        expect(file.text.split('\r\n').slice(1, -1)).toEqual(ids)
      })
      await fc.assert(property, { numRuns: 25 })
    })

    test('counts the values of a filter among the records that match the other filters', async () => {
      const { body } = await reader.call('GET', 'lists/findings/values?of=appSensitivity&appCategory=AI')
      for (const { value, count } of body.values)
        expect(count).toBe(expected(new URLSearchParams({ appSensitivity: value, appCategory: 'AI' })).length)
      expect(body.values).toHaveLength(sensitivityLevels.length)
    })

    test('every list can be limited to a period that ends now, also together with a custom range', async () => {
      const now = unixSeconds(h.clock)
      const within = storedApps.filter(({ creationTimestamp }) => creationTimestamp >= now - 7 * day)
      const count = async (query: string) =>
        (await reader.call('GET', `lists/apps/count?${query}`)).body.count
      expect(await count('createdWithin=LAST_7_DAYS')).toBe(within.length)
      expect(within.length).toBeGreaterThan(0)
      expect(await count(`createdWithin=LAST_7_DAYS&creationTimestampAfter=${now - 40 * day}`)).toBe(
        within.length,
      )
      expect(await count(`createdWithin=LAST_7_DAYS&creationTimestampAfter=${now}`)).toBe(0)
    })
  })
}
