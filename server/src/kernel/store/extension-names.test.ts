import { browserExtensions } from '@muster/contract/records/browser-extension'
import { beforeAll, describe, expect, test } from 'vitest'
import { aBrowserExtension, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { smallBudget, usualBudget } from '../../../../test/support/scan-variants.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { seededRandom } from '../lib/secrets/seeded-random.ts'
import { type CountLimits, countList } from '../query/count-list.ts'
import type { FilterValues } from '../query/predicates.ts'
import type { Cursor } from '../query/scan.ts'
import { listSorted, type ScanBudget } from '../query/sorted-list.ts'
import { extensionNamePredicate } from './extension-names.ts'
import { sequenceEnd } from './sequence.ts'
import type { Param } from './sql.ts'
import { tableOf } from './tables.ts'

const table = tableOf(browserExtensions)

/** Many names share a letter; one extension has two names; one matches by its ID only; one has old installations. */
const names: readonly (readonly [id: string, ...names: string[]])[] = [
  ['aaa', 'Tab Keeper', 'Tab Guard'],
  ['bbb', 'Cookie Editor'],
  ['ccc', 'Kéeper "plus"'],
  ['keeper-id', 'Zoom'],
  ...Array.from({ length: 12 }, (_, at) => [`x${at}`, `Tab ${at}`] as const),
]
const single = ['keeper', 'TAB', 'guard', 'é', '"p', 'o', 'zq', 'x', 'bbb', '%']
const several = [
  'tab 1',
  'keeper TAB',
  'ZOOM keeper-id',
  'guard keeper',
  '1 x tab',
  'editor bbb',
  'nobody has this',
]
const texts = [...single, ...several]

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    let rows: { seq: number; record: ReturnType<typeof aBrowserExtension> }[] = []

    beforeAll(async () => {
      org = await h.addOrganization('default')
      const random = seededRandom(3)
      const install = (at: number) => {
        const [extensionId, ...called] = random.pick(names)
        const creationTimestamp = 1_763_000_000 + Math.floor(at / 7)
        return aBrowserExtension({
          extensionId,
          name: random.pick(called),
          enabled: random.pick([true, false]),
          creationTimestamp,
        })
      }
      const old = Array.from({ length: 20 }, () => aBrowserExtension({ name: 'zq', creationTimestamp: 1 }))
      await put(h, org, browserExtensions, [...old, ...Array.from({ length: 260 }, (_, at) => install(at))])
      await put(h, await h.addOrganization('other'), browserExtensions, [
        aBrowserExtension({ name: 'Tab Keeper' }),
      ])
      const stored = await h.db.all<{ seq: number; record: string }>(
        'SELECT seq, record FROM browser_extensions WHERE org = ? ORDER BY seq',
        [org],
      )
      rows = stored.map(({ seq, record }) => ({ seq: Number(seq), record: JSON.parse(record) }))
    })

    const holding = (text: string) => {
      const words = text.toLowerCase().split(' ')
      return rows.filter(({ record: { name, extensionId } }) =>
        words.every((word) => [name, extensionId].some((hay) => hay.toLowerCase().includes(word))),
      )
    }

    async function readAll(
      text: string,
      descending: boolean,
      limit: number,
      budget: ScanBudget,
      filters = {},
    ) {
      const search = { members: ['name', 'extensionId'], text }
      const sort = { member: 'creationTimestamp', descending }
      const found: unknown[] = []
      let cursor: Cursor | undefined
      do {
        const request = { collection: browserExtensions, org, filters, search, sort, cursor, limit }
        const page = await listSorted(h.db, request, budget)
        found.push(...page.records.map((text) => JSON.parse(text)))
        cursor = page.next
      } while (cursor && found.length <= rows.length)
      return found
    }

    test.each(texts)(
      'a search for %j returns each record once and in order with any budget',
      async (text) => {
        const right = holding(text).map(({ record }) => record)
        for (const [limit, budget] of [
          [500, usualBudget],
          [4, usualBudget],
          [4, smallBudget],
        ] as const) {
          expect(await readAll(text, false, limit, budget)).toEqual(right)
          expect(await readAll(text, true, limit, budget)).toEqual(right.toReversed())
          const enabled = right.filter((record) => record.enabled)
          expect(await readAll(text, true, limit, budget, { enabled: true })).toEqual(enabled.toReversed())
        }
      },
    )

    test('a search respects a creation window', async () => {
      const filters: FilterValues = {
        creationTimestampAfter: 1_763_000_010,
        creationTimestampBefore: 1_763_000_020,
      }
      const right = holding('tab').filter(
        ({ record: { creationTimestamp: at } }) => at >= 1_763_000_010 && at < 1_763_000_020,
      )
      expect(right.length).toBeGreaterThan(10)
      expect(await readAll('tab', false, 4, smallBudget, filters)).toEqual(right.map(({ record }) => record))
    })

    test('a count is exact, or reports that there may be more', async () => {
      const countOf = (text: string, limits: CountLimits) => {
        const search = { members: ['name', 'extensionId'], text }
        return countList(h.db, { collection: browserExtensions, org, filters: {}, search }, limits)
      }
      for (const text of texts)
        for (const limits of [{}, { rows: 7 }])
          expect(await countOf(text, limits)).toEqual({ count: holding(text).length, more: false })
      expect(await countOf('tab', { rows: 7, maximumMs: 0 })).toMatchObject({ more: true })
    })

    test('rows are only read between bounds, by extension and sequence number', async () => {
      const anything = { sql: '1 = 1', params: [] }
      const { from, params } = extensionNamePredicate(table, ['tab'], [anything], h.db.dialect).path
      const values = params(org, 0, sequenceEnd)
      expect(await planViolations(`SELECT d.seq FROM ${from}`, values)).toEqual([])
    })

    /** Returns the parts of a plan that read installations outside the bounds. */
    async function planViolations(sql: string, params: readonly Param[]): Promise<string[]> {
      if (store === 'sqlite') {
        const plan = await h.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
        const reads = plan
          .map(({ detail }) => detail)
          .filter((detail) => /^(SEARCH|SCAN) [dtx] /.test(detail))
        expect(reads.length).toBeGreaterThan(0)
        return reads.filter((detail) => !/\(org=\? AND \w+=\? AND seq>\? AND seq<\?\)$/.test(detail))
      }
      const plan = await h.db.all<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params)
      const text = plan.map((line) => line['QUERY PLAN']).join('\n')
      const reads = [...text.matchAll(/ on browser_extensions.*\n\s+(.*)/g)].map(
        ([, condition]) => condition ?? '',
      )
      expect(reads.length).toBeGreaterThan(0)
      return reads.filter(
        (condition) => !/^Index Cond: .*extension_id.*seq [>=<]+ .*seq [>=<]+ /.test(condition),
      )
    }
  })
}
