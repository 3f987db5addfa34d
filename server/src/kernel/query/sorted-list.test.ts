import type { Collection } from '@muster/contract/api/collection'
import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { beforeAll, describe, expect, test } from 'vitest'
import { aDetection, anAccount, anApp, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { smallBudget, usualBudget } from '../../../../test/support/scan-variants.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { seededRandom } from '../lib/secrets/seeded-random.ts'
import { getRecord, updateRecord } from '../store/records.ts'
import { countList } from './count-list.ts'
import type { Cursor } from './scan.ts'
import { listSorted, type ScanBudget, type SortedRequest, scanInCreationOrder } from './sorted-list.ts'

type Fields = Record<string, unknown>
for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let org: number
    const stored = new Map<Collection, Fields[]>()

    beforeAll(async () => {
      org = await h.addOrganization('default')
      const random = seededRandom(7)
      const pick = <T>(...values: T[]): T => random.pick(values)
      const time = () => 1_763_000_000 + random.below(20)
      const keep = async <C extends Collection>(collection: C, records: Fields[]) => {
        stored.set(collection, records)
        await put(h, org, collection, records as never)
      }
      await keep(
        employees,
        Array.from({ length: 40 }, (_, at) =>
          anEmployee({
            email: `${pick('Zoe', 'ada', 'Bob', 'carol')}.${at}@example.com`,
            firstName: pick('Ada', 'Grace', 'Änne', 'O"Hara'),
            department: pick('IT', 'HR', null),
            licensed: pick(true, false),
            creationTimestamp: time(),
          }),
        ),
      )
      await keep(
        accounts,
        Array.from({ length: 60 }, (_, at) =>
          anAccount({
            email: `user${at}@example.com`,
            appType: pick('ZAPIER', 'SLACK', 'GITHUB'),
            lastUsedTimestamp: pick(null, time(), time(), time()),
            creationTimestamp: time(),
          }),
        ),
      )
      await keep(
        detections,
        Array.from({ length: 40 }, () =>
          aDetection({
            severity: pick('LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
            archived: pick(true, false),
            url: pick(null, 'https://evil.example/a', 'https://Bad.example/b'),
            lastActivityTimestamp: time(),
            creationTimestamp: time(),
          }),
        ),
      )
      await keep(apps, [
        anApp({ friendlyName: 'Slack', labels: ['GenAI'] }),
        anApp({ friendlyName: 'Zoom', labels: [] }),
      ])
      const other = await h.addOrganization('other')
      await put(h, other, accounts, [anAccount({ email: 'user1@example.com' })])
    })

    const readAll = async (request: SortedRequest, limit: number, budget: ScanBudget) => {
      const found: Fields[] = []
      let cursor: Cursor | undefined
      let pages = 0
      do {
        const page = await listSorted(h.db, { ...request, cursor, limit }, budget)
        expect(page.records.length).toBeLessThanOrEqual(limit)
        found.push(...page.records.map((text) => JSON.parse(text) as Fields))
        cursor = page.next
        pages += 1
      } while (cursor && pages < 1000)
      return found
    }

    /** Filters and sorts the records in memory. */
    const expected = (
      collection: Collection,
      member: string,
      descending: boolean,
      matches: (record: Fields) => boolean,
    ) => {
      const records = (stored.get(collection) ?? []).map((record, at) => ({ record, at }))
      const key = ({ record }: { record: Fields }) => {
        const value = record[member]
        return typeof value === 'string' ? value.toLowerCase() : (value as number | null)
      }
      const inOrder = records
        .filter(({ record }) => matches(record))
        .sort((one, other) => {
          const created = Number(one.record.creationTimestamp) - Number(other.record.creationTimestamp)
          const bySeq = (created || one.at - other.at) * (descending ? -1 : 1)
          const [a, b] = [key(one), key(other)]
          if (member === 'creationTimestamp' || a === b) return bySeq
          if (a === null || a === undefined) return 1
          if (b === null || b === undefined) return -1
          return (a < b ? -1 : 1) * (descending ? -1 : 1)
        })
      return inOrder.map(({ record }) => record)
    }

    const cases: [string, Collection, string, Partial<SortedRequest>, (record: Fields) => boolean][] = [
      ['all accounts', accounts, 'lastUsedTimestamp', {}, () => true],
      ['all employees', employees, 'email', {}, () => true],
      [
        'one app type',
        accounts,
        'lastUsedTimestamp',
        { filters: { appType: 'SLACK' } },
        (r) => r.appType === 'SLACK',
      ],
      [
        'one app type of two',
        accounts,
        'lastUsedTimestamp',
        { filters: { appType: ['SLACK', 'ZAPIER'] } },
        (r) => r.appType !== 'GITHUB',
      ],
      [
        'a part of the address',
        accounts,
        'lastUsedTimestamp',
        { search: { members: ['email'], text: 'USER1' } },
        (r) => String(r.email).includes('user1'),
      ],
      [
        'a rare part of the address',
        accounts,
        'lastUsedTimestamp',
        { search: { members: ['email'], text: 'R7@' } },
        (r) => String(r.email) === 'user7@example.com',
      ],
      [
        'a window of use',
        accounts,
        'lastUsedTimestamp',
        { filters: { lastUsedTimestampAfter: 1_763_000_005, lastUsedTimestampBefore: 1_763_000_015 } },
        (r) => Number(r.lastUsedTimestamp) >= 1_763_000_005 && Number(r.lastUsedTimestamp) < 1_763_000_015,
      ],
      [
        'a window of creation',
        detections,
        'lastActivityTimestamp',
        { filters: { creationTimestampAfter: 1_763_000_004, creationTimestampBefore: 1_763_000_014 } },
        (r) => Number(r.creationTimestamp) >= 1_763_000_004 && Number(r.creationTimestamp) < 1_763_000_014,
      ],
      [
        'severities that are not archived',
        detections,
        'lastActivityTimestamp',
        { filters: { severity: ['HIGH', 'CRITICAL'], archived: [false] } },
        (r) => ['HIGH', 'CRITICAL'].includes(String(r.severity)) && r.archived === false,
      ],
      [
        'a text in one of several members',
        detections,
        'lastActivityTimestamp',
        { search: { members: ['url', 'sourceIpAddress'], text: 'bad.EXAMPLE' } },
        (r) => String(r.url).includes('Bad.example'),
      ],
      [
        'a name',
        employees,
        'email',
        { search: { members: ['email', 'firstName'], text: 'GRACE' } },
        (r) => r.firstName === 'Grace',
      ],
      [
        'words, each in another member',
        employees,
        'email',
        { search: { members: ['email', 'firstName'], text: ' example  GRACE ' } },
        (r) => r.firstName === 'Grace',
      ],
      [
        'words of the only member, in any order',
        accounts,
        'lastUsedTimestamp',
        { search: { members: ['email'], text: 'example  USER1' } },
        (r) => String(r.email).includes('user1'),
      ],
      [
        'a name with a quote in it',
        employees,
        'email',
        { search: { members: ['email', 'firstName'], text: 'o"h' } },
        (r) => r.firstName === 'O"Hara',
      ],
      [
        'a department of the licensed',
        employees,
        'email',
        { filters: { department: ['IT'], licensed: [true] } },
        (r) => r.department === 'IT' && r.licensed === true,
      ],
    ]
    const variants = cases.flatMap(([name, collection, member, more, matches]) =>
      [member, 'creationTimestamp'].flatMap((by) =>
        [false, true].map((descending) => ({ name, collection, by, descending, more, matches })),
      ),
    )

    test.each(variants)(
      '$name by $by, descending: $descending: returns each record once and in order with any budget',
      async ({ collection, by, descending, more, matches }) => {
        const request = { collection, org, filters: {}, sort: { member: by, descending }, ...more }
        const right = expected(collection, by, descending, matches)
        for (const [limit, budget] of [
          [100, usualBudget],
          [7, usualBudget],
          [7, smallBudget],
        ] as const)
          expect(await readAll(request, limit, budget)).toEqual(right)
        for (const limits of [{}, { scan: smallBudget, rows: 3 }])
          expect(await countList(h.db, request, limits)).toEqual({ count: right.length, more: false })
      },
    )

    test('an export has each record once, even if sort values change during the export', async () => {
      const org = await h.addOrganization('file')
      const created = Array.from({ length: 30 }, (_, at) =>
        anAccount({ lastUsedTimestamp: 1_763_000_000 + at }),
      )
      await put(h, org, accounts, created)
      const used = (id: string, lastUsedTimestamp: number) =>
        h.db.inTransaction(async (tx) => {
          const stored = await getRecord(tx, accounts, org, id)
          if (!stored) throw new Error('the account is gone')
          await updateRecord(tx, accounts, org, stored, { record: { ...stored.record, lastUsedTimestamp } })
        })
      for (const descending of [true, false]) {
        const request = { collection: accounts, org, filters: {} }
        const sort = { member: 'lastUsedTimestamp', descending }
        const found: unknown[] = []
        for await (const part of scanInCreationOrder(h.db, { ...request, sort }, 10)) {
          found.push(...part.map((text) => JSON.parse(text).id))
          // The first and the last record swap positions.
          const [first, last] = descending ? [created.at(-1), created[0]] : [created[0], created.at(-1)]
          await used(String(last?.id), descending ? 1_764_000_000 : 1_762_000_000)
          await used(String(first?.id), descending ? 1_762_000_000 : 1_764_000_000)
        }
        const order = created.map(({ id }) => id)
        expect(found).toEqual(descending ? order.reverse() : order)
        for (const { id, lastUsedTimestamp } of created) await used(id, Number(lastUsedTimestamp))
      }
    })

    test('filters by labels', async () => {
      const sort = { member: 'creationTimestamp', descending: true }
      const found = await readAll(
        { collection: apps, org, filters: { labels: ['genai'] }, sort },
        10,
        usualBudget,
      )
      expect(found.map(({ friendlyName }) => friendlyName)).toEqual(['Slack'])
    })

    test('a count ends after its time or when it is aborted, and reports that there may be more', async () => {
      const whole = { collection: accounts, org, filters: {} }
      const search = { members: ['email', 'appType'], text: 'user' }
      const request = { ...whole, search }
      const part = { count: 10, more: true }
      expect(await countList(h.db, request, { rows: 10, maximumMs: 0 })).toEqual(part)
      expect(await countList(h.db, request, { rows: 10, signal: AbortSignal.abort() })).toEqual(part)
      expect(await countList(h.db, request, { rows: 10 })).toEqual({ count: 60, more: false })
      expect(await countList(h.db, whole, { rows: 10, maximumMs: 0 })).toEqual({ count: 60, more: false })
    })

    test('leaves out merged employees unless they are requested', async () => {
      const primary = String(stored.get(employees)?.[0]?.id)
      const merged = anEmployee({ email: 'merged@example.com', mergedIntoId: primary })
      await put(h, org, employees, [merged])
      const sort = { member: 'email', descending: false }
      const all = await readAll({ collection: employees, org, filters: {}, sort }, 100, usualBudget)
      expect(all).toHaveLength(40)
      const filters = { mergedIntoId: primary }
      expect(await readAll({ collection: employees, org, filters, sort }, 100, usualBudget)).toEqual([merged])
    })
  })
}
