import type { Collection } from '@muster/contract/api/collection'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import { type ConsoleListName, consoleLists, listParameters } from '@muster/contract/console/console-lists'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, signedIn } from '../../../../test/support/console-browser.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { anAppOther, anEmployee, put } from '../../../../test/support/fixtures.ts'
import { useHarness } from '../../../../test/support/harness.ts'
import { randomRecord } from '../../../../test/support/random-records.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import { refreshMarkedScores } from '../risk/risk-job.ts'

const filled: readonly Collection[] = [
  apps,
  accounts,
  accountsOther,
  appsOther,
  blockedUrls,
  browsers,
  browserExtensions,
  detections,
  findings,
]
const names = Object.keys(consoleLists) as ConsoleListName[]

/** Returns the values of a filter that has few. */
function valuesOf({ schema }: QueryParameter): readonly string[] {
  if ('enum' in schema) return schema.enum.map(String)
  return schema.type === 'boolean' ? ['true', 'false'] : []
}

/** Any filters of a list that have few values, sometimes with a search. */
function anyQuery(name: ConsoleListName): fc.Arbitrary<string> {
  const offered = listParameters(consoleLists[name]).filter(
    (parameter) => parameter.filter !== undefined && valuesOf(parameter).length > 0,
  )
  const anyFilter = fc.constantFrom(...offered).chain((parameter) =>
    fc
      .uniqueArray(fc.constantFrom(...valuesOf(parameter)), {
        minLength: 1,
        maxLength: parameter.maxValues === 1 ? 1 : 2,
      })
      .map((values) => values.map((value): [string, string] => [parameter.name, value])),
  )
  const some = fc.uniqueArray(anyFilter, { maxLength: 3, selector: ([first]) => first?.[0] })
  return fc
    .record({ filters: some, search: fc.constantFrom('', '', '', 'e') })
    .map(({ filters, search }) =>
      new URLSearchParams([...filters.flat(), ...(search === '' ? [] : [['search', search]])]).toString(),
    )
}

for (const store of STORES) {
  describe(store, () => {
    const h = useHarness(store)
    let reader: SignedIn

    beforeAll(async () => {
      reader = await signedIn(h, await h.addOrganization('default'), 'READ_ONLY')
      const { org } = reader
      const random = seededRandom(59)
      const people: Employee[] = Array.from({ length: 40 }, () =>
        anEmployee({ licensed: random.chance(0.6) }),
      )
      const merged = anEmployee({ licensed: true, mergedIntoId: people[0]?.id ?? null })
      await put(h, org, employees, [...people, merged])
      await put(h, org, appsOther, [anAppOther({ domain: 'chat.ai' })])
      for (const [at, collection] of filled.entries()) {
        const records = fc.sample(randomRecord(collection), { numRuns: 60, seed: at })
        const rows = records.map((record, number) => ({
          ...record,
          id: `${collection.name} ${number}`,
          ...('employeeId' in record && { employeeId: random.pick(people).id }),
          ...('accountId' in record && { accountId: `accounts ${random.below(60)}` }),
          ...('appId' in record && collection !== apps && { appId: `apps ${random.below(60)}` }),
        }))
        await put(h, org, collection, rows as never)
      }
      await refreshMarkedScores({ db: h.db, clock: h.clock })
    })

    /** Counts the rows of a list, page by page. */
    async function rowsOf(path: string): Promise<number> {
      let rows = 0
      for (let cursor = ''; ; ) {
        const { status, body } = await reader.call('GET', `${path}&limit=500${cursor}`)
        expect(status).toBe(200)
        rows += body.records.length
        if (body.cursor === null) return rows
        cursor = `&cursor=${body.cursor}`
      }
    }

    test.each(names)('the count of any filters of %s equals the number of rows', async (name) => {
      const property = fc.asyncProperty(anyQuery(name), async (query) => {
        const { body } = await reader.call('GET', `lists/${name}/count?${query}`)
        expect(body).toEqual({ count: await rowsOf(`lists/${name}?${query}`), more: false })
      })
      await fc.assert(property, { numRuns: 25 })
    })

    test.each(names)('each value of a filter of %s has the number of its rows', async (name) => {
      const offered = listParameters(consoleLists[name]).filter(
        (parameter) => parameter.filter !== undefined && valuesOf(parameter).length > 0,
      )
      for (const { name: filter } of offered) {
        const { body } = await reader.call('GET', `lists/${name}/values?of=${filter}`)
        for (const { value, count } of body.values) {
          const path = `lists/${name}?${filter}=${value}`
          expect([path, count]).toEqual([path, await rowsOf(path)])
        }
      }
    })
  })
}
